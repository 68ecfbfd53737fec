#include <hsm/tool/detail/machine_file.hpp>

#include <hsm/compile/compile.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/output_file.hpp>

#include <algorithm>

namespace hsm::detail::tool {

const machine_format* format_of_file(std::string_view path) {
    const auto formats = machine_formats();
    const auto found = std::ranges::find_if(formats, [&](const machine_format& f) { return path.ends_with(f.extension) || path == f.name; });
    return found == formats.end() ? nullptr : &*found;
}

namespace {

[[noreturn]] void refuse_format(const std::string& path, std::string text, std::string hint) {
    throw command_error({{.text = std::move(text), .hint = std::move(hint), .where = {shown_file(path), 0, 0}}}, exit_code::failed);
}

[[noreturn]] void refuse_scxml(const std::string& path) {
    refuse_format(path, "it is an SCXML document, and this program was built without SCXML", "build hsm with pugixml, and with -Dscxml=enabled");
}

} // namespace

const machine_format& format_for(const std::string& path) {
    if (const auto* const found = format_of_file(path)) return *found;
    const auto name = path.substr(path.rfind('/') + 1);
    const auto formats = machine_formats();
    if (!formats.empty() && (name == "-" || name.find('.') == name.npos)) return formats.front();
    if (name.ends_with(".scxml")) refuse_scxml(path);
    std::string known;
    for (const auto& f : formats) known += fmt::format("{}{}", known.empty() ? "" : ", ", f.extension);
    refuse_format(path, "its extension is not that of a machine file",
                  known.empty() ? "this program was built without pugixml and cannot read machines" : fmt::format("known extensions: {}", known));
}

const machine_format& format_to_read(const std::string& path, std::string_view text) {
    const auto* const named = format_of_file(path);
    if (named && is_scxml(*named)) return *named;
    if (!looks_like_scxml(text)) return format_for(path);
    if (const auto* const scxml = format_of_file("scxml")) return *scxml;
    refuse_scxml(path);
}

bool looks_like_scxml(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const auto pass = [&](std::string_view end) {
        const auto found = text.find(end);
        text.remove_prefix(found == text.npos ? text.size() : found + end.size());
    };
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
        if (text.starts_with("<!--"))
            pass("-->");
        else if (text.starts_with("<?"))
            pass("?>");
        else if (text.starts_with("<!"))
            pass(">");
        else
            break;
    }
    if (!text.starts_with('<')) return false;
    auto name = text.substr(1, text.find_first_of(" \t\r\n/>") - 1);
    name.remove_prefix(std::min(name.find(':') + 1, name.size()));
    return name == "scxml";
}

namespace {

/// Replaces the names of library options in messages by the options of the command line.
constexpr std::pair<std::string_view, std::string_view> option_names[] = {
    {"pass one in scxml_options::data_models", "pass --scripts"},
    {"set scxml_options::include_folder to a folder that hsm can read", "pass --includes FOLDER to name a folder that hsm can read"},
};

} // namespace

std::vector<message> messages_of(const std::vector<load_problem>& problems) {
    std::vector<message> all;
    for (const auto& p : problems) {
        auto& made = all.emplace_back(message_of(p));
        for (const auto& [api, option] : option_names)
            if (const auto at = made.hint.find(api); at != made.hint.npos) made.hint.replace(at, api.size(), option);
    }
    return all;
}

namespace {

class untyped_chart : public chart_base {
public:
    explicit untyped_chart(const chart_core* core) : chart_base(core) {}
};

} // namespace

void declare_file_options(option_list& takes, file_options& to) {
    takes.value("--over", "NAME", to.over,
                "The machine of this program whose context and names the file uses. Required if the program has several machines.");
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

loaded_file::loaded_file(const std::string& path, const file_options& how, unknown_names unknown, environment& here,
                         std::shared_ptr<simulation> shared)
    : name_(shown_file(path)), sim_(shared ? std::move(shared) : std::make_shared<simulation>()) {
    (void)format_for(path); // checks the format before reading
    text_ = read_input(path, here);
    format_ = &format_to_read(path, text_);
    over_ = machine_for_files(how.over, *format_, here);
    open_names open(*sim_);
    if (unknown == unknown_names::refused) open.refuse_undeclared();
    const bool simulates = !over_ || unknown == unknown_names::simulated;
    problems_ = messages_of(format_->load(text_, name_, {over_, simulates ? &open : nullptr, how}, root_));
    if (simulates) names_ = open.names();
}

chart_base loaded_file::compiled() {
    if (!problems_.empty()) throw command_error(problems_, exit_code_for(problems_));
    std::vector<finding> findings;
    const auto* const core = compile_tree(root_, {}, findings);
    for (const auto& f : findings) warnings_.push_back(message_of(f));
    if (core) return untyped_chart(core);
    throw command_error(warnings_, exit_code_for(warnings_));
}

machine_to_play::machine_to_play(const std::string& what, const file_options& how, environment& here) : path_(what), how_(how) {
    if (const auto* const known = how.over.empty() ? find_machine(what, here) : nullptr) {
        known_ = known;
        chart_ = known->chart();
        return;
    }
    file_ = std::make_unique<loaded_file>(what, how, unknown_names::simulated, here);
    known_ = file_->over();
    chart_ = file_->compiled();
}

owned<hsm::tool::session> session_of(const known_machine& known, const chart_base& chart) {
    if (auto made = known.play(chart)) return made;
    throw command_error(
        fmt::format("the context of \"{}\" cannot be created", known.name()),
        "in the program, call hsm::tool::machine::played_by with a function that returns a session; this session creates the context");
}

owned<hsm::tool::session> machine_to_play::fresh() const { return known_ ? session_of(*known_, *chart_) : file_->format().play(*chart_, sim()); }

void machine_to_play::watch() {
    if (!can_be_reloaded()) throw command_error("only a file can be reloaded", "pass a file, or remove --watch");
    watch_ = watch_file(path_);
}

std::optional<reload_report> machine_to_play::reload(hsm::tool::session& playing, environment& here) {
    if (!watch_ || playing.machine().busy() || !watch_->has_changed()) return {};
    auto next = std::make_unique<loaded_file>(path_, how_, unknown_names::simulated, here, file_->shared_sim());
    auto chart = next->compiled();
    auto report = playing.reload(reload_plan(*chart_, chart));
    *chart_ = std::move(chart);
    file_ = std::move(next);
    return report;
}

} // namespace hsm::detail::tool
