#include <hsm/tool/detail/commands.hpp>
#include <hsm/tool/detail/loaded_file.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/output_file.hpp>

#include <fmt/format.h>

namespace hsm::detail::tool {

namespace {

class convert final : public command {
public:
    std::string_view name() const override { return "convert"; }
    std::string_view summary() const override { return "write the machine of a file to another file"; }
    std::string_view description() const override {
        return "The ends of the names say what kind of files they are. What is written is in the form that hsm itself writes, and means the same: "
               "so a file is brought into one form by converting it to itself. Between files of one kind comments, processing instructions and "
               "attributes of other namespaces go along.";
    }
    std::vector<example> examples() const override {
        return {{"convert monster.xml clean.xml", "in the form that hsm writes"}, {"convert monster.xml -", "the same, to stdout"}};
    }
    void declare(option_list& takes) override {
        takes.choice("--to", "FORMAT", to_, names_of_formats(),
                     "What to write; otherwise the end of the second name says it, or else it is as the first.");
        declare_over(takes, over_);
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
    const machine_format& target() const;

    std::string from_, into_, to_, over_;
};

const machine_format& convert::target() const {
    if (!to_.empty()) return *format_of_file(to_);
    if (const auto* const named = format_of_file(into_)) return *named;
    if (into_ == "-") return format_to_read(from_);
    return format_to_read(into_);
}

exit_code convert::run(surroundings& here) {
    const auto& source = format_to_read(from_);
    const auto& wanted = target();
    if (!wanted.save) throw command_error(fmt::format("{} is read only: no machine can be written as it", wanted.name), "write another kind of file");
    const loaded_file loaded(from_, over_, unknown_names::simulated, here);
    if (!loaded.root()) throw command_error(loaded.problems(), exit_code_for(loaded.problems()));
    const auto original = &source == &wanted ? std::string_view(loaded.text()) : std::string_view();
    write_output(into_, wanted.save(*loaded.root(), original), here);
    return exit_code::fine;
}

} // namespace

owned<command> convert_command() { return make_owned<convert>(); }

} // namespace hsm::detail::tool
