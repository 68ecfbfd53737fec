#include <hsm/tool/detail/loaded_file.hpp>

#include <hsm/compile/compile.hpp>
#include <hsm/load/registry.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/output_file.hpp>

#include <fmt/format.h>

#include <optional>

namespace hsm::detail::tool {

namespace {

class untyped_chart : public chart_base {
public:
    explicit untyped_chart(const chart_core* core) : chart_base(core) {}
};

} // namespace

std::string shown_file(const std::string& path) { return path == "-" ? "(stdin)" : path; }

void declare_over(option_list& takes, std::string& over) {
    takes.value("--over", "NAME", over, "The machine of this program whose context a file is for, and whose names it uses, if there are several.");
}

const known_machine* machine_for_files(const std::string& over, const surroundings& here) {
    if (over.empty()) {
        if (here.machines.size() > 1)
            throw command_error("there are several machines here whose context a file could be for", "say which one: --over NAME");
        return here.machines.empty() ? nullptr : here.machines.front();
    }
    if (const auto* const found = find_machine(over, here)) return found;
    throw command_error(fmt::format("there is no machine \"{}\" in this program", over), hint_of_machines(here));
}

loaded_file::loaded_file(const std::string& path, const std::string& over, unknown_names unknown, surroundings& here) : name_(shown_file(path)) {
    const auto* const known = machine_for_files(over, here);
    const auto& format = format_to_read(path);
    text_ = read_input(path, here);
    const registry<simulated_context> nothing;
    const registry_base& names = known ? known->names() : nothing;
    open_names open(world_);
    std::optional<open_names::listening> listening;
    if (!known || unknown == unknown_names::simulated) listening.emplace(open, names);
    for (const auto& p : format.load(text_, name_, names, {}, root_)) problems_.push_back(message_of(p));
}

chart_base loaded_file::compiled() {
    if (!problems_.empty()) throw command_error(problems_, exit_code_for(problems_));
    std::vector<finding> findings;
    const auto* const core = compile_tree(std::move(root_), {}, findings);
    if (core) return untyped_chart(core);
    std::vector<message> all;
    for (const auto& f : findings) all.push_back(message_of(f));
    throw command_error(all, exit_code_for(all));
}

} // namespace hsm::detail::tool
