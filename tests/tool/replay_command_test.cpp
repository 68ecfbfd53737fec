#include <tests/support/tool_run.hpp>

#include <hsm/hsm.hpp>
#include <hsm/replay/input_log.hpp>
#include <hsm/save/serialize.hpp>

#include <doctest/doctest.h>

#include <chrono>

using namespace std::chrono_literals;
using tool_run::called;
using tool_run::file;
using tool_run::replaced;

namespace {

int push_strength = 1; ///< changes the program's behavior

struct house {
    int pushes = 0;
    template <class A> friend void serialize(A& archive, house& h) { archive("pushes", h.pushes); }
};

hsm::chart<house> make_door(const char* name = "door") {
    auto root = hsm::make_fsm<house>(name);
    auto& closed = root->add("closed");
    auto& open = root->add("open");
    closed.to(open).on("push").then(hsm::named("count", [](house& h) { h.pushes += push_strength; }));
    open.to(closed).on("push");
    return hsm::compile(std::move(root));
}

std::string log_of(const char* name = "door") {
    const auto chart = make_door(name);
    house h;
    hsm::instance agent{chart, h};
    hsm::input_log log({.calls_between = 4});
    log.attach(agent, h);
    agent.start();
    for (int i = 0; i < 3; ++i) {
        agent.tick(16ms);
        agent.process("push");
    }
    agent.tick(16ms);
    return tool_run::text_of(log.bytes());
}

class described_session final : public hsm::tool::session_over<house> {
public:
    using session_over::session_over;
    std::string describe() const override { return "a house"; }
};

tool_run::outcome with_door(const std::vector<std::string>& words, const std::string& in = {}) {
    hsm::tool::machine door(make_door());
    door.played_by([](const hsm::chart<house>& c) { return hsm::owned<hsm::tool::session>(hsm::make_owned<described_session>(c)); });
    return tool_run::hsm_with({&door}, words, in);
}

} // namespace

TEST_CASE("a log replays as it was recorded") {
    const file f(log_of());
    const auto done = with_door({"replay", f.path()});
    CHECK(done.code == 0);
    CHECK(done.err == "");
    CHECK(done.out == "8 calls, 4 frames: the replay equals the log\n");
    CHECK(with_door({"replay", f.path(), "--format", "json"}).out == "{\"equal\": true, \"calls\": 8, \"frames\": 4}\n");
    CHECK(with_door({"replay", "-"}, log_of()).code == 0);
}

TEST_CASE("replay reports where the program differs from the log") {
    const file f(log_of());
    push_strength = 2;
    const auto done = with_door({"replay", f.path()}), json = with_door({"replay", f.path(), "--format", "json"});
    push_strength = 1;
    CHECK(done.code == 1);
    CHECK(done.out.find("pushes") != std::string::npos);
    CHECK(done.out.find("a house") != std::string::npos);
    CHECK(json.code == 1);
    CHECK(json.out.starts_with("{\"equal\": false, \"call\": "));
}

TEST_CASE("replay stops at a frame or a call, and prints the active states") {
    const file f(log_of());
    CHECK(with_door({"replay", f.path(), "--frame", "1"}).out == "before call 3 of 8, frame 1 of 4\n  door/open\n  a house\n");
    CHECK(with_door({"replay", f.path(), "--call", "0"}).out == "before call 0 of 8, frame 0 of 4\n  not active\n  a house\n");
    CHECK(with_door({"replay", f.path(), "--call", "5", "--format", "json"}).out ==
          "{\"call\": 5, \"frame\": 2, \"active\": [\"door/closed\"], \"context\": \"a house\"}\n");
}

TEST_CASE("replay writes a trace") {
    const file f(log_of()), trace("old");
    CHECK(with_door({"replay", f.path(), "--trace", trace.path()}).code == 0);
    const auto shown = called({"trace", "show", trace.path(), "-k", "transition"});
    CHECK(shown.out == R"(    0.000000    transition nowhere -> door (start)
    0.016000    transition closed -> open on push / count (event)
    0.032000    transition open -> closed on push (event)
    0.048000    transition closed -> open on push / count (event)
)");
    CHECK(with_door({"replay", f.path(), "--trace", "/dev/full"}).err == "/dev/full: error: it cannot be written: the disk is full\n");
}

TEST_CASE("replay refuses logs of other machines, and files that are not logs") {
    const file good(log_of()), other(log_of("gate")), garbage("no log"), half(log_of().substr(0, 100)), empty("");
    const auto without_machines = called({"replay", good.path()});
    CHECK(without_machines.code == 2);
    CHECK(without_machines.err.starts_with("hsm: error: this program has no machines; only a program with the chart can replay a log\n"));
    const auto foreign = with_door({"replay", other.path()});
    CHECK(foreign.code == 1);
    CHECK(
        replaced(foreign.err, other.path(), "l") ==
        "l: error: no machine of this program has the chart of the log [HSM-373]\n    check whether the definition was changed; known names: door\n");
    CHECK(with_door({"replay", other.path(), "--machine", "door"}).code == 1);
    CHECK(with_door({"replay", good.path(), "--machine", "gate"}).err ==
          "hsm: error: there is no machine \"gate\" in this program\n    known names: door\n");
    CHECK(with_door({"replay", garbage.path()}).code == 2);
    CHECK(with_door({"replay", garbage.path()}).err.find("[HSM-371]") != std::string::npos);
    CHECK(with_door({"replay", empty.path()}).code == 2);
    CHECK(with_door({"replay", half.path()}).err.find("[HSM-372]") != std::string::npos);
    CHECK(with_door({"replay", "/no/such"}).code == 2);
    CHECK(with_door({"replay", "/tmp"}).err == "/tmp: error: it cannot be read: it is a directory [HSM-301]\n");
}
