// T19, T24 and events in general: which state decides, results, queues.

#include <tests/support/recorder.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace test;

TEST_CASE("T19: an event processed in an action waits until the transition is complete") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    a.to(b).then([](recorder& r, hsm::step<recorder>& s) {
        r.note("action");
        CHECK(s.process(event<1>{}) == hsm::result::queued);
    });
    b.to(c).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X A, action, E B, X B, E C, U C");
}

TEST_CASE("T24: an event processed in an update is handled before that level's polled transitions") {
    auto root = hsm::make_fsm<recorder>("R");
    traced(*root);
    root->on_update([](recorder&, hsm::step<recorder>& s) { s.process(event<1>{}); });
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    a.to(b).on<event<1>>();
    a.to(c);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "U R, X A, E B, U B");
}

TEST_CASE("an event's transitions are tried by the depth of the source, then priority, then definition") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& m = root->add_fsm("M");
    auto& x = m.add("x");
    x.on<event<1>>().then(tracing("x first")).when(&recorder::go);
    x.on<event<1>>().then(tracing("x second"));
    x.on<event<1>>().then(tracing("x important")).when(&recorder::ready).priority(1);
    m.on<event<1>>().then(tracing("M")).when(&recorder::go);
    recorder r;
    SUBCASE("superstate first") {
        const auto chart = hsm::compile(std::move(root));
        hsm::instance agent{chart, r};
        agent.start();
        agent.process(event<1>{});
        CHECK(r.take() == "x second");
        r.ready = true;
        agent.process(event<1>{});
        CHECK(r.take() == "x important");
        r.go = true;
        agent.process(event<1>{});
        CHECK(r.take() == "M");
    }
    SUBCASE("substate first") {
        const auto chart = hsm::compile(std::move(root), {.order = hsm::decision_order::substate_first});
        hsm::instance agent{chart, r};
        agent.start();
        r.go = true;
        agent.process(event<1>{});
        CHECK(r.take() == "x first");
    }
}

TEST_CASE("process returns each of its results") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<event<1>>().when(&recorder::go);
    a.on<event<2>>();
    b.on<event<3>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    CHECK(agent.process(event<1>{}) == hsm::result::inactive);
    agent.start();
    CHECK(agent.process(event<1>{}) == hsm::result::guarded);
    CHECK(agent.process(event<2>{}) == hsm::result::internal);
    CHECK(agent.process(event<3>{}) == hsm::result::unhandled); // only B handles it, and B is not active
    CHECK(agent.process(event<4>{}) == hsm::result::unhandled); // no transition handles it
    CHECK_FALSE(agent.can(event<1>{}));
    CHECK(agent.can(event<1>{}).outcome == hsm::result::guarded);
    r.go = true;
    CHECK(agent.can(event<1>{}));
    CHECK(agent.current().name() == "A");
    CHECK(agent.process(event<1>{}) == hsm::result::taken);
    agent.stop();
    CHECK(agent.process(event<1>{}) == hsm::result::inactive);
    CHECK(agent.can(event<1>{}).outcome == hsm::result::inactive);
}

TEST_CASE("posted events wait for the next tick, decide or drain, in order") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.to(b).on<event<1>>();
    b.to(a).on<event<2>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    CHECK(agent.post(event<1>{}) == hsm::result::inactive);
    agent.start();
    r.take();
    CHECK(agent.post(event<1>{}) == hsm::result::queued);
    CHECK(agent.post(event<2>{}) == hsm::result::queued);
    CHECK(agent.post(event<3>{}) == hsm::result::unhandled);
    CHECK(agent.queued() == 2);
    CHECK(r.take() == "");
    SUBCASE("drain") {
        CHECK(agent.drain() == hsm::result::taken);
        CHECK(r.take() == "X A, E B, X B, E A");
        CHECK(agent.drain() == hsm::result::unhandled);
    }
    SUBCASE("tick") {
        agent.tick();
        CHECK(r.take() == "X A, E B, X B, E A, U A");
    }
    SUBCASE("decide") {
        agent.decide();
        CHECK(r.take() == "X A, E B, X B, E A");
    }
    SUBCASE("update does not handle them") {
        agent.update();
        CHECK(r.take() == "U A");
        CHECK(agent.queued() == 2);
    }
    SUBCASE("stop drops them") {
        agent.stop();
        CHECK(agent.queued() == 0);
    }
}

TEST_CASE("an event that a hook of a tick posts waits for the next tick") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.on<event<1>>().then([](recorder& r, hsm::step<recorder>& s) {
        r.note("again");
        s.post(event<1>{});
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.post(event<1>{});
    for (int i = 0; i < 3; ++i) {
        agent.tick();
        CHECK(r.take() == "again");
    }
}

namespace {
struct cargo {
    std::unique_ptr<int> freight;
};
struct text {
    std::string words;
};
} // namespace

TEST_CASE("payloads are moved into a queue, or copied from an lvalue, and destroyed") {
    auto root = hsm::make_fsm<std::vector<std::string>>("R");
    auto& a = root->add("A");
    a.on<cargo>().then([](std::vector<std::string>& log, const cargo& c) { log.push_back(std::to_string(*c.freight)); });
    a.on<text>().then([](std::vector<std::string>& log, const text& t) { log.push_back(t.words); });
    const auto chart = hsm::compile(std::move(root));
    std::vector<std::string> log;
    {
        hsm::instance agent{chart, log};
        agent.start();
        agent.post(cargo{std::make_unique<int>(7)});
        const text said{"a text that is too long for a small string, so that it lives on the heap"};
        agent.post(said);
        agent.tick();
        CHECK(log == std::vector<std::string>{"7", said.words});
        agent.post(cargo{std::make_unique<int>(8)}); // destroyed with the instance
        agent.post(said);
    }
    CHECK(log.size() == 2);
}

TEST_CASE("a full queue answers full and keeps its events") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.on<event<1>>().then(tracing("1"));
    a.on<event<2>>().then([](recorder& r, hsm::step<recorder>& s) {
        CHECK(s.process(event<1>{}) == hsm::result::queued);
        CHECK(s.process(event<1>{}) == hsm::result::full);
        CHECK(s.change_to("A") == hsm::result::full);
        r.note("2");
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r, {.internal_queue = 1, .posted_queue = 2}};
    agent.start();
    CHECK(agent.post(event<1>{}) == hsm::result::queued);
    CHECK(agent.post(event<2>{}) == hsm::result::queued);
    CHECK(agent.post(event<1>{}) == hsm::result::full);
    agent.drain();
    CHECK(r.take() == "1, 2, 1");
    for (int round = 0; round < 5; ++round) { // the ring buffer wraps around
        CHECK(agent.post(event<1>{}) == hsm::result::queued);
        CHECK(agent.post(event<1>{}) == hsm::result::queued);
        CHECK(agent.post(event<1>{}) == hsm::result::full);
        agent.drain();
        CHECK(r.take() == "1, 1");
    }
}

TEST_CASE("a hook can fill the posted queue while an event from it is handled, at any position in the ring") {
    struct alignas(32) number {
        int value;
    };
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").on<number>().then([](recorder& r, const number& n, hsm::step<recorder>& s) {
        CHECK(reinterpret_cast<std::uintptr_t>(&n) % alignof(number) == 0);
        CHECK(s.post(number{n.value + 2}) == hsm::result::queued);
        CHECK(s.post(number{0}) == hsm::result::full);
        r.note(std::to_string(n.value)); // the event itself has not changed
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r, {.internal_queue = 0, .posted_queue = 2}};
    agent.start();
    agent.post(number{1});
    agent.post(number{2});
    for (const auto* const handled : {"1, 2", "3, 4", "5, 6", "7, 8"}) {
        agent.drain();
        CHECK(r.take() == handled);
        CHECK(agent.queued() == 2);
    }
}

TEST_CASE("dropping a queue destroys exactly the waiting events, at any position in the ring") {
    struct parcel {
        std::shared_ptr<int> content;
    };
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").on<parcel>().then([](recorder& r, const parcel& p) { r.note(std::to_string(*p.content)); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r, {.internal_queue = 0, .posted_queue = 2}};
    for (int round = 0; round < 4; ++round) {
        const auto first = std::make_shared<int>(1), second = std::make_shared<int>(2);
        agent.start();
        agent.post(parcel{first});
        agent.drain();
        CHECK(r.take() == "1");
        agent.post(parcel{first});
        agent.post(parcel{second});
        CHECK(first.use_count() == 2);
        CHECK(second.use_count() == 2);
        agent.stop();
        CHECK(first.use_count() == 1);
        CHECK(second.use_count() == 1);
        CHECK(agent.queued() == 0);
    }
}

TEST_CASE("a posted event starts from the state that the earlier one and its consequences entered") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& t = root->add("T").transient();
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    a.to(t).on<event<1>>();
    t.to(b);
    b.to(c).on<event<2>>();
    c.to(a).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    REQUIRE(chart.core().events_are_programs);
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.post(event<1>{});
    agent.post(event<2>{});
    agent.post(event<1>{});
    CHECK(agent.drain() == hsm::result::taken);
    CHECK(r.take() == "E B, X B, E C, X C");
    CHECK(agent.current().path() == "R/A");
}

TEST_CASE("without queue room every event in a hook is full, never lost silently") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").on<event<1>>().then([](recorder&, hsm::step<recorder>& s) {
        CHECK(s.process(event<1>{}) == hsm::result::full);
        CHECK(s.post(event<1>{}) == hsm::result::full);
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r, {.internal_queue = 0, .posted_queue = 0}};
    agent.start();
    CHECK(agent.process(event<1>{}) == hsm::result::internal);
}

TEST_CASE("internal events are handled before posted ones") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.on<event<1>>().then([](recorder& r, hsm::step<recorder>& s) {
        r.note("1");
        s.post(event<2>{});
        s.process(event<3>{});
    });
    a.on<event<2>>().then(tracing("2"));
    a.on<event<3>>().then(tracing("3"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.post(event<1>{});
    agent.post(event<2>{});
    agent.drain();
    CHECK(r.take() == "1, 3, 2");
    agent.drain();
    CHECK(r.take() == "2");
}

TEST_CASE("drain leaves the events that its hooks post, although no other work remains") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A");
    root->on<event<1>>().then([](recorder& r, hsm::step<recorder>& s) {
        r.note("1");
        s.post(event<2>{});
    });
    root->on<event<2>>().then(tracing("2"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.post(event<1>{});
    agent.post(event<1>{});
    agent.drain();
    CHECK(r.take() == "1, 1");
    CHECK(agent.queued() == 2);
    agent.tick();
    CHECK(r.take() == "2, 2");
}

TEST_CASE("events can be named and enumerators") {
    enum class input { left, right };
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on("open");
    b.to(a).on(input::left);
    b.on(input::right).then([](recorder& r, const input& i) { r.note(i == input::right ? "right" : "left"); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.process("close") == hsm::result::unhandled);
    CHECK(agent.can("open"));
    CHECK(agent.process(std::string("open")) == hsm::result::taken);
    CHECK(agent.process(input::right) == hsm::result::internal);
    CHECK(r.take() == "right");
    CHECK(agent.process(input::left) == hsm::result::taken);
    CHECK(agent.post("open") == hsm::result::queued);
    agent.drain();
    CHECK(agent.current().name() == "B");
}

namespace {

/// Cannot be copied or moved.
struct pinned {
    explicit pinned(int n) : number(n) {}
    pinned(const pinned&) = delete;
    int number;
};

struct abstract_shape {
    virtual int corners() const = 0;

protected:
    ~abstract_shape() = default;
};
struct triangle final : abstract_shape {
    int corners() const override { return 3; }
};

/// Its copy constructor hides the move constructor.
struct only_copied {
    only_copied() = default;
    only_copied(const only_copied&) = default;
    only_copied(only_copied&&) = delete;
};

} // namespace

TEST_CASE("an event that is abstract or can be neither copied nor moved is handled immediately") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.on<pinned>().when([](const recorder&, const pinned& p) { return p.number > 0; }).then([](recorder& r, const pinned& p) {
        r.note("pinned " + std::to_string(p.number));
    });
    a.on<abstract_shape>().then([](recorder& r, const abstract_shape& s) { r.note("corners " + std::to_string(s.corners())); });
    a.on<only_copied>().then(tracing("copied"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    pinned p(7);
    const pinned zero(0);
    CHECK(agent.process(p) == hsm::result::internal);
    CHECK(agent.process(std::move(p)) == hsm::result::internal);
    CHECK(agent.process(std::as_const(p)) == hsm::result::internal);
    CHECK(agent.process(zero) == hsm::result::guarded);
    CHECK(agent.can(p).outcome == hsm::result::internal);
    const triangle t;
    const abstract_shape& shape = t;
    CHECK(agent.process(shape) == hsm::result::internal);
    CHECK(agent.post(only_copied{}) == hsm::result::queued);
    agent.drain();
    CHECK(r.take() == "pinned 7, pinned 7, pinned 7, corners 3, copied");
}

TEST_CASE("in a hook such an event is answered with full, as it cannot be queued") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    hsm::instance<recorder>* self = nullptr;
    a.on<event<1>>().then([&self](recorder& r) {
        const pinned p(7);
        const triangle t;
        r.note(std::string(to_string(self->process(p))));
        r.note(std::string(to_string(self->process(static_cast<const abstract_shape&>(t)))));
        r.note(std::string(to_string(self->process(event<2>{}))));
    });
    a.on<pinned>().then(tracing("pinned"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    self = &agent;
    agent.start();
    agent.process(event<1>{});
    CHECK(r.take() == "full, unhandled, unhandled");
}
