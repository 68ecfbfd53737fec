// The compiled engine: its memory, its programs, and how it finds them.

#include <tests/support/animation.hpp>
#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace test;

TEST_CASE("the head of an instance is 64 bytes, and Samek's machine needs no more") {
    CHECK(sizeof(hsm::instance<recorder>) == 64);
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A");
    const auto chart = hsm::compile(std::move(root), {.entry_times = false});
    CHECK(hsm::instance_memory(chart, {.internal_queue = 0, .posted_queue = 0}).size == 0);
}

TEST_CASE("locals of states that exclude each other share memory; over-aligned ones are aligned") {
    struct alignas(64) wide {
        char bytes[64];
    };
    struct small {
        int value;
    };
    static const void* seen[3];
    auto root = hsm::make_fsm<recorder>("R");
    root->local<small>(1);
    auto& a = root->add("A").local<wide>();
    auto& b = root->add("B").local<wide>();
    a.on_enter([](recorder&, wide& w) { seen[0] = &w; });
    b.on_enter([](recorder&, wide& w, small& s) {
        seen[1] = &w;
        seen[2] = &s;
    });
    a.to(b);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick();
    CHECK(seen[0] == seen[1]);
    CHECK(seen[1] != seen[2]);
    CHECK(reinterpret_cast<std::uintptr_t>(seen[0]) % 64 == 0);
    CHECK(agent.local<small>()->value == 1);
}

TEST_CASE("an active instance can be moved with its locals and queues") {
    struct text {
        std::string words;
    };
    struct owned_text : text {};
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").local<owned_text>(text{"a text that is too long for a small string"});
    a.on<text>().then([](recorder& r, const text& t, owned_text&) { r.note(t.words); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    auto first = std::make_unique<hsm::instance<recorder>>(chart, r);
    first->start();
    first->post(text{"posted before the move, and long enough for the heap"});
    hsm::instance second(std::move(*first));
    first.reset();
    second.drain();
    CHECK(r.take() == "posted before the move, and long enough for the heap");
    CHECK(second.local<owned_text>()->words.starts_with("a text"));
    hsm::instance third{chart, r};
    third.start();
    third = std::move(second);
    CHECK(&third.context() == &r);
    CHECK(third.current().name() == "A");
}

TEST_CASE("distant and negative enumerators, and several enumerations, find their programs") {
    enum class wide : std::int64_t { low = -5'000'000'000, zero = 0, high = 7'000'000'000 };
    enum class close : int { a = -2, b = -1, c = 1 };
    enum class counted : unsigned char { x, y, z };
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.on(wide::low).then(tracing("low"));
    a.on(wide::high).then(tracing("high"));
    a.on(close::a).then(tracing("a"));
    a.on(close::c).then(tracing("c"));
    a.on(counted::y).then(tracing("y"));
    a.on<event<1>>().then(tracing("1"));
    a.on("name").then(tracing("name"));
    a.on("other").then(tracing("other"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    for (int round = 0; round < 2; ++round) { // directly, and through a queue
        const auto send = [&](auto e) {
            if (round == 0) return agent.process(e);
            if (agent.post(e) == hsm::result::unhandled) return hsm::result::unhandled;
            agent.drain();
            return hsm::result::internal;
        };
        CHECK(send(wide::low) == hsm::result::internal);
        CHECK(send(wide::zero) == hsm::result::unhandled);
        CHECK(send(wide::high) == hsm::result::internal);
        CHECK(send(close::a) == hsm::result::internal);
        CHECK(send(close::b) == hsm::result::unhandled);
        CHECK(send(close::c) == hsm::result::internal);
        CHECK(send(counted::x) == hsm::result::unhandled);
        CHECK(send(counted::y) == hsm::result::internal);
        CHECK(send(counted::z) == hsm::result::unhandled);
        CHECK(send(event<1>{}) == hsm::result::internal);
        CHECK(send(event<2>{}) == hsm::result::unhandled);
        CHECK(r.take() == "low, high, a, c, y, 1");
    }
    CHECK(agent.process("name") == hsm::result::internal);
    CHECK(agent.process("none") == hsm::result::unhandled);
    agent.post("other");
    agent.drain();
    CHECK(r.take() == "name, other");
}

TEST_CASE("a chart too large for rows finds its programs in lists, with the same results") {
    constexpr int states = 1500;
    auto root = hsm::make_fsm<recorder>("R");
    std::vector<hsm::state<recorder>*> all;
    for (int i = 0; i < states; ++i) all.push_back(&root->add("s" + std::to_string(i)));
    for (int i = 0; i < states; ++i) {
        all[static_cast<std::size_t>(i)]->to(*all[static_cast<std::size_t>((i + 1) % states)]).on("e" + std::to_string(i));
        all[static_cast<std::size_t>(i)]->on_enter([i](recorder& r) { r.note(std::to_string(i)); });
    }
    all[3]->on_exit([](recorder&, hsm::step<recorder>& s) { CHECK(s.process("e4") == hsm::result::queued); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.process("e1") == hsm::result::unhandled);
    CHECK(agent.process("e0") == hsm::result::taken);
    CHECK(agent.process("e1") == hsm::result::taken);
    agent.post("e2");
    agent.tick();
    CHECK(agent.process("e3") == hsm::result::taken);
    CHECK(r.take() == "0, 1, 2, 3, 4, 5");
    CHECK(agent.can("e5"));
    CHECK_FALSE(agent.can("e6"));
}

TEST_CASE("dump shows programs, and the size of each table") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& m = root->add_fsm("M");
    auto& x = traced(m.add("x"));
    auto& y = traced(m.add("y"));
    m.dispatch(y).when(&recorder::go);
    m.dispatch(x);
    x.to(y).on<event<1>>().when(&recorder::go).then(tracing("action"));
    y.to(m).when(&recorder::ready);
    const auto text = hsm::compile(std::move(root)).dump();
    CAPTURE(text);
    for (const auto* part : {"chart \"R\", superstate first", "programs: ", "x on event<1>: ", "guard (else ", "exit x", "action, ", "enter y",
                             "leaf y", "end guarded", "y ticks, depth 1 decides: ", "choose at ", "bytes:", "ops "})
        CHECK(text.find(part) != std::string::npos);
}

namespace game {
enum class signal { go };
}

TEST_CASE("dump shows unambiguous state names and the types of events") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& one = root->add_fsm("one");
    auto& two = root->add_fsm("two");
    auto& idle = one.add("idle");
    one.add_fsm("deep").add("idle");
    two.add_fsm("deep").add("idle");
    auto& alone = two.add("alone");
    idle.to("one/deep/idle").on(game::signal::go);
    alone.to("two/deep/idle").on<event<1>>();
    two.to(one).on("back");
    const auto text = hsm::compile(std::move(root)).dump();
    CAPTURE(text);
    for (const auto* part : {"one/idle -> one/deep/idle on go level one", "alone -> two/deep/idle on event<1> level two",
                             "two -> one on back level R", "  go of game::signal\n", "  back\n", "  test::event<1>\n", "one/idle on go: "})
        CHECK(text.find(part) != std::string::npos);
}

TEST_CASE("can suggests a similar name, or lists the known names") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.to(root->add("B")).on("jump");
    a.on("duck");
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.can("jmup").outcome == hsm::result::unhandled);
    CHECK(agent.can("jmup").hint == "did you mean \"jump\"?");
    CHECK(agent.can("teleport").hint == "known names: \"duck\", \"jump\"");
    CHECK(agent.can("jump").hint == "");
    agent.process("jump");
    CHECK(agent.can("duck").outcome == hsm::result::unhandled); // other states handle this name
    CHECK(agent.can("duck").hint == "");
}

TEST_CASE("an instance without queues has no space for a time scale") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A");
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance bare{chart, r, {.internal_queue = 0, .posted_queue = 0}};
    CHECK(bare.set_time_scale(0.5) == hsm::result::full);
    CHECK(bare.set_time_scale(1) == hsm::result::taken);
    CHECK(bare.time_scale() == 1);
    CHECK(bare.set_time_scale(-1) == hsm::result::refused);
}

TEST_CASE("the error of an unknown condition contains its name") {
    machine m(animation());
    const auto problem_of = [&](const hsm::condition_key& key) -> std::string {
        try {
            m.agent.set(key);
        } catch (const hsm::condition_error& e) {
            return e.report().problem;
        }
        return "none";
    };
    CHECK(problem_of("") == "an empty name is not a condition of this chart");
    CHECK(problem_of(m.chart.condition("IsRum")) == "an empty handle is not a condition of this chart");
    CHECK(problem_of(-3) == "bit -3 is not a condition of this chart");
    CHECK(problem_of(77) == "bit 77 is not a condition of this chart");
    CHECK(problem_of(root_of()->condition()) == "a condition of another definition is not a condition of this chart");
}

TEST_CASE("leaves are printed for all regions in one line") {
    auto root = root_of();
    auto& p = root->add_parallel("P");
    p.add_fsm("1").add("a");
    p.add_fsm("2").add("b");
    root->add("B");
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    CHECK(to_string(agent) == "none");
    agent.start();
    CHECK(agent.current().path() == "R/P");
    CHECK(agent.path_of_leaves() == "R/P/1/a, R/P/2/b");
    agent.change_to("B");
    CHECK(to_string(agent) == "R/B");
}

TEST_CASE("a chain of 20,000 history states leads to a state") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& out = root->add("out");
    auto& m = root->add_fsm("M");
    m.add("a");
    auto& b = m.add("b");
    hsm::history<recorder>* last = &m.add_history("h");
    out.to(*last).on<event<4>>();
    m.to(*last).when(&recorder::go).after(1.0);
    for (int i = 1; i < 20'000; ++i) {
        auto& next = m.add_history("h" + std::to_string(i));
        last->otherwise(next);
        last = &next;
    }
    last->otherwise(b);
    started agent(std::move(root));
    agent.process(event<4>{});
    CHECK(agent.path() == "R/M/b");
    agent.r.go = true;
    agent.tick(hsm::time_span::from_nanoseconds(2'000'000'000)); // satisfied
    CHECK(agent.path() == "R/M/b");
}
