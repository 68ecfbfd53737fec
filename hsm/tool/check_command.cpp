#include <hsm/tool/detail/commands.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/output_file.hpp>

#include <hsm/compile/check.hpp>

#include <fmt/format.h>

namespace hsm::detail::tool {

namespace {

/// What messages call it by.
std::string shown(const std::string& path) { return path == "-" ? "(stdin)" : path; }

class check final : public command {
public:
    std::string_view name() const override { return "check"; }
    std::string_view summary() const override { return "tell everything that is wrong with machines in files"; }
    std::vector<example> examples() const override {
        return {{"check monster.xml", "errors and warnings, each with its place and what to do"},
                {"check --format json monster.xml", "the same as a list of objects, for other programs"}};
    }
    void declare(option_list& takes) override {
        takes.format(json_);
        takes.argument("FILE", files_, "Files of machines; - is stdin.").required().machine_file();
    }
    exit_code run(surroundings& here) override {
        for (const auto& file : files_) look_at(file, here);
        print(here);
        return exit_code_for(found_);
    }

private:
    void look_at(const std::string& file, surroundings& here);
    void print(surroundings& here) const;

    bool json_ = false;
    std::vector<std::string> files_;
    std::vector<message> found_;
};

void check::look_at(const std::string& file, surroundings& here) try {
    struct nothing {};
    const registry<nothing> names;
    owned<state_base> root;
    for (const auto& p : format_to_read(file).load(read_input(file, here), shown(file), names, {}, root)) found_.push_back(message_of(p));
    if (!root) return;
    for (const auto& f : hsm::check(*root)) found_.push_back(message_of(f));
} catch (const command_error& e) {
    for (const auto& m : e.messages()) found_.push_back(m);
}

void check::print(surroundings& here) const {
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
