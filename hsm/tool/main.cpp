#include <hsm/tool/main.hpp>

#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/command_line.hpp>
#include <hsm/tool/detail/output_file.hpp>

#include <cerrno>

namespace hsm::detail::tool {

namespace {

int number_of(exit_code code) { return static_cast<int>(code); }

exit_code run(const std::vector<std::string>& words, environment& here) {
    auto commands = declare(all_commands());
    const auto line = parse(words, here.program, commands);
    if (line.run) return line.run->what->run(here);
    if (line.incomplete) {
        here.terminal.complain(line.print);
        return exit_code::failed;
    }
    here.terminal.print(line.print);
    return exit_code::fine;
}

} // namespace

int run_tool(const std::vector<std::string>& words, environment& here) {
    auto code = exit_code::failed;
    try {
        code = run(words, here);
    } catch (...) {
        const auto why = current_error();
        print_messages(why.messages(), here);
        code = why.code();
    }
    if (here.terminal.flush()) return number_of(code);
    if (here.terminal.error() == EPIPE) return number_of(exit_code::failed); // the reader has closed the pipe
    print_messages({{.text = "the output cannot be written: " + reason_of(here.terminal.error())}}, here);
    return number_of(exit_code::failed);
}

} // namespace hsm::detail::tool

namespace hsm::tool {

int main(int argc, const char* const* argv, std::span<const known_machine* const> machines) {
    hsm::detail::tool::console terminal(stdin, stdout, stderr);
    const std::string called = argc > 0 ? argv[0] : "hsm";
    hsm::detail::tool::environment here{terminal, called.substr(called.rfind('/') + 1), machines};
    return hsm::detail::tool::run_tool(argc > 0 ? std::vector<std::string>(argv + 1, argv + argc) : std::vector<std::string>(), here);
}

} // namespace hsm::tool
