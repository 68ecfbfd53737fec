#include <hsm/tool/detail/machine_to_play.hpp>

#include <hsm/compile/compile.hpp>
#include <hsm/load/registry.hpp>
#include <hsm/tool/detail/loaded_file.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/output_file.hpp>

#include <fmt/format.h>

namespace hsm::detail::tool {

namespace {

class typed_chart : public chart_base {
public:
    explicit typed_chart(const chart_core* core) : chart_base(core) {}
};

} // namespace

machine_to_play::machine_to_play(const std::string& what, const std::string& over, const surroundings& here) {
    if (const auto* const known = over.empty() ? find_machine(what, here) : nullptr) {
        known_ = known;
        chart_ = known->chart();
        return;
    }
    known_ = machine_for_files(over, here);
    file_ = what == "-" ? "(stdin)" : what;
    load(read_input(what, const_cast<surroundings&>(here)));
}

void machine_to_play::load(const std::string& text) {
    const registry<simulated_context> nothing;
    const registry_base& names = known_ ? known_->names() : nothing;
    open_names open(world_);
    owned<state_base> root;
    {
        const open_names::listening to(open, names);
        std::vector<message> problems;
        for (const auto& p : format_to_read(file_ == "(stdin)" ? "-" : file_).load(text, file_, names, {}, root)) problems.push_back(message_of(p));
        if (!problems.empty()) throw command_error(problems, exit_code_for(problems));
    }
    names_ = open.names();
    std::vector<finding> findings;
    const auto* const core = compile_tree(std::move(root), {}, findings);
    std::vector<message> told;
    for (const auto& f : findings) told.push_back(message_of(f));
    if (!core) throw command_error(told, exit_code_for(told));
    chart_ = typed_chart(core);
    warnings_ = std::move(told);
}

owned<hsm::tool::session> machine_to_play::fresh() const {
    if (known_) {
        auto made = known_->play(*chart_);
        if (!made) throw command_error(fmt::format("nobody says how the context of \"{}\" is made", known_->name()), "hsm::tool::machine: played_by");
        return made;
    }
    detail::add_user(&chart_->core());
    return make_owned<hsm::tool::session_over<simulated_context>>(hsm::chart<simulated_context>(&chart_->core()));
}

} // namespace hsm::detail::tool
