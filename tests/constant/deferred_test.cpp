// Deferred events in constant charts. They have the same results as in a chart compiled at run time from the same definition.

#include <hsm/run/error.hpp>
#include <tests/constant/both_kinds.hpp>

#include <new>
#include <string>

using namespace test;

namespace {

struct parcel {
    std::string text = "something that does not fit into a pointer";
};

template <class Root> constexpr void define(Root& root) {
    auto& busy = add_machine<"busy">(root).template defer<parcel>().defer(key::B);
    auto& a = add<"a">(busy);
    auto& b = add<"b">(busy);
    auto& idle = add<"idle">(root).defer(key::C);
    a.to(b).on(key::A);
    b.to(idle).on(key::A);
    a.on(key::D).then([](trace_context& w) { w.note(to_string(w.self->process(static_cast<int>(key::B)))); });
    b.on(key::C).then(notes<"C">);
    idle.to(busy).on(key::B);
    idle.template on<parcel>().then([](trace_context& w, const parcel& p) { w.note(p.text); });
    root.to(idle).on(key::E).when(&trace_context::go);
    root.on(key::C).when(&trace_context::ready).then(notes<"root">);
    idle.to(b).on(hsm::otherwise<key>());
}
constexpr auto outer_first = hsm::constant_chart<trace_context>([](auto& root) { define(root); });
constexpr auto inner_first = hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) { define(root); });

template <auto Chart> struct both_observed : both_kinds<Chart, hsm::queue<2, 2, 2>> {
    both_observed() : both_kinds<Chart, hsm::queue<2, 2, 2>>({.internal_queue = 2, .posted_queue = 2, .deferred_queue = 2}) {}
    hsm::result give(key k) {
        auto outcome = hsm::result::refused;
        (*this)([&](auto& agent) { outcome = agent.process(k); });
        return outcome;
    }
};

template <auto Chart> void play() {
    both_observed<Chart> both;
    both([](auto& agent) { agent.start(); });
    both([](auto& agent) { CHECK(agent.process(parcel{}) == hsm::result::deferred); });
    CHECK(both.give(key::B) == hsm::result::deferred);
    CHECK(both.give(key::B) == hsm::result::full);
    CHECK(both.constant.queued() == 2);
    both.constant_context.take();
    CHECK(both.give(key::A) == hsm::result::taken); // to b, which defers them again
    CHECK(both.constant.queued() == 2);
    CHECK(both.give(key::A) == hsm::result::taken); // to idle, which takes the parcel, and leaves for B
    CHECK(both.constant.current().name() == "a");
    CHECK(both.constant_context.take() == "X a, E b, X b, X busy, E idle, something that does not fit into a pointer, X idle, E busy, E a");
    CHECK(both.constant.queued() == 0);
    both([](auto& agent) { agent.post(key::B), agent.tick(); });
    CHECK(both.constant.queued() == 1);
    both([](auto& agent) { agent.stop(); });
    CHECK(both.constant.queued() == 0);
}

} // namespace

TEST_CASE("a state of a constant chart defers events until a transition fires") {
    play<outer_first>();
    play<inner_first>();
}

TEST_CASE("an otherwise transition of a constant chart comes before a deferral, and a superstate only with superstate_first") {
    both_observed<outer_first> outer;
    both_observed<inner_first> inner;
    const auto to_idle = [](auto& both) {
        both([](auto& agent) { agent.context().go = agent.context().ready = true, agent.start(); });
        both.give(key::E);
    };
    to_idle(outer), to_idle(inner);
    CHECK(outer.give(key::C) == hsm::result::internal);
    CHECK(inner.give(key::C) == hsm::result::taken); // otherwise
}

namespace {

/// Returns the errors of both instances.
template <class E> std::string lose(const E& event) {
    both_observed<outer_first> both;
    both([&](auto& agent) { agent.start(), agent.process(key::B), agent.process(key::B), agent.post(event), agent.post(key::A); });
    std::string problems;
    both([&](auto& agent) {
        try {
            agent.drain();
        } catch (const hsm::queue_error& e) {
            problems += e.report().problem + "; ";
        }
    });
    both([](auto& agent) { CHECK(agent.drain() == hsm::result::taken); });
    return problems;
}

} // namespace

TEST_CASE("an event from a queue that cannot be deferred is lost in constant instances, too") {
    const std::string end = " cannot be deferred: the queue of deferred events is full; ";
    CHECK(lose(parcel{}) == "the event \"parcel\"" + end + "the event \"parcel\"" + end);
    CHECK(lose(key::B) == "the event \"B\"" + end + "the event \"B\"" + end);
}

namespace {

constexpr auto recalls = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root);
    auto& b = add<"b">(root).defer(key::A);
    auto& c = add<"c">(root);
    a.to(b).on(key::B);
    b.to(a).on(key::C);
    a.on(key::A).then([](trace_context& w) { w.note(to_string(w.self->process(static_cast<int>(key::D)))); });
    a.to(c).on(key::D);
});

} // namespace

TEST_CASE("a constant instance recalls deferred events before it handles events of hooks") {
    same_text<recalls, hsm::queue<2>> m;
    m.start();
    m.process(key::B);
    m.process(key::A), m.process(key::A);
    CHECK(m.process(key::C) == "X b, E a, queued, queued, X a, E c");
}

namespace {

constexpr auto endless = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root).defer(key::A);
    auto& b = add<"b">(root);
    a.to(b).on(key::B);
    b.to(a).on(key::A).then([](trace_context& w) { w.self->process(static_cast<int>(key::A)), w.self->process(static_cast<int>(key::B)); });
});

} // namespace

TEST_CASE("a chain of recalled events ends with an error in constant instances, too") {
    same_text<endless, hsm::queue<4>> m;
    m.start();
    m.process(key::A);
    m.both([](auto& agent) { return agent.process(key::B); });
    CHECK(m.constant_agent().queued() == 2);
    m.both([](auto& agent) { return agent.process(key::C); });
    m.stop();
}

namespace {

struct fragile {
    bool breaks = false;
    explicit fragile(bool b) : breaks(b) {}
    fragile(const fragile& other) : breaks(other.breaks) {
        if (breaks) throw std::bad_alloc();
    }
};
constexpr auto delays = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root).template defer<fragile>();
    auto& b = add<"b">(root);
    a.to(b).on(key::A);
    b.template on<fragile>().then(notes<"fragile">);
});

} // namespace

TEST_CASE("an event whose copy throws is not deferred in a constant instance") {
    same_text<delays> m;
    m.start();
    m.both([](auto& agent) {
        CHECK_THROWS_AS(agent.process(fragile(true)), std::bad_alloc);
        CHECK(agent.queued() == 0);
        return agent.process(fragile(false));
    });
    CHECK(m.process(key::A) == "X a, E b, fragile");
}

namespace {

/// The transition to b begins an endless chain, so nothing is recalled.
constexpr auto unrecalled = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root).defer(key::B);
    auto& b = add<"b">(root);
    a.to(b).on(key::A);
    b.when(&trace_context::go).always().then([](trace_context&) {});
    b.on(key::C).then([](trace_context& w) { w.note(to_string(w.self->process(static_cast<int>(key::D)))); });
    b.on(key::B).then(notes<"B">);
    b.on(key::D).then(notes<"D">);
});

} // namespace

TEST_CASE("a chain_error ends the recall of deferred events in constant instances, too") {
    same_text<unrecalled, hsm::queue<4>> m;
    m.start();
    m.process(key::B);
    m.set(&trace_context::go);
    m.process(key::A);
    m.set(&trace_context::go, false);
    CHECK(m.process(key::C) == "queued, D");
    CHECK(m.constant_agent().queued() == 1);
}

namespace {

constexpr auto held = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root).defer(key::B).defer(key::C);
    auto& b = add<"b">(root).hold();
    a.to(b).on(key::A);
    b.to(a).on(key::B);
    b.on(key::C).then([](trace_context& w) { ++w.count; });
});

} // namespace

TEST_CASE("a recalled event stays deferred in a constant instance if it would be held at the end of a chain") {
    same_text<held, hsm::queue<0, 0, 101>> m({.deferred_queue = 101});
    m.start();
    for (int i = 0; i < 100; ++i) m.process(key::C);
    m.process(key::B);
    m.process(key::A);
    m.both([](auto& agent) {
        CHECK(agent.queued() == 1);
        return agent.release();
    });
    CHECK(m.tick() == "U b");
}
