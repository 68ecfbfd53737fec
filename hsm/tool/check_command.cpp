#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/machine_file.hpp>

#include <hsm/compile/check.hpp>
#include <hsm/op/detail/format.hpp>

namespace hsm::detail::tool {

namespace {

class check final : public command {
public:
    std::string_view name() const override { return "check"; }
    std::string_view summary() const override { return "report all problems of machines in files"; }
    std::vector<example> examples() const override {
        return {{"check monster.xml", "errors and warnings, each with its position and a hint"},
                {"check --format json monster.xml", "the same as a list of JSON objects"}};
    }
    std::string_view description() const override {
        return "An error means that the file cannot be loaded, or that its machine cannot be compiled. A file without errors can have warnings. The "
               "command assumes that the names of guards, hooks and delays are registered. If a file declares events, each undeclared event is an "
               "error; the "
               "same holds for bits. In a program with its own machines, the command reports names that the program has not registered.";
    }
    void declare(option_list& takes) override {
        takes.format(json_);
        takes.flag("--open", open_, "Accept names that are neither registered nor declared.");
        declare_file_options(takes, how_);
        how_.checks_scripts = true;
        takes.argument("FILE", files_, "Files with machines, or names of machines of this program; \"-\" is stdin.").required().machine_file();
    }
    exit_code run(environment& here) override {
        for (const auto& file : files_) look_at(file, here);
        print(here);
        return failed_ ? exit_code::failed : exit_code_for(found_);
    }

private:
    void look_at(const std::string& file, environment& here);
    void print(environment& here) const;

    bool json_ = false, open_ = false;
    file_options how_;
    std::vector<std::string> files_;
    std::vector<message> found_;
    bool failed_ = false; ///< a file could not be read
};

void check::look_at(const std::string& file, environment& here) try {
    if (const auto* const known = how_.over.empty() ? find_machine(file, here) : nullptr) {
        for (const auto& f : known->chart().warnings()) found_.push_back(message_of(f));
        return;
    }
    const loaded_file loaded(file, how_, open_ ? unknown_names::simulated : unknown_names::refused, here);
    for (const auto& m : loaded.problems()) found_.push_back(m);
    if (!loaded.root()) return;
    for (const auto& f : hsm::check(*loaded.root())) found_.push_back(message_of(f));
    for (auto& m : misspelt_names(loaded.names(), loaded.name())) found_.push_back(std::move(m));
} catch (const command_error& e) {
    for (const auto& m : e.messages()) found_.push_back(m);
    failed_ = failed_ || e.code() == exit_code::failed;
}

void check::print(environment& here) const {
    std::string text;
    if (json_) {
        for (const auto& m : found_) text += fmt::format("{}{}", text.empty() ? "[\n" : ",\n", to_json(m));
        text += text.empty() ? "[]\n" : "\n]\n";
    } else {
        for (const auto& m : found_) text += to_string(m, here.program, here.terminal, false);
        if (!found_.empty()) text += count_of(found_) + '\n';
    }
    here.terminal.print(text);
}

} // namespace

owned<command> check_command() { return make_owned<check>(); }

} // namespace hsm::detail::tool
