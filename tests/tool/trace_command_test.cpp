#include <tests/support/tool_run.hpp>

#include <hsm/hsm.hpp>
#include <hsm/observe/convert.hpp>
#include <hsm/observe/trace_reader.hpp>
#include <hsm/observe/trace_writer.hpp>
#include <hsm/replay/input_log.hpp>
#include <hsm/run/attachment.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>

using namespace std::chrono_literals;
using tool_run::called;
using tool_run::file;
using tool_run::replaced;

namespace {

struct house {};

hsm::chart<house> make_door() {
    auto root = hsm::make_fsm<house>("door");
    auto& closed = root->add("closed");
    auto& open = root->add_fsm("open");
    auto& ajar = open.add("ajar");
    auto& wide = open.add("wide");
    closed.to(open).on("push");
    ajar.to(wide).on("push");
    open.to(closed).on("pull");
    return hsm::compile(std::move(root));
}

constexpr auto kinds = hsm::state_records | hsm::record_kind::call | hsm::record_kind::event | hsm::record_kind::transition;

/// Returns the trace of two doors; the second one is pushed `pushes` times.
std::string trace_of(int pushes = 1, bool closed = true) {
    std::string bytes;
    hsm::string_sink sink(bytes);
    hsm::trace_writer writer(sink);
    hsm::trace_writer::track front(writer, "front"), back(writer, "back");
    const auto chart = make_door();
    house h;
    hsm::instance a{chart, h}, b{chart, h};
    const auto one = a.attach(front, kinds), two = b.attach(back, kinds);
    a.start();
    b.start();
    a.tick(500ms);
    a.process("push");
    a.tick(500ms);
    for (int i = 0; i < pushes; ++i) b.process("push");
    a.process("pull");
    if (closed)
        writer.close();
    else
        writer.flush();
    const auto made = bytes; // a copy, because the writer's destructor closes it
    return made;
}

std::string log_of(int ticks) {
    const auto chart = make_door();
    house h;
    hsm::instance agent{chart, h};
    hsm::input_log log;
    log.attach(agent, h);
    agent.start();
    for (int i = 0; i < ticks; ++i) agent.tick(16ms);
    agent.process("push");
    agent.change_to("closed");
    agent.stop();
    return tool_run::text_of(log.bytes());
}

constexpr auto end_of_time = hsm::time_span::from_nanoseconds(INT64_MAX);

} // namespace

TEST_CASE("times of a log and of all machines of a trace end at the last nanosecond") {
    const auto chart = make_door();
    house h;
    hsm::instance a{chart, h}, b{chart, h};
    hsm::input_log log;
    log.attach(a, h);
    std::string bytes;
    hsm::string_sink sink(bytes);
    hsm::trace_writer writer(sink);
    hsm::trace_writer::track front(writer, "front"), back(writer, "back");
    const auto one = a.attach(front, kinds), two = b.attach(back, kinds);
    for (auto* const door : {&a, &b}) {
        door->start();
        for (int i = 0; i < 2; ++i) door->tick(end_of_time);
        door->stop();
    }
    writer.close();
    const auto noted = log.bytes();
    const file inputs({reinterpret_cast<const char*>(noted.data()), noted.size()}), trace(bytes);
    CHECK(called({"trace", "show", inputs.path(), "-k", "stop"}).out == "9223372036.854776  stop\n");
    CHECK(called({"trace", "stats", trace.path()}).out.starts_with("door: 2 machines, 9223372036.854776 s\n"));
    CHECK(called({"trace", "stats", "--format", "json", trace.path()}).out.find("\"machines\": 2, \"time\": 9223372036854775807,") !=
          std::string::npos);
}

TEST_CASE("trace show: prints one record per line") {
    const file f(trace_of());
    const auto done = called({"trace", "show", f.path()});
    CHECK(done.code == 0);
    CHECK(done.err == "");
    CHECK(done.out.starts_with("    0.000000  the trace of this machine begins\n    0.000000    active (attached): nothing\n"));
    CHECK(done.out.find("    0.500000  front         transition closed -> open on push (event)\n") != std::string::npos);
    CHECK(done.out.find("    0.000000  back          entered door/open/ajar\n") != std::string::npos);
}

TEST_CASE("trace show: options select records") {
    const file f(trace_of());
    CHECK(called({"trace", "show", f.path(), "-k", "transition", "-m", "front"}).out ==
          R"(    0.000000  front         transition nowhere -> door (start)
    0.500000  front         transition closed -> open on push (event)
    1.000000  front         transition open -> closed on pull (event)
)");
    CHECK(called({"trace", "show", f.path(), "-k", "entered", "-s", "open", "--machine", "1"}).out == R"(    0.000000  back          entered door/open
    0.000000  back          entered door/open/ajar
)");
    CHECK(called({"trace", "show", f.path(), "-k", "exited", "--from", "600ms", "--to", "1s"}).out ==
          R"(    1.000000  front         exited door/open/ajar
    1.000000  front         exited door/open
)");
    CHECK(called({"trace", "show", f.path(), "-k", "event", "-n", "1"}).out == "    0.500000  front         event push (call)\n");
    const auto nothing = called({"trace", "show", f.path(), "-k", "error"});
    CHECK(nothing.code == 0);
    CHECK(nothing.out == "");
    CHECK(replaced(nothing.err, f.path(), "t") == "t: note: no record matches the options\n");
}

TEST_CASE("trace show: JSON output has one object per line") {
    const file f(trace_of());
    CHECK(called({"trace", "show", f.path(), "-k", "event", "--format", "json", "-m", "front"}).out ==
          "{\"machine\": \"front\", \"time\": 500000000, \"kind\": \"event\", \"text\": \"event push (call)\"}\n"
          "{\"machine\": \"front\", \"time\": 1000000000, \"kind\": \"event\", \"text\": \"event pull (call)\"}\n");
}

TEST_CASE("trace show: prints an input log, with numbers unless the program has the chart") {
    const file f(log_of(2));
    const auto done = called({"trace", "show", f.path()});
    CHECK(done.code == 0);
    CHECK(done.out == R"(    0.000000  start
    0.016000  tick of 0.016 s
    0.032000  tick of 0.016 s
    0.032000  process event 2, 0 bytes
    0.032000  change_to state 1
    0.032000  stop
)");
    CHECK(replaced(done.err, f.path(), "l") ==
          "l: note: 1 machine, 6 calls, 2 frames, 2 keyframes; without the chart, states, conditions and events are numbers\n");
    const hsm::tool::machine door(make_door());
    const auto known = tool_run::hsm_with({&door}, {"trace", "show", f.path(), "-k", "change_to"});
    CHECK(known.out == "    0.032000  change_to door/closed\n");
    CHECK(called({"trace", "show", f.path(), "--state", "closed"}).code == 2);
}

TEST_CASE("trace show: reads stdin") {
    CHECK(called({"trace", "show", "-", "-k", "event", "-n", "1"}, trace_of()).out == "    0.500000  front         event push (call)\n");
}

TEST_CASE("trace show: reports invalid files and options") {
    const auto whole = trace_of();
    const file cut(whole.substr(0, whole.size() - 20)), open(trace_of(1, false)), garbage("MZ\x90\0\3"), empty("");
    const auto broken = called({"trace", "show", cut.path()});
    CHECK(broken.code == 1);
    CHECK(broken.err.find("[HSM-334]") != std::string::npos);
    const auto unclosed = called({"trace", "show", open.path()});
    CHECK(unclosed.code == 0);
    CHECK(replaced(unclosed.err, open.path(), "t") == "t: note: the trace was not closed: its end can be missing\n");
    CHECK(called({"trace", "show", garbage.path()}).code == 2);
    CHECK(called({"trace", "show", empty.path()}).err.find("[HSM-332]") != std::string::npos);
    CHECK(called({"trace", "show", "/no/such"}).err == "/no/such: error: it cannot be read: no such file or directory [HSM-301]\n");
    CHECK(called({"trace", "show", "/tmp"}).err == "/tmp: error: it cannot be read: it is a directory [HSM-301]\n");
    const file good(whole), half_log(log_of(20).substr(0, 60));
    CHECK(called({"trace", "show", good.path(), "-k", "transitoin"}).err ==
          "hsm: error: there is no kind of records \"transitoin\"\n    did you mean \"transition\"?\n");
    CHECK(called({"trace", "show", good.path(), "--from", "soon"}).err ==
          "hsm: error: --from takes a time, but \"soon\" is not a time\n    write a time like 500ms, 1.5s or 2min\n");
    const auto half = called({"trace", "show", half_log.path()});
    CHECK(half.code == 1);
    CHECK(half.err.find("[HSM-372]") != std::string::npos);
}

TEST_CASE("trace convert: selects the library's format by the extension or an option") {
    const auto bytes = trace_of();
    const file f(bytes);
    const auto expected = [&](auto write) {
        std::string text;
        hsm::memory_source source(bytes);
        hsm::trace_reader reader(source);
        hsm::string_sink sink(text);
        write(reader, sink);
        return text;
    };
    const file json("old", ".json"), perfetto("old", ".pftrace"), lines("old", ".jsonl");
    for (const auto* const into : {&json, &perfetto, &lines}) CHECK(called({"trace", "convert", f.path(), "-o", into->path()}).code == 0);
    CHECK(tool_run::read(json.path()) == expected(hsm::write_chrome_trace));
    CHECK(tool_run::read(perfetto.path()) == expected(hsm::write_perfetto_trace));
    CHECK(tool_run::read(lines.path()) == expected(hsm::write_json_lines));
    CHECK(called({"trace", "convert", f.path(), "-o", "-", "--to", "jsonl"}).out == expected(hsm::write_json_lines));
}

TEST_CASE("trace convert: an error keeps the old file") {
    const auto bytes = trace_of();
    const file f(bytes), cut(bytes.substr(0, bytes.size() - 20)), into("old", ".json");
    CHECK(called({"trace", "convert", cut.path(), "-o", into.path()}).code == 1);
    CHECK(tool_run::read(into.path()) == "old");
    CHECK(called({"trace", "convert", f.path(), "-o", "/dev/full", "--to", "jsonl"}).err ==
          "/dev/full: error: it cannot be written: the disk is full\n");
    const auto unclear = called({"trace", "convert", f.path(), "-o", "x.foo"});
    CHECK(unclear.code == 2);
    CHECK_FALSE(std::filesystem::exists("x.foo"));
    CHECK(called({"trace", "convert", f.path()}).err.starts_with("hsm: error: --output is required\n"));
}

TEST_CASE("trace diff: reports equality, or the first difference with its neighbors") {
    const file a(trace_of()), b(trace_of()), c(trace_of(2));
    const auto same = called({"trace", "diff", a.path(), b.path()});
    CHECK(same.code == 0);
    CHECK(same.out.starts_with("equal: "));
    const auto other = called({"trace", "diff", a.path(), c.path(), "-k", "transition", "-C", "1"});
    CHECK(other.code == 1);
    CHECK(replaced(replaced(other.out, a.path(), "a"), c.path(), "c") == R"(--- a
+++ c
first difference in line 5:
      0.000000  back        transition closed -> open on push (event)
-     1.000000  front       transition open -> closed on pull (event)
- (its end)
+     0.000000  back        transition ajar -> wide on push (event)
+     1.000000  front       transition open -> closed on pull (event)
+ (its end)
)");
    const auto json = called({"trace", "diff", a.path(), c.path(), "-k", "transition", "--format", "json"});
    CHECK(json.code == 1);
    CHECK(json.out == "{\"equal\": false, \"line\": 5, \"first\": {\"machine\": \"front\", \"time\": 1000000000, \"kind\": \"transition\", \"text\": "
                      "\"transition open -> closed on pull (event)\"}, \"second\": {\"machine\": \"back\", \"time\": 0, \"kind\": \"transition\", "
                      "\"text\": \"transition ajar -> wide on push (event)\"}}\n");
}

TEST_CASE("trace diff: compares logs, and can ignore times") {
    const file a(log_of(2)), b(log_of(3));
    CHECK(called({"trace", "diff", a.path(), b.path()}).code == 1);
    CHECK(called({"trace", "diff", a.path(), b.path(), "-k", "process", "--ignore-times"}).out == "equal: 1 lines\n");
    CHECK(called({"trace", "diff", a.path(), "/no/such"}).code == 2);
}

TEST_CASE("trace stats: prints a tree of states, then transitions") {
    const file f(trace_of());
    const auto done = called({"trace", "stats", f.path()});
    CHECK(done.code == 0);
    CHECK(done.out == R"(door: 2 machines, 1.000000 s

state        visits            time                 longest
door              2      1.000000 s  100.0%      1.000000 s
  closed          3      0.500000 s   50.0%      0.500000 s
  open            2      0.500000 s   50.0%      0.500000 s
    ajar          2      0.500000 s   50.0%      0.500000 s
    wide          -

    taken  transition
        2  closed -> open on push (event)
        2  start
        1  open -> closed on pull (event)
)");
    const auto json = called({"trace", "stats", f.path(), "--format", "json"});
    CHECK(
        json.out.starts_with("[{\"chart\": \"door\", \"machines\": 2, \"time\": 1000000000, \"states\": [\n  {\"state\": \"door\", \"visits\": 2,"));
    CHECK(called({"trace", "stats", "/no/such"}).code == 2);
}

TEST_CASE("trace show: prints changes of timers in a log") {
    auto root = hsm::make_fsm<house>("door");
    auto& open = root->add("open");
    open.to(root->add("closed")).after(1s).label("spring");
    const auto chart = hsm::compile(std::move(root));
    house h;
    hsm::instance agent{chart, h};
    hsm::input_log log;
    log.attach(agent, h);
    agent.start();
    agent.set_time_left("spring", 1500ms);
    agent.restart_timer("spring");
    agent.cancel_timer("spring");
    const file f(tool_run::text_of(log.bytes()));
    CHECK(called({"trace", "show", f.path(), "-k", "set_timer"}).out == "    0.000000  set_timer: set of timer 0 to 1.5 s\n"
                                                                        "    0.000000  set_timer: restart of timer 0\n"
                                                                        "    0.000000  set_timer: cancel of timer 0\n");
}
