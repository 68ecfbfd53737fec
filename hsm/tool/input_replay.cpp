#include <hsm/tool/detail/input_replay.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/replay/detail/log_format.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/output_file.hpp>

#include <algorithm>
#include <span>

namespace hsm::detail::tool {

namespace {

const known_machine& machine_of(const log_view& log, const std::string& path, const std::string& name, const environment& here) {
    if (here.machines.empty())
        throw command_error("this program has no machines; only a program with the chart can replay a log",
                            "call hsm::tool::main in the program with the chart (docs/reference/tool.md); to print the log, use `trace show`");
    if (log.machines.size() != 1 || log.machines.front().kind != log_machine::instance)
        throw command_error({{.text = "this command replays logs of one machine, but this log belongs to several machines, a crowd or a manager",
                              .hint = "use hsm::replay in your program",
                              .where = {shown_file(path), 0, 0}}},
                            exit_code::failed);
    if (!name.empty()) {
        if (const auto* const named = find_machine(name, here)) return *named;
        throw command_error(fmt::format("there is no machine \"{}\" in this program", name), hint_of_machines(here));
    }
    const auto& wanted = log.machines.front().chart;
    const auto found = std::ranges::find_if(here.machines, [&](const known_machine* m) { return m->chart() && m->chart().fingerprint() == wanted; });
    if (found != here.machines.end()) return **found;
    throw command_error({{.text = "no machine of this program has the chart of the log",
                          .hint = "check whether the definition was changed; " + hint_of_machines(here),
                          .where = {shown_file(path), 0, 0},
                          .code = code::other_log}},
                        exit_code::found);
}

} // namespace

input_replay::input_replay(const std::string& path, const std::string& machine, environment& here) {
    const auto text = read_input(path, here);
    const auto bytes = std::as_bytes(std::span(text));
    known_ = &machine_of(read_log(bytes), path, machine, here);
    session_ = session_of(*known_, known_->chart());
    log_.emplace(bytes);
    session_->attach(*log_);
}

std::optional<log_difference> input_replay::run(environment& here) {
    progress shown(here.terminal, "playing", log_->calls());
    for (bool more = true; more; more = log_->step()) {
        if (auto found = log_->check()) return found;
        shown.reach(log_->call());
    }
    return {};
}

} // namespace hsm::detail::tool
