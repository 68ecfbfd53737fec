// The commands of a program for which there is no memory: they have their usual result, report a problem, or throw, and the next command works.
//
// Without memory: tool/main.hpp tool/session.hpp

#include <tests/support/scarce_memory.hpp>
#include <tests/support/tool_run.hpp>

#include <hsm/hsm.hpp>
#include <hsm/replay/input_log.hpp>
#include <hsm/save/serialize.hpp>
#include <hsm/tool/main.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using test::memory::trial;
using test::memory::with_every_shortage;
using test::memory::with_many_shortages;

namespace {

struct house {
    int pushes = 0;
    std::string name = "a name that does not fit into a string itself";
    template <class A> friend void serialize(A& archive, house& h) { archive("pushes", h.pushes)("name", h.name); }
};

hsm::chart<house> make_door() {
    auto root = hsm::make_fsm<house>("door");
    auto& closed = root->add("closed");
    auto& open = root->add("open");
    closed.to(open).on("push").then(hsm::named("count", [](house& h) { ++h.pushes; }));
    open.to(closed).on("push");
    return hsm::compile(std::move(root));
}

std::string log_of_door() {
    const auto chart = make_door();
    house h;
    hsm::instance agent{chart, h};
    hsm::input_log log;
    log.attach(agent, h);
    agent.start();
    agent.process("push");
    agent.tick(16ms);
    return tool_run::text_of(log.bytes());
}

struct closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using stream = std::unique_ptr<std::FILE, closing>;

/// Runs a command in its own terminal.
class terminal {
public:
    explicit terminal(const std::string& in) {
        std::fwrite(in.data(), 1, in.size(), in_.get());
        std::rewind(in_.get());
    }
    int run(std::span<const hsm::tool::known_machine* const> machines, const std::vector<std::string>& words) {
        hsm::detail::tool::console console(in_.get(), out_.get(), err_.get());
        hsm::detail::tool::environment here{console, "door", machines};
        return hsm::detail::tool::run_tool(words, here);
    }
    std::string out() const { return tool_run::content_of(out_.get()); }
    std::string err() const { return tool_run::content_of(err_.get()); }

private:
    stream in_{std::tmpfile()}, out_{std::tmpfile()}, err_{std::tmpfile()};
};

} // namespace

TEST_CASE("a command for which there is no memory has its usual output, reports a problem or throws") {
    const tool_run::file log(log_of_door(), ".hsmlog");
    struct {
        std::vector<std::string> words;
        std::string in;
    } const commands[] = {
        {{"draw", "door"}, ""}, {{"run", "door"}, "event push\nevent push\n"}, {{"replay", log.path()}, ""}, {{"run", "nothing"}, ""}};
    const hsm::tool::machine door(make_door());
    const hsm::tool::known_machine* const list[] = {&door};
    for (const auto& command : commands) {
        CAPTURE(command.words);
        terminal usual(command.in);
        const auto code = usual.run(list, command.words);
        CHECK(code == (command.words[1] == "nothing" ? 2 : 0));
        with_many_shortages([&](trial& t) {
            std::optional<int> found;
            terminal screen(command.in), again(command.in);
            t.attempt([&] { found = screen.run(list, command.words); });
            if (found == 0) CHECK(screen.out() == usual.out());
            if (found && found != 0) CHECK(!screen.err().empty());
            CHECK(again.run(list, command.words) == code);
            CHECK(again.out() == usual.out());
            CHECK(again.err() == usual.err());
        });
    }
}

TEST_CASE("a session for which there is no memory is not created") {
    const auto chart = make_door();
    const hsm::tool::machine door(chart);
    CHECK(with_every_shortage([&](trial& t) {
              hsm::owned<hsm::tool::session> played;
              if (!t.attempt([&] { played = door.play(chart); })) played = door.play(chart);
              CHECK(played->start() == hsm::result::taken);
              hsm::input_log log;
              if (!t.attempt([&] { played->attach(log); })) played->attach(log);
              CHECK(played->process("push", {}) == hsm::result::taken);
              CHECK(log.calls() == 1);
          }) > 3);
}
