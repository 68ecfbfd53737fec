#include <hsm/tool/detail/command.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/output_file.hpp>

namespace hsm::detail::tool {

namespace {

class convert final : public command {
public:
    std::string_view name() const override { return "convert"; }
    std::string_view summary() const override { return "convert the machine in a file to another format"; }
    std::string_view description() const override {
        return "The file extensions select the formats. The output is the same machine in the form that hsm writes. To normalize a file, convert it "
               "to its own format. If both files have the same format, comments, processing instructions and attributes of other namespaces are "
               "kept.\n\n"
               "XML and SCXML cannot express all features of each other. The command reports such features and writes nothing. With --lossy, it "
               "writes the rest. The result is then a different machine.";
    }
    std::vector<example> examples() const override {
        return {{"convert monster.xml clean.xml", "the form that hsm writes"},
                {"convert monster.xml -", "the same, to stdout"},
                {"convert monster.xml monster.scxml", "an SCXML document, if SCXML can express the machine"}};
    }
    void declare(option_list& takes) override {
        takes.choice("--to", "FORMAT", to_, names_of_formats(),
                     "Output format. Default: from the extension of INTO; without an extension, the format of the input.");
        takes.flag("--lossy", lossy_, "Report features that the output format cannot express, and leave them out.");
        declare_file_options(takes, how_);
        takes.argument("FROM", from_, "A file with a machine; \"-\" is stdin.").required().machine_file();
        takes.argument("INTO", into_, "Output file; \"-\" is stdout.").required().file();
    }
    exit_code run(environment& here) override;

private:
    static std::vector<std::string> names_of_formats() {
        std::vector<std::string> names;
        for (const auto& f : machine_formats())
            if (f.save) names.emplace_back(f.name);
        return names;
    }
    static std::string hint_for(const saved_machine& saved) {
        return saved.text.empty() ? "" : "pass --lossy to write the rest, which is a different machine";
    }
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

exit_code convert::run(environment& here) {
    const loaded_file loaded(from_, how_, unknown_names::simulated, here);
    const auto& source = loaded.format();
    const auto& wanted = target(source);
    if (!wanted.save) throw command_error(fmt::format("the format {} cannot be written, only read", wanted.name), "choose another output format");
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
    print_messages(losses, here);
    if (!writes)
        throw command_error(fmt::format("nothing is written: {} cannot express the machine", wanted.name), hint_for(saved), exit_code::found);
    write_output(into_, saved.text, here);
    return exit_code::fine;
}

} // namespace

owned<command> convert_command() { return make_owned<convert>(); }

} // namespace hsm::detail::tool
