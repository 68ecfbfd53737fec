// `post` and `drain` of constant instances. They have the same results as in an instance of a chart compiled at run time from the same definition.

#include <tests/constant/both_kinds.hpp>

#include <string>
#include <variant>

using namespace test;

namespace {

struct parcel {
    std::string text = "something that does not fit into a pointer";
};

template <class Root> constexpr void define(Root& root) {
    auto& a = add<"a">(root);
    auto& b = add<"b">(root);
    auto& done = root.add_final("done");
    a.to(b).on(key::A);
    b.to(a).on(key::A);
    root.template on<parcel>().then([](trace_context& w, const parcel& p) { w.note(p.text); });
    root.to(done).on(key::C);
    b.to(a).when(&trace_context::go);
    a.on(key::B).then([](trace_context& w) { w.note(to_string(w.self->process(static_cast<int>(key::A)))); });
}
constexpr auto letters = hsm::constant_chart<trace_context>([](auto& root) { define(root); });

using two_queues = hsm::queue<1, 2>;

/// Two instances with the same queues, both observed.
struct both_observed : both_kinds<letters, two_queues> {
    both_observed() : both_kinds({.internal_queue = 1, .posted_queue = 2}) {}
};

template <class Agent> constexpr bool can_post = requires(Agent a) { a.post(key::A); };
template <class Agent> constexpr bool can_drain = requires(Agent a) { a.drain(); };
using with_queue = hsm::constant_instance<letters, hsm::queue<0, 2>>;
using without_queue = hsm::constant_instance<letters, hsm::queue<2>>;
static_assert(can_post<with_queue> && can_drain<with_queue>);
static_assert(!can_post<without_queue> && !can_drain<without_queue>);

} // namespace

TEST_CASE("the next tick, decide or drain of a constant instance handles the posted events") {
    both_observed both;
    both([](auto& agent) { CHECK(agent.post(key::A) == hsm::result::inactive); });
    both([](auto& agent) { agent.start(); });
    both([](auto& agent) { CHECK(agent.post(key::A) == hsm::result::queued); });
    both([](auto& agent) { CHECK(agent.update(hsm::time_span()) == hsm::result::unhandled); });
    CHECK(both.constant.queued() == 1);
    both([](auto& agent) { CHECK(agent.tick() == hsm::result::taken); });
    CHECK(both.constant.current().name() == "b");
    both([](auto& agent) { CHECK(agent.drain() == hsm::result::unhandled); });
    both([](auto& agent) { agent.post(key::A), agent.post(key::A); });
    both([](auto& agent) { CHECK(agent.post(key::A) == hsm::result::full); });
    both([](auto& agent) { CHECK(agent.post(key::I) == hsm::result::unhandled); });
    both([](auto& agent) { CHECK(agent.drain() == hsm::result::taken); });
    both([](auto& agent) { agent.context().go = true, agent.post(parcel{}), agent.decide(); });
    CHECK(both.constant.current().name() == "a");
    both([](auto& agent) { agent.post(std::variant<parcel, key>(parcel{})), agent.post(key::A), agent.stop(); });
    CHECK(both.constant.queued() == 0);
    both([](auto& agent) { CHECK(agent.drain() == hsm::result::inactive); });
    both([](auto& agent) { agent.start(), agent.post(key::C), agent.post(key::A), agent.drain(); });
    CHECK(both.constant.finished());
    CHECK(both.constant.queued() == 1);
    both([](auto& agent) { agent.stop(); });
}

namespace {

struct poster {
    int posted = 0, seen = 0;
    struct machine {
        virtual hsm::result post() = 0;
        virtual ~machine() = default;
    }* self = nullptr;
};
constexpr auto posting = hsm::constant_chart<poster>([](auto& root) {
    root.add("a");
    root.on_enter([](poster& p) { p.self->post(); });
    root.on(key::A).then([](poster& p) {
        ++p.seen;
        p.self->post();
    });
});

struct posting_machine final : poster::machine {
    poster context;
    hsm::constant_instance<posting, hsm::queue<0, 3>> agent{context};
    posting_machine() { context.self = this; }
    hsm::result post() override { return agent.post(key::A); }
};

} // namespace

TEST_CASE("an event that a hook of a constant instance posts waits for the next call") {
    posting_machine m;
    m.agent.start();
    CHECK(m.agent.queued() == 1);
    m.agent.drain();
    CHECK(m.context.seen == 1);
    m.agent.tick();
    CHECK(m.context.seen == 2);
    CHECK(m.agent.queued() == 1);
}

TEST_CASE("an observer of a constant instance receives the same record of an event that is dropped between two calls") {
    both_observed both;
    both([](auto& agent) { agent.start(), agent.process(key::A); });
    both([](auto& agent) { agent.post(key::A), agent.post(key::A), agent.post(key::A); });
}
