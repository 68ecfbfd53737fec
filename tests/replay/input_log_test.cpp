#include <hsm/replay/input_log.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/op/input.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/replay/replay.hpp>
#include <hsm/replay/shrink.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/mailbox.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/machine_factory.hpp>
#include <tests/save/fighter.hpp>

#include <doctest/doctest.h>

#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using hsm::result;
using test::hit;
using test::shout;
using test::stance;

namespace {

struct body {
    int life = 100;
    std::string last;
    int held = 0; ///< a button, from outside
    body* other = nullptr;
    hsm::instance<body>* of_other = nullptr; ///< who is struck
    bool flawed = false;                     ///< a value that no save contains interferes
};
template <class A> void serialize(A& archive, body& b) { archive("life", b.life)("last", b.last)("held", b.held); }

/// Two machines that strike each other, with something of everything.
hsm::chart<body> body_chart() {
    auto root = hsm::make_fsm<body>("body");
    auto& idle = root->add("idle").defer<shout>();
    auto& slash = root->add("slash").min_duration(30ms).local<test::combo>();
    auto& tired = root->add("tired");
    idle.to(slash).on<hit>().then([](body& b, const hit& h) {
        b.life -= h.power;
        if (b.of_other) b.of_other->process(stance::low); // a call that no log has to note
    });
    slash.on_update([](body& b, test::combo& c) { c.hits += b.held + (b.flawed ? 1 : 0); });
    slash.to(idle).on<shout>().then([](body& b, const shout& s) { b.last = s.word; });
    slash.to(tired).after([](const body& b) { return b.life % 2 ? 200ms : 100ms; }).label("tire");
    tired.to(idle).when("Fresh");
    tired.on("fail").then([] { throw std::runtime_error("too tired"); });
    root->on(stance::low).then([](body& b) { --b.life; });
    hsm::serializes<test::combo, shout>(*root);
    return hsm::compile(std::move(root));
}

struct arena {
    hsm::chart<body> chart = body_chart();
    body a, b;
    hsm::instance<body> first{chart, a, {.mailbox = 8}}, second{chart, b, {.mailbox = 8}};

    arena() { a.of_other = &second; }
    /// A log, or a replay.
    template <class Log> void attach_to(Log& log) {
        log.attach(first, a);
        log.attach(second, b);
    }
    /// Whatever can come from outside.
    void play(std::minstd_rand& random, hsm::input_log* log = nullptr) {
        auto& agent = random() % 3 ? first : second;
        const auto ignore = [](const auto& call) {
            try {
                call();
            } catch (const std::exception&) {
            }
        };
        switch (random() % 25) {
        case 0: agent.process(hit{static_cast<int>(random() % 5)}); break;
        case 1: agent.process(shout{"a word that needs memory of its own"}); break;
        case 2: agent.post(shout{"later"}); break;
        case 3: agent.post(hit{1}); break;
        case 4: agent.set("Fresh", random() % 2); break;
        case 5: agent.pulse("Fresh"); break;
        case 6: agent.clear(); break;
        case 7: agent.change_to("tired"); break;
        case 8: agent.force_to("idle"); break;
        case 9: agent.finish(); break;
        case 10: agent.release(); break;
        case 11: agent.pause(); break;
        case 12: agent.resume(); break;
        case 13: agent.set_time_scale(random() % 2 ? 1 : 0.5); break;
        case 14:
            agent.mailbox().post(shout{"by mail"});
            agent.set("Fresh", false); // it is noted with the next call
            break;
        case 15: agent.drain(); break;
        case 16: agent.decide(); break;
        case 17: agent.update(7ms); break;
        case 18: random() % 4 ? agent.restart() : agent.stop(); break;
        case 19: agent.start(); break;
        case 20: ignore([&] { agent.process("fail"); }); break;
        case 21: random() % 4 ? agent.set_state("slash") : agent.reset(); break;
        case 22: agent.process("unexpected"); break;
        case 23: {
            const auto held = static_cast<int>(random() % 3);
            if (log) log->note(held);
            a.held = b.held = held;
            break;
        }
        case 24:
            agent.set_time_left("tire", random() % 2 ? 5ms : -1ms);
            if (random() % 2) agent.restart_timer("tire");
            if (random() % 4 == 0) agent.cancel_timer("tire");
            break;
        }
        if (random() % 2) first.tick(16ms), second.tick(16ms);
    }
    std::string text() const {
        return first.path_of_leaves() + ' ' + std::to_string(a.life) + a.last + ", " + second.path_of_leaves() + ' ' + std::to_string(b.life) +
               b.last + ' ' + std::to_string(hsm::hash(first)) + ' ' + std::to_string(hsm::hash(second));
    }
};
void take_notes(hsm::replay& again, arena& r) {
    again.on_note<int>([&r](int held) { r.a.held = r.b.held = held; });
}

} // namespace

TEST_CASE("all calls of the program are replayed, from the beginning and from any moment") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        arena r;
        hsm::input_log log({.calls_between = 16, .check_calls = seed % 2 == 0});
        r.attach_to(log);
        r.first.start(); // the first keyframe is before it
        std::minstd_rand random(seed);
        std::vector<std::string> seen;
        std::vector<std::uint64_t> at;
        for (int i = 0; i < 200; ++i) {
            r.play(random, &log);
            seen.push_back(r.text());
            at.push_back(log.calls());
        }
        const auto bytes = log.bytes();

        arena s;
        hsm::replay again(bytes);
        s.attach_to(again);
        take_notes(again, s);
        CHECK(again.calls() == log.calls());
        CHECK(again.frames() == log.frames());
        const auto found = again.run();
        CHECK_MESSAGE(!found, (found ? found->to_string() : ""));
        CHECK(s.text() == seen.back());
        for (int i = 0; i < 20; ++i) {
            const auto n = random() % seen.size();
            again.seek(at[n]);
            CHECK(again.call() == at[n]);
            CHECK(s.text() == seen[n]);
        }
    }
}

namespace {
/// Waits for names, and for all that begin so where some do. A listener keeps what each brought along.
struct listener {
    std::string heard;
};
template <class A> void serialize(A& archive, listener& l) { archive("heard", l.heard); }

hsm::chart<listener> listening(bool to_beginnings) {
    constexpr auto hear = [](listener& l, hsm::step<listener>& s) { l.heard += to_string(s.data()) + ';'; };
    constexpr auto hear_name = [](listener& l, const hsm::named_event& e) { l.heard += std::string(e.name()) + to_string(e.data()) + ';'; };
    auto root = hsm::make_fsm<listener>("listener");
    auto& calm = root->add("calm").defer("later");
    auto& keen = root->add("keen");
    calm.to(keen).on("go").then(hear);
    keen.to(calm).on("go").then(hear);
    keen.on("later").then(hear);
    if (to_beginnings) root->on(hsm::event_prefix("say")).then(hear_name);
    return hsm::compile(std::move(root));
}

struct listening_machine {
    hsm::chart<listener> chart;
    listener l;
    hsm::instance<listener> agent{chart, l, {.mailbox = 8}};

    explicit listening_machine(bool to_beginnings) : chart(listening(to_beginnings)) {}
    /// Each way in, of names that it knows by themselves, by their beginnings, and not at all.
    void hear(std::string_view name, const hsm::event_data& data) {
        agent.process(name, data);
        agent.post(name, data);
        agent.mailbox().post(name, data);
        agent.tick(16ms);
    }
};
} // namespace

TEST_CASE("named events are replayed with their data; events without data use no bytes for it") {
    const hsm::event_data all[] = {{},
                                   nullptr,
                                   false,
                                   0.1,
                                   "",
                                   "\"\n\x01 \xc3\xa9",
                                   hsm::event_data::list({}),
                                   hsm::event_data::object({{"to", "B"}, {"", hsm::event_data::list({1, nullptr})}})};
    for (const bool to_beginnings : {false, true}) {
        CAPTURE(to_beginnings);
        listening_machine m(to_beginnings);
        hsm::input_log log({.check_calls = true});
        log.attach(m.agent, m.l);
        m.agent.start();
        for (const auto& data : all)
            for (const auto* const name : {"go", "later", "say", "say.it.twice", "not.expected", ""}) m.hear(name, data);
        CHECK(m.l.heard.find("{\"to\":\"B\",\"\":[1,null]}") != std::string::npos);
        CHECK((m.l.heard.find("say.it.twice0.1;") != std::string::npos) == to_beginnings);

        listening_machine again(to_beginnings);
        hsm::replay player(log.bytes());
        player.attach(again.agent, again.l);
        const auto found = player.run();
        CHECK_MESSAGE(!found, (found ? found->to_string() : ""));
        CHECK(again.l.heard == m.l.heard);
        CHECK(again.agent.path_of_leaves() == m.agent.path_of_leaves());

        const auto bytes_of = [&](const hsm::event_data& data) { // a log with that call, less one without it
            hsm::input_log one;
            one.attach(m.agent, m.l);
            m.agent.process("go"); // the first keyframe is before it, the last one always at the end
            const auto before = one.bytes().size() - m.l.heard.size();
            m.agent.process("go", data);
            return one.bytes().size() - m.l.heard.size() - before;
        };
        CHECK(bytes_of({}) == 3);                       // process, the column, how long the payload is
        CHECK(bytes_of(true) == 3 + 8 + 8 + 2 + 8 + 4); // its fields: "go" and "true", with their lengths
    }
}

TEST_CASE("a restore of a machine is recorded as a jump") {
    arena r;
    hsm::input_log log;
    r.attach_to(log);
    std::minstd_rand random(3);
    r.first.start();
    for (int i = 0; i < 20; ++i) r.play(random, &log);
    const auto image = hsm::save(r.first);
    for (int i = 0; i < 20; ++i) r.play(random, &log);
    hsm::restore(r.first, image);
    for (int i = 0; i < 20; ++i) r.play(random, &log);
    arena s;
    hsm::replay again(log.bytes());
    s.attach_to(again);
    take_notes(again, s);
    CHECK_FALSE(again.run());
    CHECK(s.text() == r.text());
}

TEST_CASE("keyframes stay within their memory, and a tick of the same length as the last one uses one byte") {
    arena r;
    hsm::input_log log({.keyframe_bytes = 4'000, .calls_between = 4});
    r.attach_to(log);
    r.first.start();
    r.second.start();
    const auto before = log.call_bytes();
    for (int i = 0; i < 3'000; ++i) {
        r.first.tick(16ms);
        r.second.tick(16ms);
        CHECK(log.keyframe_bytes() <= 4'000);
    }
    CHECK(log.keyframes() > 4);
    CHECK(log.frames() == 3'000);
    CHECK(log.call_bytes() - before < 6'010);
    arena s;
    hsm::replay again(log.bytes());
    s.attach_to(again);
    again.seek_frame(1'234);
    CHECK(again.frame() == 1'234);
    CHECK(s.first.now() == hsm::time_span(1'234 * 16ms));
    CHECK(again.step());
    CHECK(s.first.now() == hsm::time_span(1'235 * 16ms));
    CHECK_FALSE(again.run());
}

TEST_CASE("a replay that differs reports the call and the field") {
    for (const bool checked : {false, true}) {
        arena r;
        hsm::input_log log({.calls_between = 8, .check_calls = checked});
        r.attach_to(log);
        r.first.start();
        r.second.start();
        r.second.process(hit{1});
        for (int i = 0; i < 4; ++i) r.first.tick(16ms), r.second.tick(16ms);
        arena s;
        s.b.flawed = true;
        hsm::replay again(log.bytes());
        s.attach_to(again);
        const auto found = again.run();
        REQUIRE(found);
        CHECK(found->machine == 1);
        CHECK_FALSE(found->in_context);
        REQUIRE(found->differences.size() == 1);
        CHECK(found->differences[0].path.ends_with("test::combo/hits"));
        CHECK(found->call == (checked ? 4 : 7)); // the tick that did it, or the last call before the keyframe
    }
}

TEST_CASE("a change of a context without a call is detected at the next keyframe") {
    arena r;
    hsm::input_log log({.calls_between = 4});
    r.attach_to(log);
    r.first.start();
    r.second.start();
    r.first.tick(1ms);
    r.b.life = 7;
    for (int i = 0; i < 4; ++i) r.first.tick(1ms);
    arena s;
    hsm::replay again(log.bytes());
    s.attach_to(again);
    const auto found = again.run();
    REQUIRE(found);
    CHECK(found->to_string() ==
          "call 3, frame 2: the context of machine 1 differs from the log; at the keyframe before call 4:\n  life: recorded 7, now 100\n");
}

namespace {
struct plain_context {
    int life = 1;
    const int* seen = nullptr;
};
struct owning_context {
    std::string name;
};
template <class Context> hsm::chart<Context> idle_chart() {
    auto root = hsm::make_fsm<Context>("idle");
    root->add("a");
    return hsm::compile(std::move(root));
}
} // namespace

TEST_CASE("a context without serialize is recorded as bytes with its pointers, if it is trivially copyable") {
    const auto chart = idle_chart<plain_context>();
    plain_context c;
    c.seen = &c.life;
    hsm::instance<plain_context> agent{chart, c};
    hsm::input_log log;
    log.attach(agent, c);
    agent.start();
    c = {5, nullptr};
    hsm::replay again(log.bytes());
    hsm::instance<plain_context> second{chart, c};
    again.attach(second, c);
    again.seek(0);
    CHECK(c.life == 1);
    CHECK(c.seen == &c.life);

    const auto other = idle_chart<owning_context>();
    owning_context o;
    hsm::instance<owning_context> owner{other, o};
    hsm::input_log second_log;
    try {
        second_log.attach(owner, o);
        FAIL("attached");
    } catch (const hsm::save_error& e) { // without advice for crowds
        const std::string text = e.what();
        CHECK(text.find("HSM-351") != std::string::npos);
        CHECK(text.find("cannot be saved: it is not trivially copyable and has no serialize; hint: write serialize(archive, value) for it") !=
              std::string::npos);
        CHECK(text.find("array") == std::string::npos);
    }
}

TEST_CASE("a log shrinks to the calls that make it fail") {
    arena r;
    hsm::input_log log;
    r.attach_to(log);
    std::minstd_rand random(11);
    r.first.start();
    r.second.start();
    for (int i = 0; i < 300; ++i) r.play(random, &log);
    const auto fails = [](std::span<const std::byte> candidate) {
        arena s;
        hsm::replay again(candidate);
        s.attach_to(again);
        take_notes(again, s);
        again.seek(again.calls());
        return s.a.life <= 95;
    };
    REQUIRE(fails(log.bytes()));
    const auto shorter = hsm::shrink(log.bytes(), fails);
    CHECK(fails(shorter));
    CHECK(hsm::replay(shorter).calls() < 20);
    const auto never = hsm::shrink(log.bytes(), [](auto) { return false; });
    CHECK(never == log.bytes());
}

TEST_CASE("replay refuses a log of other machines") {
    arena r;
    hsm::input_log log({.calls_between = 4});
    r.attach_to(log);
    std::minstd_rand random(5);
    r.first.start();
    for (int i = 0; i < 15; ++i) r.play(random, &log);
    CHECK_THROWS_WITH(log.attach(r.first), doctest::Contains("HSM-207"));
    const auto bytes = log.bytes();
    CHECK_THROWS_WITH(hsm::replay({}), doctest::Contains("HSM-371"));
    for (std::size_t size = 40; size < bytes.size(); ++size) CHECK_THROWS_AS(hsm::replay(std::span(bytes).first(size)), hsm::replay_error);
    {
        hsm::replay again(bytes);
        arena s;
        CHECK_THROWS_WITH(again.step(), doctest::Contains("HSM-373 error: 0 of 2 machines of the log are attached"));
        const auto other = test::fighter_chart();
        test::fighter f;
        hsm::instance<test::fighter> stranger(other, f);
        CHECK_THROWS_WITH(again.attach(stranger), doctest::Contains("HSM-373 error at fighter: the log belongs to another chart"));
        CHECK_THROWS_WITH(again.attach(s.first), doctest::Contains("another context"));
        s.attach_to(again);
        CHECK_THROWS_WITH(again.attach(s.first), doctest::Contains("the log has 2 machines"));
        again.on_note<double>([](double) {});
        CHECK_THROWS_WITH(again.on_note<int>([](int) {}), doctest::Contains("HSM-207 error: on_note was called before"));
    }
    int played = 0, refused = 0;
    for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 5) {
        auto altered = bytes;
        altered[bit / 8] ^= std::byte(1) << bit % 8;
        arena s;
        try {
            hsm::replay again(altered);
            s.attach_to(again);
            static_cast<void>(again.run());
            ++played;
        } catch (const hsm::run_error&) {
            ++refused;
        } catch (const hsm::save_error&) {
            ++refused;
        }
    }
    CHECK(played > 100);
    CHECK(refused > 100);
}

TEST_CASE("calls of hooks to machines of the log are not recorded") {
    arena r;
    hsm::input_log log;
    r.attach_to(log);
    r.first.start();
    r.second.start();
    const auto before = log.calls();
    r.first.process(hit{1}); // asks the second one for something
    CHECK(r.b.life == 99);
    CHECK(log.calls() == before + 1);
}

namespace {
struct asked : hsm::observer {
    void on_record(const hsm::record&, const hsm::moment&) override {}
    bool wants_inputs() const override { return true; }
    void on_input(const hsm::input& what, const hsm::moment& when) override {
        text += std::to_string(static_cast<int>(what.kind));
        if (what.event && what.event->type->name.ends_with("hit")) text += ':' + std::to_string(static_cast<const hit*>(what.event->object)->power);
        if (what.elapsed > 0) text += ':' + std::to_string(what.elapsed) + '@' + std::to_string(when.now().nanoseconds());
        text += ' ';
    }
    std::string text;
};
} // namespace

namespace {
/// Ticks another machine at the end of each call, or destroys a machine when it reports a tick.
struct meddler final : hsm::observer {
    void on_record(const hsm::record& r, const hsm::moment&) override {
        if (r.kind == hsm::record_kind::call_end && ticks) ticks->tick(1ms);
        if (r.kind == hsm::record_kind::call_end) outcomes.push_back(static_cast<result>(r.what));
    }
    bool wants_inputs() const override { return true; }
    void on_input(const hsm::input& what, const hsm::moment&) override {
        if (destroys && what.kind == hsm::input_kind::tick) destroys->reset(), destroys->destroy();
    }
    hsm::instance<body>*ticks = nullptr, *destroys = nullptr;
    std::vector<result> outcomes;
};
} // namespace

TEST_CASE("calls that an observer makes at the end of a call are recorded") {
    arena r;
    hsm::input_log log;
    r.attach_to(log);
    r.first.start();
    r.second.start();
    meddler each;
    each.ticks = &r.second;
    const auto attached = r.first.attach(each);
    auto before = log.calls();
    const auto added = [&] { return log.calls() - std::exchange(before, log.calls()); };
    r.first.process(stance::low);
    CHECK(added() == 2);
    r.first.update(1ms);
    CHECK(added() == 2);
    r.first.tick(1ms);
    CHECK(added() == 2);
    r.first.stop();
    CHECK(added() == 2);
}

TEST_CASE("an observer of inputs can end the machine before a tick") {
    auto root = hsm::make_fsm<body>("body");
    root->add("a").on_update([](body& of) { ++of.held; });
    const auto chart = hsm::compile(std::move(root));
    body of;
    hsm::instance<body> agent(chart, of);
    agent.start();
    meddler ends;
    ends.destroys = &agent;
    const auto attached = agent.attach(ends);
    CHECK(agent.tick(1ms) == result::unhandled);
    CHECK(of.held == 0);
    CHECK(!agent.active());
}

TEST_CASE("a tick that fires reports taken, also if the section of the new leaf leaves work") {
    auto root = hsm::make_fsm<body>("body");
    auto& a = root->add("a").on_update([] {});
    auto& b = root->add("b").on_update([](body& of, hsm::step<body>& step) {
        of.held = 0;
        step.process("no transition waits for it");
    });
    root->to(b).when([](const body& of) { return of.held == 1; });
    a.on("no transition waits for it");
    const auto chart = hsm::compile(std::move(root), {.order = hsm::decision_order::substate_first});
    body of;
    hsm::instance<body> agent(chart, of);
    agent.start();
    meddler records;
    const auto attached = agent.attach(records);
    records.outcomes.clear();
    of.held = 1;
    CHECK(agent.tick(1ms) == result::taken);
    REQUIRE(records.outcomes.size() == 1);
    CHECK(records.outcomes[0] == result::taken);
}

TEST_CASE("an observer of inputs receives only calls of the program, before they begin") {
    arena r;
    asked inputs;
    r.first.start();
    {
        const auto attached = r.second.attach(inputs);
        r.second.start();
        r.first.process(hit{3}); // its action asks the second one
        r.second.tick(hsm::time_span::from_nanoseconds(5));
        r.second.process(hit{7});
        r.second.process(hit{8}); // no transition waits for it there
        r.second.change_to("idle");
        r.second.mailbox().post(hit{9});
        r.second.tick(hsm::time_span::from_nanoseconds(6));
    }
    r.second.tick(1ms);
    CHECK(inputs.text == "0 7 4:5@0 7:7 7:8 11 9:9 4:6@5 ");
}

namespace {

/// Posts an event to a mailbox when a tick or a drain is reported.
struct late_poster final : hsm::observer {
    explicit late_poster(hsm::mailbox& to) : mail(to) {}
    void on_record(const hsm::record&, const hsm::moment&) override {}
    bool wants_inputs() const override { return true; }
    void on_input(const hsm::input& what, const hsm::moment&) override {
        if (what.kind == hsm::input_kind::tick || what.kind == hsm::input_kind::drain) mail.post(hit{1});
    }
    hsm::mailbox& mail;
};

} // namespace

TEST_CASE("mail that arrives after a recorded call was reported waits for the next call") {
    for (const bool drains : {false, true}) {
        CAPTURE(drains);
        const auto call = [&](arena& r) { drains ? r.first.drain() : r.first.tick(16ms); };
        arena r;
        hsm::input_log log({.check_calls = true});
        r.attach_to(log);
        r.first.start();
        {
            late_poster poster(r.first.mailbox());
            const auto attached = r.first.attach(poster);
            call(r);
            CHECK(r.a.life == 100);
        }
        call(r);
        CHECK(r.a.life == 99);

        arena again;
        hsm::replay player(log.bytes());
        again.attach_to(player);
        const auto found = player.run();
        CHECK_MESSAGE(!found, (found ? found->to_string() : ""));
        CHECK(again.text() == r.text());
    }
}

namespace {

/// An event whose copies fail on request.
struct parcel {
    static inline bool is_torn = false;
    int weight = 1;
    parcel() = default;
    parcel(parcel&&) noexcept = default;
    parcel(const parcel& other) : weight(other.weight) {
        if (is_torn) throw std::runtime_error("torn");
    }
};
template <class A> void serialize(A& archive, parcel& p) { archive("weight", p.weight); }
struct carrier {
    int carried = 0;
};
template <class A> void serialize(A& archive, carrier& c) { archive("carried", c.carried); }

hsm::chart<carrier> carrier_chart() {
    auto root = hsm::make_fsm<carrier>("carrier");
    root->on<parcel>().then([](carrier& c, const parcel& p) { c.carried += p.weight; });
    root->add("only");
    hsm::serializes<parcel>(*root);
    return hsm::compile(std::move(root));
}

/// An instance, an agent of a crowd and a machine of a manager.
struct carriers {
    hsm::chart<carrier> chart = carrier_chart();
    carrier c, managed;
    hsm::instance<carrier> agent{chart, c};
    hsm::crowd<carrier> herd{chart};
    hsm::agent_id id = herd.add();
    hsm::manager machines;
    hsm::machine_factory kinds;

    carriers() {
        kinds.add("carrier", chart, [this](std::string_view) -> carrier& { return managed; });
        machines.create("one", chart, managed).start();
        agent.start();
    }
    template <class Log> void attach_to(Log& log) {
        log.attach(agent, c);
        log.attach(herd);
        log.attach(machines, kinds);
    }
    void post(int to, const parcel& p) {
        if (to == 0) agent.post(p);
        if (to == 1) herd[id]->post(p);
        if (to == 2) machines.find("one")->post(p);
    }
    void tick() {
        agent.tick(16ms);
        herd.tick(16ms);
        machines.update(16ms);
    }
    std::vector<int> carried() const { return {c.carried, herd.context(id).carried, managed.carried}; }
};

} // namespace

TEST_CASE("a post whose payload cannot be copied is not recorded") {
    for (const int to : {0, 1, 2}) {
        CAPTURE(to);
        carriers r, again;
        hsm::input_log log({.calls_between = 1, .check_calls = true});
        r.attach_to(log);
        r.tick();
        const auto calls = log.calls();
        const parcel heavy;
        parcel::is_torn = true;
        CHECK_THROWS_AS(r.post(to, heavy), std::runtime_error);
        parcel::is_torn = false;
        CHECK(log.calls() == calls);
        r.post(to, heavy);
        CHECK(log.calls() == calls + 1);
        r.tick();
        CHECK(r.carried()[static_cast<std::size_t>(to)] == 1);

        hsm::replay player(log.bytes());
        again.attach_to(player);
        const auto found = player.run();
        CHECK_MESSAGE(!found, (found ? found->to_string() : ""));
        CHECK(again.carried() == r.carried());
    }
}

TEST_CASE("mail that hooks post is replayed once") {
    struct sender {
        int got = 0;
        hsm::mailbox* mail = nullptr;
    };
    auto root = hsm::make_fsm<sender>("sender");
    root->add("only");
    root->on("send").then([](sender& s) { s.mail->post("get"); });
    root->on("get").then([](sender& s) { ++s.got; });
    const auto chart = hsm::compile(std::move(root));
    sender s, t;
    hsm::instance<sender> agent{chart, s, {.mailbox = 4}}, other{chart, t, {.mailbox = 4}};
    s.mail = &agent.mailbox(), t.mail = &other.mailbox();
    hsm::input_log log({.check_calls = true});
    log.attach(static_cast<hsm::instance_base&>(agent));
    agent.start();
    agent.process("send");
    agent.tick(16ms);
    agent.process("send");
    CHECK(s.got == 1);
    hsm::replay player(log.bytes());
    player.attach(static_cast<hsm::instance_base&>(other));
    const auto found = player.run();
    CHECK_MESSAGE(!found, (found ? found->to_string() : ""));
    CHECK(t.got == 1);
}

TEST_CASE("a replay repeats choices by chance, also after set_stream") {
    struct nothing {};
    auto root = hsm::make_fsm<nothing>("R");
    auto& move = root->add_fsm("M").choose(hsm::weighted);
    move.to(move).on("go");
    for (const auto* name : {"a", "b", "c", "d", "e"}) move.dispatch(move.add(name));
    const auto chart = hsm::compile(std::move(root));
    nothing n;
    hsm::instance<nothing> agent(chart, n, {.seed = 11}), other(chart, n);
    hsm::input_log log({.check_calls = true});
    log.attach(agent, n);
    agent.start();
    for (int i = 0; i < 30; ++i) agent.process("go");
    agent.set_stream(77);
    for (int i = 0; i < 30; ++i) agent.process("go");
    hsm::replay again(log.bytes());
    again.attach(other, n);
    const auto found = again.run();
    CHECK_MESSAGE(!found, found->to_string());
    CHECK(other.current() == agent.current());
}
