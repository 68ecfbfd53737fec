#include <hsm/tool/detail/commands.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/loaded_file.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/output_file.hpp>
#include <hsm/tool/detail/scxml_to_xml.hpp>

namespace hsm::detail::tool {

namespace {

class convert final : public command {
public:
    std::string_view name() const override { return "convert"; }
    std::string_view summary() const override { return "write the machine of a file to another file"; }
    std::string_view description() const override {
        return "The ends of the names say what kind of files they are. What is written is in the form that hsm itself writes, and means the same: "
               "so a file is brought into one form by converting it to itself. Between files of one kind comments, processing instructions and "
               "attributes of other namespaces go along.\n\n"
               "Between XML and SCXML not everything can be said: that is told, and nothing is written. With --lossy the rest is written, which is "
               "another machine then.";
    }
    std::vector<example> examples() const override {
        return {{"convert monster.xml clean.xml", "in the form that hsm writes"},
                {"convert monster.xml -", "the same, to stdout"},
                {"convert monster.xml monster.scxml", "as an SCXML document, if SCXML has words for all of it"}};
    }
    void declare(option_list& takes) override {
        takes.choice("--to", "FORMAT", to_, names_of_formats(),
                     "What to write; otherwise the end of the second name says it, or else it is as the first.");
        takes.flag("--lossy", lossy_, "What the other kind of file cannot say is told and left out.");
        declare_file_options(takes, how_);
        takes.argument("FROM", from_, "A file of a machine; - is stdin.").required().machine_file();
        takes.argument("INTO", into_, "Where to; - is stdout.").required().file();
    }
    exit_code run(surroundings& here) override;

private:
    static std::vector<std::string> names_of_formats() {
        std::vector<std::string> names;
        for (const auto& f : machine_formats())
            if (f.save) names.emplace_back(f.name);
        return names;
    }
    static std::string hint_for(const saved_machine& saved) { return saved.text.empty() ? "" : "--lossy writes the rest, which is another machine"; }
    const machine_format& target(const machine_format& source) const;

    std::string from_, into_, to_;
    file_options how_;
    bool lossy_ = false;
};

const machine_format& convert::target(const machine_format& source) const {
    if (!to_.empty()) return *format_of_file(to_);
    if (const auto* const named = format_of_file(into_); named && into_ != from_) return *named;
    const bool says_nothing = into_ == "-" || into_.find('.', into_.rfind('/') + 1) == std::string::npos;
    return into_ == from_ || says_nothing ? source : format_for(into_);
}

exit_code convert::run(surroundings& here) {
    const loaded_file loaded(from_, how_, unknown_names::simulated, here);
    const auto& source = loaded.format();
    const auto& wanted = target(source);
    if (!wanted.save) throw command_error(fmt::format("{} is read only: no machine can be written as it", wanted.name), "write another kind of file");
    if (!loaded.root()) throw command_error(loaded.problems(), exit_code_for(loaded.problems()));
    const bool has_unknown = has_unknown_markup(*loaded.root());
    const auto original = source.name == wanted.name ? std::string_view(loaded.text()) : std::string_view();
    const auto saved = wanted.save(*loaded.root(), original);
    auto losses = messages_of(saved.losses);
    const auto note = [&](std::string text) {
        losses.push_back({.kind = message_kind::note, .text = std::move(text), .where = {loaded.name(), 0, 0}});
    };
    const bool other_format = source.name != wanted.name;
    if (other_format && has_unknown) note("unknown attributes, and elements of other namespaces, are not converted");
    if (other_format && loaded.text().find("<!--") != std::string::npos) note("comments are not converted");
    const bool writes = saved.losses.empty() || (lossy_ && !saved.text.empty());
    if (writes)
        for (auto& l : losses)
            if (l.kind == message_kind::error) l.kind = message_kind::warning;
    tell(losses, here);
    if (!writes) throw command_error(fmt::format("nothing is written: {} cannot say all of that", wanted.name), hint_for(saved), exit_code::found);
    write_output(into_, saved.text, here);
    return exit_code::fine;
}

} // namespace

owned<command> convert_command() { return make_owned<convert>(); }

} // namespace hsm::detail::tool
