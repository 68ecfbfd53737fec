#include <hsm/tool/detail/command.hpp>

#include <algorithm>

namespace hsm::detail::tool {

option& option_list::choice(std::string names, std::string value, std::string& to, std::vector<std::string> choices, std::string help) {
    auto& o = add({std::move(names), std::move(value), std::move(help), &to});
    o.choices = std::move(choices);
    o.offers = completion::choices;
    return o;
}

option& option_list::format(bool& json) {
    json_ = &json;
    return choice("--format", "FORMAT", format_, {"text", "json"}, "text for people, or json for programs.");
}

void option_list::settle() {
    if (json_) *json_ = format_ == "json";
}

std::vector<owned<command>> all_commands() {
    std::vector<owned<command>> all;
    all.push_back(check_command());
    all.push_back(draw_command());
    all.push_back(run_command());
    all.push_back(test_command());
    all.push_back(convert_command());
    all.push_back(replay_command());
    all.push_back(trace_show_command());
    all.push_back(trace_convert_command());
    all.push_back(trace_diff_command());
    all.push_back(trace_stats_command());
    all.push_back(view_command());
    all.push_back(watch_command());
    all.push_back(generate_registry_command());
    all.push_back(generate_definition_command());
    all.push_back(generate_constant_command());
    all.push_back(completion_command());
    all.push_back(manual_command());
    return all;
}

std::string_view summary_of_group(std::string_view word) {
    if (word == "trace") return "print, convert and compare traces";
    if (word == "generate") return "write C++ for the machine in a file";
    return {};
}

void print_messages(const std::vector<message>& all, environment& here) {
    std::string text;
    for (const auto& m : all) text += to_string(m, here.program, here.terminal, true);
    here.terminal.complain(text);
}

const known_machine* find_machine(std::string_view name, const environment& here) {
    const auto found = std::ranges::find_if(here.machines, [&](const known_machine* m) { return m->name() == name; });
    return found == here.machines.end() ? nullptr : *found;
}

std::string hint_of_machines(const environment& here) {
    std::string names;
    for (const auto* m : here.machines) names += (names.empty() ? "" : ", ") + m->name();
    return names.empty() ? "this program has no machines; pass them to hsm::tool::main" : "known names: " + names;
}

} // namespace hsm::detail::tool
