#include <hsm/tool/detail/command_line.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/machine_file.hpp>

#include <map>

namespace hsm::detail::tool {

namespace {

/// Returns the name of a shell function for `name`.
std::string identifier(std::string_view name) {
    std::string out = "_";
    for (const char c : name) out += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
    return out;
}

/// Returns the names in "-o,--output", separated by spaces.
std::string option_words(std::string names) {
    for (auto& c : names)
        if (c == ',') c = ' ';
    return names;
}

std::string files_like_machines() {
    std::string found;
    for (const auto& f : machine_formats()) found += fmt::format("$(compgen -f -X '!*{}' -- \"$word\") ", f.extension);
    if (found.empty()) found = "$(compgen -f -- \"$word\") ";
    return fmt::format("compopt -o filenames; COMPREPLY=({}$(compgen -d -- \"$word\"))", found);
}

std::string offered(const option& o) {
    switch (o.offers) {
    case completion::files: return "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\"))";
    case completion::machine_files: return files_like_machines();
    case completion::choices: return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\"))", joined(o.choices, " "));
    case completion::nothing: return "COMPREPLY=()";
    }
    return {};
}

std::string case_of(const declared_command& c) {
    std::string options = "-h --help", values, files = "COMPREPLY=()";
    for (const auto& o : c.takes.all()) {
        if (o.is_argument()) {
            files = offered(o);
            continue;
        }
        options += ' ' + option_words(o.names);
        if (o.value.empty()) continue;
        std::string pattern;
        for (const char letter : o.names) pattern += letter == ',' ? std::string("|") : std::string(1, letter);
        values += fmt::format("                {}) {}; return ;;\n", pattern, offered(o));
    }
    auto text = fmt::format("        '{}')\n", c.what->name());
    if (!values.empty()) text += fmt::format("            case $before in\n{}            esac\n", values);
    return text + fmt::format("            if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '{}' -- \"$word\")); else {}; fi ;;\n", options, files);
}

std::string bash_of(const std::string& program, const std::vector<declared_command>& commands) {
    std::map<std::string, std::string> groups; // the first words, each with the possible second words
    for (const auto& c : commands) {
        const auto name = std::string(c.what->name());
        const auto space = name.find(' ');
        auto& seconds = groups[name.substr(0, space)];
        if (space != name.npos) seconds += (seconds.empty() ? "" : " ") + name.substr(space + 1);
    }
    std::string firsts, nested, cases;
    for (const auto& [first, seconds] : groups) {
        firsts += (firsts.empty() ? "" : " ") + first;
        if (!seconds.empty()) nested += fmt::format("        {}) seconds='{}' ;;\n", first, seconds);
    }
    for (const auto& c : commands) cases += case_of(c);
    const auto function = identifier(program);
    return fmt::format(R"(# Completion of {0} for bash: source this file, or see bash-completion.
{1}() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}} seconds=
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W '{2} -h --help -V --version' -- "$word"))
        return
    fi
    case $command in
{3}        *) ;;
    esac
    if [[ $seconds ]]; then
        if ((COMP_CWORD == 2)); then
            COMPREPLY=($(compgen -W "$seconds -h --help" -- "$word"))
            return
        fi
        command="$command ${{COMP_WORDS[2]}}"
    fi
    case $command in
{4}    esac
}}
complete -F {1} {0}
)",
                       program, function, firsts, nested, cases);
}

class completion_of final : public command {
public:
    std::string_view name() const override { return "completion"; }
    std::string_view summary() const override { return "print a script for command-line completion"; }
    std::vector<example> examples() const override {
        return {{"completion bash > ~/.local/share/bash-completion/completions/hsm", "completion of hsm commands in bash"}};
    }
    void declare(option_list& takes) override {
        auto& shell = takes.argument("SHELL", shell_, "The shell.");
        shell.choices = {"bash"};
        shell.offers = completion::choices;
        shell.required();
    }
    exit_code run(environment& here) override {
        here.terminal.print(bash_of(here.program, declare_all()));
        return exit_code::fine;
    }

private:
    static std::vector<declared_command> declare_all() { return tool::declare(all_commands()); }

    std::string shell_;
};

} // namespace

owned<command> completion_command() { return make_owned<completion_of>(); }

} // namespace hsm::detail::tool
