// If an allocation fails, a call that records, replays or goes back throws or has its usual result. After an exception nothing has changed,
// nothing is leaked, and a second call succeeds. A log stays readable, and its replay has the result of the run.
//
// Without memory: replay/input_log.hpp replay/rollback.hpp replay/shrink.hpp replay/sync_test.hpp

#include <hsm/crowd/crowd_mailbox.hpp>
#include <hsm/hsm.hpp>
#include <hsm/replay.hpp>
#include <hsm/replay/shrink.hpp>
#include <hsm/replay/sync_test.hpp>
#include <hsm/run/mailbox.hpp>
#include <hsm/save.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

using namespace std::chrono_literals;

namespace {

using test::memory::trial;
using test::memory::with_many_shortages;

constexpr const char* long_text = "a text that does not fit into a string itself";

struct note {
    std::string text = long_text;
};
template <class A> void serialize(A& archive, note& n) { archive("text", n.text); }
struct word {
    std::string text;
};
template <class A> void serialize(A& archive, word& w) { archive("text", w.text); }
struct hero {
    int life = 3;
    std::string title = long_text;
};
template <class A> void serialize(A& archive, hero& h) { archive("life", h.life)("title", h.title); }

hsm::chart<hero> hero_chart() {
    auto root = hsm::make_fsm<hero>("R");
    auto& idle = root->add("idle").defer<word>();
    auto& run = root->add<note>("run").on_update([](hero& h) { ++h.life; });
    idle.to(run).on("go");
    run.to(idle).on("rest").then([](hero& h) { h.title += h.title.substr(0, 20); });
    run.on<word>().then([](hero& h, const word& w) { h.title = w.text; });
    hsm::serializes<note, word>(*root);
    return hsm::compile(std::move(root));
}
const hsm::chart<hero>& chart() {
    static const auto made = hero_chart();
    return made;
}

/// What is recorded, and what replays it.
struct fixture {
    fixture() {
        kinds.add("hero", chart(), [this](std::string_view name) -> hero& { return heroes[std::string(name)]; });
        for (int i = 0; i < 3; ++i) ids.push_back(herd.add(hero{}));
        machines.create("one", chart(), heroes["one"]).start();
    }
    template <class Log> void attach_to(Log& log) {
        log.attach(agent, h);
        log.attach(herd);
        log.attach(machines, kinds);
    }
    void begin() {
        agent.start();
        agent.process("go");
        herd[ids[0]]->process("go");
        herd.tick(10ms);
    }
    void go_on() {
        agent.process("go");
        agent.tick(10ms);
        agent.process("rest");
        herd.tick(10ms);
        machines.update(10ms);
        machines.find("one")->process("go");
    }
    std::string picture() const { return hsm::save_document(agent, h) + hsm::save_document(herd) + hsm::save_document(machines, kinds); }

    hero h;
    hsm::instance<hero> agent{chart(), h, {.internal_queue = 4, .posted_queue = 4, .mailbox = 4}};
    hsm::crowd<hero> herd{chart(), {.agent = {.posted_queue = 2, .mailbox = 4}}};
    std::vector<hsm::agent_id> ids;
    std::map<std::string, hero, std::less<>> heroes;
    hsm::manager machines;
    hsm::machine_factory kinds;
};

std::vector<std::byte> recorded() {
    fixture w;
    hsm::input_log log({.calls_between = 3, .check_calls = true});
    w.attach_to(log);
    w.begin();
    w.go_on();
    w.agent.process(word{long_text});
    w.go_on();
    return log.bytes();
}

struct input {
    const char* what;
    void (*make)(fixture& w);
};
constexpr input inputs[] = {
    {"process", [](fixture& w) { w.agent.process("rest"); }},
    {"process an event with text", [](fixture& w) { w.agent.process(word{long_text}); }},
    {"post a name", [](fixture& w) { w.agent.post("rest"); }},
    {"tick", [](fixture& w) { w.agent.tick(10ms); }},
    {"mail", [](fixture& w) { w.agent.mailbox().post("rest"), w.agent.drain(); }},
    {"change_state", [](fixture& w) { w.agent.change_to("idle"); }},
    {"restart", [](fixture& w) { w.agent.restart(); }},
    {"stop", [](fixture& w) { w.agent.stop(); }},
    {"of an agent", [](fixture& w) { w.herd[w.ids[1]]->process("go"); }},
    {"mail of a crowd", [](fixture& w) { w.herd.mailbox().post(w.ids[0], "rest"), w.herd.tick(10ms); }},
    {"tick of a crowd", [](fixture& w) { w.herd.tick(10ms); }},
    {"add", [](fixture& w) { w.herd.add(hero{}); }},
    {"remove", [](fixture& w) { w.herd.remove(w.ids[2]); }},
    {"process of a crowd", [](fixture& w) { w.herd.process_all(word{long_text}); }},
    {"create", [](fixture& w) { w.machines.create("two", chart(), w.heroes["two"]); }},
    {"remove a machine", [](fixture& w) { w.machines.remove("one"); }},
    {"broadcast", [](fixture& w) { w.machines.broadcast("go"); }},
    {"update", [](fixture& w) { w.machines.update(10ms); }},
    {"of a machine", [](fixture& w) { w.machines.find("one")->process("go"); }},
};

} // namespace

TEST_CASE("a log in which an allocation fails replays to the state of the run") {
    for (const bool checks : {false, true})
        for (const auto& each : inputs) {
            CAPTURE(checks);
            CAPTURE(std::string(each.what));
            with_many_shortages([&](trial& t) {
                fixture w, again;
                std::vector<std::byte> bytes;
                std::string picture;
                {
                    hsm::input_log log({.calls_between = 1, .check_calls = checks});
                    w.attach_to(log);
                    w.begin();
                    t.attempt([&] { each.make(w); });
                    if (w.machines.has("one")) w.go_on();
                    bytes = log.bytes();
                    picture = w.picture();
                }
                hsm::replay played(bytes);
                again.attach_to(played);
                std::optional<hsm::log_difference> found;
                REQUIRE_NOTHROW(found = played.run());
                CHECK_MESSAGE(!found, (found ? found->to_string() : ""));
                CHECK(again.picture() == picture);
            });
        }
}

namespace {

struct call {
    const char* header;
    const char* what;
    void (*make)(fixture& w, hsm::replay& played);
};
constexpr call calls[] = {
    {"replay/replay.hpp", "seek", [](fixture&, hsm::replay& played) { played.seek(9); }},
    {"replay/replay.hpp", "seek back", [](fixture&, hsm::replay& played) { played.seek(2); }},
    {"replay/replay.hpp", "seek_frame", [](fixture&, hsm::replay& played) { played.seek_frame(1); }},
    {"replay/replay.hpp", "step", [](fixture&, hsm::replay& played) { played.step(); }},
    {"replay/replay.hpp", "check", [](fixture&, hsm::replay& played) { played.check(); }},
    {"replay/replay.hpp", "run", [](fixture&, hsm::replay& played) { played.run(); }},
};

} // namespace

TEST_CASE("a replay in which an allocation fails keeps its position, or the next call reaches it") {
    const auto log = recorded();
    for (const std::uint64_t from : {std::uint64_t(0), std::uint64_t(5), std::uint64_t(8)})
        for (const auto& each : calls) {
            CAPTURE(from);
            CAPTURE(std::string(each.what));
            std::string after;
            std::uint64_t at = 0;
            {
                fixture w;
                hsm::replay played(log);
                w.attach_to(played);
                played.seek(from);
                each.make(w, played);
                after = w.picture();
                at = played.call();
            }
            with_many_shortages([&](trial& t) {
                fixture w;
                hsm::replay played(log);
                w.attach_to(played);
                played.seek(from);
                const auto make_again = [&] { // without memory, the second call can fail on its way to the position
                    try {
                        each.make(w, played);
                    } catch (const std::bad_alloc&) {
                        each.make(w, played);
                    }
                };
                if (!t.attempt(make_again)) each.make(w, played);
                CHECK(played.call() == at);
                CHECK(w.picture() == after);
                CHECK_FALSE(played.run().has_value());
            });
        }
}

TEST_CASE("a replay is created and attached, and a log is attached and written, completely or not at all") {
    const auto log = recorded();
    with_many_shortages([&](trial& t) {
        fixture w;
        std::optional<hsm::replay> played;
        if (!t.attempt([&] { played.emplace(log); })) played.emplace(log);
        w.attach_to(*played);
        CHECK_FALSE(played->run().has_value());
    });
    with_many_shortages([&](trial& t) {
        fixture w;
        hsm::replay played(log);
        if (!t.attempt([&] { played.attach(w.agent, w.h); })) played.attach(w.agent, w.h);
        played.attach(w.herd);
        played.attach(w.machines, w.kinds);
        CHECK_FALSE(played.run().has_value());
    });
    with_many_shortages([&](trial& t) {
        fixture w;
        hsm::input_log noted;
        if (!t.attempt([&] { noted.attach(w.agent, w.h); })) noted.attach(w.agent, w.h);
        w.begin();
        CHECK(noted.calls() == 2);
    });
    with_many_shortages([&](trial& t) {
        fixture w;
        hsm::input_log noted;
        w.attach_to(noted);
        w.begin();
        std::vector<std::byte> bytes;
        if (!t.attempt([&] { bytes = noted.bytes(); })) bytes = noted.bytes();
        fixture again;
        hsm::replay played(bytes);
        again.attach_to(played);
        CHECK_FALSE(played.run().has_value());
        CHECK(again.picture() == w.picture());
    });
}

TEST_CASE("a rollback adds a machine with its context or not at all, and its frames stay complete") {
    with_many_shortages([](trial& t) {
        fixture w;
        hsm::rollback<hero> frames(2);
        if (!t.attempt([&] { frames.add(w.agent, w.h); })) {
            CHECK(frames.machines() == 0);
            CHECK(frames.contexts() == 0);
            frames.add(w.agent, w.h);
        }
        CHECK(frames.machines() == 1);
        CHECK(frames.contexts() == 1);
    });
    with_many_shortages([](trial& t) {
        fixture w;
        w.begin();
        hsm::rollback<hero> frames(2);
        frames.add(w.agent, w.h);
        w.h.title += long_text;
        frames.keep();
        const auto first = w.picture();
        w.agent.process("rest");
        frames.keep();
        const auto second = w.picture();
        w.agent.process("go");
        w.h.title += w.h.title + long_text;
        if (t.attempt([&] { frames.keep(); })) return;
        CHECK(frames.next() == 2);
        for (auto frame = frames.oldest(); frame != frames.next(); ++frame) CHECK(frames.has(frame));
        REQUIRE(frames.back_to(1));
        CHECK(w.picture() == second);
        if (frames.has(0)) {
            REQUIRE(frames.back_to(0));
            CHECK(w.picture() == first);
        }
    });
    with_many_shortages([](trial& t) {
        fixture w;
        w.begin();
        hsm::rollback<hero> frames(2);
        frames.add(w.agent, w.h);
        frames.keep();
        const auto first = w.picture();
        w.agent.process("rest");
        frames.keep();
        if (!t.attempt([&] { frames.back_to(0); })) CHECK(frames.back_to(0));
        CHECK(w.picture() == first);
    });
}

TEST_CASE("a log is shrunk completely, or the call throws") {
    std::vector<std::byte> log;
    {
        fixture w;
        hsm::input_log noted;
        noted.attach(w.agent, w.h);
        w.begin();
        for (int i = 0; i < 4; ++i) w.agent.tick(10ms);
        log = noted.bytes();
    }
    const auto fails = [](std::span<const std::byte> candidate) { return hsm::replay(candidate).calls() > 2; };
    const auto expected = hsm::shrink(log, fails);
    CHECK(hsm::replay(expected).calls() == 3);
    CHECK(with_many_shortages([&](trial& t) {
              std::vector<std::byte> shorter;
              const bool done = t.attempt([&] { shorter = hsm::shrink(log, fails); });
              CHECK(shorter == (done ? expected : std::vector<std::byte>()));
          }) > 10);
}

TEST_CASE("after a sync test in which an allocation failed, frames can be restored and played again") {
    for (const bool is_flawed : {false, true}) {
        CAPTURE(is_flawed);
        CHECK(with_many_shortages([&](trial& t) {
                  fixture w;
                  w.agent.start();
                  w.agent.process("go");
                  hsm::rollback<hero> frames(4);
                  frames.add(w.agent, w.h);
                  bool again = false;
                  const auto play = [&](std::uint64_t) { w.agent.tick(is_flawed && again ? 20ms : 10ms); };
                  frames.keep();
                  const auto first = w.picture();
                  for (int i = 0; i < 3; ++i) play(0), frames.keep();
                  const auto last = w.picture();
                  again = true;
                  std::optional<hsm::desync> found;
                  std::string text;
                  const bool done = t.attempt([&] {
                      found = hsm::sync_test(frames, 3, play);
                      if (found) text = found->to_string();
                  });
                  if (done) {
                      CHECK(text.empty() == !is_flawed);
                      return;
                  }
                  again = false;
                  REQUIRE(frames.back_to(0));
                  CHECK(w.picture() == first);
                  for (int i = 0; i < 3; ++i) play(0), frames.keep();
                  CHECK(w.picture() == last);
              }) > 10);
    }
}
