#include <hsm/tool/detail/loaded_file.hpp>

#include <hsm/compile/compile.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/output_file.hpp>

namespace hsm::detail::tool {

namespace {

class untyped_chart : public chart_base {
public:
    explicit untyped_chart(const chart_core* core) : chart_base(core) {}
};

} // namespace

std::string shown_file(const std::string& path) { return path == "-" ? "(stdin)" : path; }

void declare_file_options(option_list& takes, file_options& to) {
    takes.value("--over", "NAME", to.over, "The machine of this program whose context and names a file uses. Required if the program has several.");
    takes.flag("--scripts", to.scripts, "Run scripts of SCXML documents, with limited time and memory, and without files or network.");
    takes.value("--includes", "FOLDER", to.includes, "Let SCXML documents include files from this folder. Default: no included file is read.").file();
}

const known_machine* machine_for_files(const std::string& over, const machine_format& format, const environment& here) {
    if (!over.empty()) {
        if (const auto* const found = find_machine(over, here)) return found;
        throw command_error(fmt::format("there is no machine \"{}\" in this program", over), hint_of_machines(here));
    }
    const known_machine* found = nullptr;
    for (const auto* const m : here.machines) {
        if (is_scxml(format) && !m->scxml_context()) continue;
        if (found) throw command_error("several machines of this program have a context that fits a file", "choose one: --over NAME");
        found = m;
    }
    return found;
}

loaded_file::loaded_file(const std::string& path, const file_options& how, unknown_names unknown, environment& here) : name_(shown_file(path)) {
    (void)format_for(path); // checks the format before reading
    text_ = read_input(path, here);
    format_ = &format_to_read(path, text_);
    over_ = machine_for_files(how.over, *format_, here);
    open_names open(sim_);
    if (unknown == unknown_names::refused) open.refuse_undeclared();
    const bool simulates = !over_ || unknown == unknown_names::simulated;
    problems_ = messages_of(format_->load(text_, name_, {over_, simulates ? &open : nullptr, how}, root_));
    if (simulates) names_ = open.names();
}

chart_base loaded_file::compiled() {
    if (!problems_.empty()) throw command_error(problems_, exit_code_for(problems_));
    std::vector<finding> findings;
    const auto* const core = compile_tree(std::move(root_), {}, findings);
    for (const auto& f : findings) warnings_.push_back(message_of(f));
    if (core) return untyped_chart(core);
    throw command_error(warnings_, exit_code_for(warnings_));
}

machine_to_play::machine_to_play(const std::string& what, const file_options& how, environment& here) {
    if (const auto* const known = how.over.empty() ? find_machine(what, here) : nullptr) {
        known_ = known;
        chart_ = known->chart();
        return;
    }
    file_.emplace(what, how, unknown_names::simulated, here);
    known_ = file_->over();
    chart_ = file_->compiled();
}

owned<hsm::tool::session> machine_to_play::fresh() const {
    if (!known_) return file_->format().play(*chart_, sim());
    auto made = known_->play(*chart_);
    if (!made)
        throw command_error(fmt::format("the context of \"{}\" cannot be created", known_->name()),
                            "set a session in the program: hsm::tool::machine::played_by");
    return made;
}

} // namespace hsm::detail::tool
