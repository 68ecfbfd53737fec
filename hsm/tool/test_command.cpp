#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/output_file.hpp>
#include <hsm/tool/detail/script.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/escape.hpp>

namespace hsm::detail::tool {

namespace {

struct test_outcome {
    std::string name;
    file_position where;
    std::vector<message> wrong;
};

class test_machine final : public command {
public:
    std::string_view name() const override { return "test"; }
    std::string_view summary() const override { return "run scripts as tests of a machine"; }
    std::string_view description() const override {
        return "Each test of each script begins with a fresh machine. A test fails at the first expectation that is not met. The command then prints "
               "the active states and the reason. docs/reference/script_format.md describes scripts.";
    }
    std::vector<example> examples() const override {
        return {{"test monster.xml monster.hsmtest", "one line for each test, and the number of failures"},
                {"test monster.xml *.hsmtest --format json", "the same as JSON"},
                {"test monster.xml monster.hsmtest --only \"gives up\"", "tests with this text in their names"}};
    }
    void declare(option_list& takes) override {
        takes.format(json_);
        takes.value("--only", "TEXT", only_, "Run only tests with this text in their names.");
        declare_file_options(takes, how_);
        takes.argument("FILE", file_, "A file with a machine, or the name of a machine of this program.").required().machine_file();
        takes.argument("SCRIPT", scripts_, "Test scripts; \"-\" is stdin.").required().file();
    }
    exit_code run(environment& here) override;

private:
    void play(const script& s, player& p, environment& here);
    void print_json(environment& here) const;
    void print_end(environment& here) const;

    bool json_ = false;
    std::string file_, only_;
    file_options how_;
    std::vector<std::string> scripts_;
    std::vector<test_outcome> done_;
    std::size_t failed_ = 0;
};

exit_code test_machine::run(environment& here) {
    const machine_to_play what(file_, how_, here);
    print_messages(what.warnings(), here);
    player p(what);
    std::vector<script> all; // if one script has errors, none is run
    std::vector<message> wrong;
    auto code = exit_code::found;
    for (const auto& path : scripts_) try {
            all.push_back(read_script(read_input(path, here), shown_file(path), p));
        } catch (const command_error& e) {
            wrong.insert(wrong.end(), e.messages().begin(), e.messages().end());
            if (e.code() == exit_code::failed) code = e.code();
        }
    if (!wrong.empty()) throw command_error(std::move(wrong), code);
    for (const auto& s : all) play(s, p, here);
    if (done_.empty()) throw command_error("no test was found", only_.empty() ? "" : fmt::format("no test has \"{}\" in its name", only_));
    if (json_)
        print_json(here);
    else
        print_end(here);
    return failed_ > 0 ? exit_code::found : exit_code::fine;
}

void test_machine::play(const script& s, player& p, environment& here) {
    for (const auto& t : s.tests) {
        if (t.name.find(only_) == t.name.npos) continue;
        done_.push_back({t.name, t.where, run_test(s, t, p)});
        const auto& done = done_.back();
        failed_ += !done.wrong.empty();
        if (json_) continue;
        const auto& terminal = here.terminal;
        here.terminal.print(
            fmt::format("{}  {}\n", done.wrong.empty() ? terminal.painted(style::green, "ok  ") : terminal.painted(style::red, "FAIL"), t.name));
        for (const auto& m : done.wrong) here.terminal.print(to_string(m, here.program, terminal, false));
    }
}

void test_machine::print_end(environment& here) const {
    const auto count = [](std::size_t n) { return fmt::format("{} test{}", n, n == 1 ? "" : "s"); };
    here.terminal.print(failed_ == 0 ? fmt::format("{}, all passed\n", count(done_.size()))
                                     : fmt::format("{}, {} failed\n", count(done_.size()), failed_));
}

void test_machine::print_json(environment& here) const {
    std::string text = "{\"tests\": [\n";
    for (const auto& t : done_) {
        text += fmt::format("{{\"name\": {}, \"file\": {}, \"line\": {}, \"passed\": {}", json_string(t.name), json_string(t.where.file),
                            t.where.line, t.wrong.empty());
        std::string messages;
        for (const auto& m : t.wrong) messages += fmt::format("{}{}", messages.empty() ? "" : ", ", to_json(m));
        text += fmt::format("{}}}{}\n", messages.empty() ? "" : ", \"messages\": [" + messages + "]", &t == &done_.back() ? "" : ",");
    }
    here.terminal.print(fmt::format("{}], \"passed\": {}, \"failed\": {}}}\n", text, done_.size() - failed_, failed_));
}

} // namespace

owned<command> test_command() { return make_owned<test_machine>(); }

} // namespace hsm::detail::tool
