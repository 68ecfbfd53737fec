// Locals in constant charts. They have the same results as in a chart compiled at run time from the same definition.

#include <hsm/constant/fixed.hpp>
#include <hsm/define/detail/finishes_when.hpp>
#include <hsm/observe/explain_constant.hpp>
#include <tests/constant/both_kinds.hpp>

#include <string>

using namespace test;

namespace {

struct tally {
    int count = 10;
};
struct story {
    std::string text = "a text that does not fit into the object itself";
    void enter(trace_context& w) { w.note("enter " + std::to_string(text.size())); }
    void update(trace_context& w, float seconds, tally& t) {
        text += "!", ++t.count;
        w.note(std::to_string(static_cast<int>(seconds * 1000)));
    }
    void exit(trace_context& w) const { w.note(text); }
};

constexpr auto counts = [](trace_context& w, tally& t) { w.note(std::to_string(++t.count)); };
constexpr auto is_high = [](const tally& t) { return t.count > 13; };

template <class Root> constexpr void define(Root& root) {
    auto& m = add_machine<"m">(root).template local<tally>();
    auto& a = m.template add<story>("a").on_update(counts);
    auto& b = m.add("b").template local<tally>().template local<story>().on_enter(counts);
    auto& idle = add<"idle">(root);
    a.to(b).on(key::A).then(counts); // of m
    b.to(idle).when(hsm::all(is_high, hsm::no([](const trace_context& w, const story& s) { return w.go && s.text.empty(); })));
    b.on(key::B).then([](trace_context& w, story& s, const key&, const tally& t) { w.note(s.text + std::to_string(t.count)); });
    b.to(a).on(key::C).when([](const tally& t, const key& k) { return t.count == 12 && k == key::C; });
    idle.to(m).on(key::A);
    m.on_exit(counts);
}
constexpr auto locals = hsm::constant_chart<trace_context>([](auto& root) { define(root); });

} // namespace

TEST_CASE("each activation of a state of a constant chart has a new local, which hooks, guards and actions find by its type") {
    same_text<locals> m;
    const std::string text = "a text that does not fit into the object itself";
    CHECK(m.start() == "E m, enter 47");
    CHECK(m.tick() == "U m, 16, 12");
    CHECK(m.tick() == "U m, 16, 14");
    CHECK(m.process(key::A) == text + "!!, 15, enter 47, 11");
    CHECK(m.process(key::B) == text + "11");
    CHECK(m.process(key::C) == "");
    CHECK(m.last() == hsm::result::guarded);
    CHECK(m.tick() == "U m, 16");
    CHECK(m.process(key::C) == text + "!, enter 47");
    CHECK(m.process(key::A) == text + ", 16, enter 47, 11");
    CHECK(m.tick() == "U m, 16");
    CHECK(m.tick() == "U m, 16");
    CHECK(m.tick() == "U m, 16");
    CHECK(m.tick() == text + "!!!, X m, 17, E idle, U idle");
    CHECK(m.process(key::A) == "X idle, E m, enter 47");
    CHECK(m.stop() == text + ", X m, 11");
}

TEST_CASE("a constant instance returns its locals, and explanations use them") {
    trace_context c;
    hsm::constant_instance<locals> agent(c);
    CHECK(agent.local<tally>() == nullptr);
    agent.start();
    CHECK(agent.local<tally>()->count == 10);
    CHECK(agent.local<story>()->text.size() == 47);
    agent.process(key::A);
    CHECK(agent.local<tally>()->count == 11); // that of b
    CHECK(agent.local<std::string>() == nullptr);
    CHECK(to_string(hsm::explain(agent, key::C)).find("guarded") != std::string::npos);
    agent.local<tally>()->count = 12;
    CHECK(to_string(hsm::explain(agent, key::C)).find("taken") != std::string::npos);
    agent.local<story>()->text = "a text that is only in this instance, and does not fit into the object itself";
    CHECK(to_string(hsm::explain(agent, key::C)).find("taken") != std::string::npos);
}

namespace {

struct lasts {
    int left = 3;
    void update(trace_context& w) { w.note(std::to_string(--left)); }
    bool finished() const { return left <= 0; }
};
struct goes {
    int tries = 0;
    bool finished(const trace_context& w) const { return w.go; }
};
template <class Root> constexpr void define_finished(Root& root) {
    auto& m = add_machine<"m">(root).template local<lasts>();
    auto& a = m.template add<lasts>("a");
    auto& b = m.template add<goes>("b");
    auto& c = add<"c">(root);
    a.to(b).on_finished();
    b.to(a).on_finished().when(&trace_context::ready);
    b.on_update(notes<"U b">);
    b.when(&trace_context::go).then(notes<"reaction">);
    m.to(c).on_finished();
    c.to(m).on(key::A);
}
constexpr auto finishes = hsm::constant_chart<trace_context>([](auto& root) { define_finished(root); });
constexpr auto inner_finishes = hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) { define_finished(root); });

template <auto Chart> void play_finished() {
    same_text<Chart> m;
    m.start();
    CHECK(m.tick() == "U m, 2, 2");
    CHECK(m.tick() == "U m, 1, 1");
    CHECK(m.tick() == "U m, 0, X m, E c");
    m.process(key::A), m.tick(), m.tick();
    m.set(&trace_context::go), m.set(&trace_context::ready);
    CHECK(m.tick() == "U m, 0, X m, E c");
    m.stop(), m.start();
    both_kinds<Chart> both;
    both([](auto& agent) { agent.start(); });
    for (int i = 0; i < 20; ++i)
        both([&](auto& agent) {
            agent.context().go = i % 3 != 0, agent.context().ready = i % 4 != 0;
            agent.tick(), agent.process(key::A), agent.update(hsm::time_span());
        });
    CHECK(both.constant_context.take() == both.ordinary_context.take());
}

} // namespace

TEST_CASE("finished() of a local finishes a state of a constant chart") {
    play_finished<finishes>();
    play_finished<inner_finishes>();
}

namespace {

struct lasts_longer : lasts {
    bool finished(const trace_context& w) const { return left <= 1 || w.go; }
};
template <class Root, class Machine> constexpr void define_end(Root& root, Machine& m) {
    auto &a = m.add("a"), &b = m.add("b");
    auto& c = add<"c">(root);
    root.template local<lasts_longer>().on_exit(traces_exit<"root">).to(c).on(key::B);
    root.when(&trace_context::ready).then([](trace_context& w) {
        w.note("reaction");
        w.self->process(static_cast<int>(key::B));
    });
    a.on_update(notes<"U a">).to(b).on(key::A);
    b.to(a).always().when(&trace_context::go);
}
constexpr auto ends = hsm::constant_chart<trace_context>([](auto& root) { define_end(root, root); });
constexpr auto inner_ends = hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) {
    auto& p = root.add_parallel("p");
    auto &left = p.add_fsm("left"), &right = p.add_fsm("right");
    define_end(root, left);
    right.add("d").on_update(notes<"U d">);
});

template <auto Chart> void play_end(const std::string& others) {
    same_text<Chart, hsm::queue<2>> m;
    m.start();
    CHECK(m.tick() == "2, U a" + others);
    m.set(&trace_context::ready);
    CHECK(m.tick() == "1, reaction"); // finished; the event of the reaction is not handled
    CHECK(m.path() == (others.empty() ? "root/a" : "root/p"));
    CHECK(m.tick() == "");
    CHECK(m.process(key::A) == "");
    CHECK(m.last() == hsm::result::inactive);
    CHECK(m.stop() == "X root");
    m.set(&trace_context::ready, false), m.start(), m.process(key::A);
    m.set(&trace_context::go);
    CHECK(m.tick() == "2");
    CHECK(m.path() == (others.empty() ? "root/b" : "root/p"));
}

} // namespace

TEST_CASE("finished() of a local of the root finishes a constant instance") {
    play_end<ends>("");
    play_end<inner_ends>(", U d");
    same_text<ends> without_queue;
    without_queue.start(), without_queue.tick(), without_queue.tick();
    CHECK(without_queue.process(key::A) == "");
    CHECK(without_queue.last() == hsm::result::inactive);
    both_kinds<ends, hsm::queue<2>> both;
    both([](auto& agent) { agent.start(), agent.tick(), agent.tick(), agent.tick(), agent.process(key::A); });
    CHECK(to_string(hsm::explain(both.constant)) == to_string(hsm::explain(both.ordinary)));
    both([](auto& agent) { agent.stop(), agent.start(), agent.tick(); });
}

namespace {

bool is_full(const trace_context& w) { return w.count > 4; }
bool is_done(const trace_context& w, const lasts& l) {
    const_cast<trace_context&>(w).note("asked"); // so that the order is visible
    return w.go && l.left < 3;
}
template <class Root> constexpr void define_predicates(Root& root) {
    auto& m = add_machine<"m">(root);
    auto& a = m.template add<goes>("a");
    auto& b = m.add("b").template local<lasts>();
    auto& c = add<"c">(root);
    hsm::detail::finishes_when(a, &is_full);
    hsm::detail::finishes_when(a, hsm::all("Wet", hsm::any(&trace_context::ready, "!Warm")));
    hsm::detail::finishes_when(b, hsm::fixed<is_done>);
    hsm::detail::finishes_when(b, "Dry");
    hsm::detail::finishes_when(m, hsm::no(hsm::any("!Late", hsm::is_over)));
    a.to(b).on_finished();
    b.to(a).on_finished();
    b.on(key::B).when(hsm::is_over).then(notes<"over">);
    m.to(c).on_finished().when("Late");
    c.to(b).on(key::A);
}
constexpr auto has_predicates = hsm::constant_chart<trace_context>([](auto& root) { define_predicates(root); });
constexpr auto has_inner_predicates =
    hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) { define_predicates(root); });

template <auto Chart> std::string play_predicates() {
    same_text<Chart> m;
    both_kinds<Chart> both;
    std::string path;
    const auto step = [&](auto does) {
        m.both([&](auto& agent) { return does(agent), agent.tick(hsm::time_span()); });
        both([&](auto& agent) { does(agent), agent.tick(hsm::time_span()); });
        path += std::string(both.constant.current().name());
    };
    step([](auto& agent) { agent.start(); });
    step([](auto& agent) { agent.set("Wet"), agent.set("Warm"); });
    step([](auto& agent) { agent.clear("Warm"); });
    step([](auto& agent) { agent.clear("Wet"), agent.context().go = true; });
    step([](auto&) {}); // the local finishes a
    step([](auto& agent) { agent.context().go = false; });
    step([](auto& agent) { agent.set("Dry"); });
    step([](auto& agent) { agent.clear(), agent.context().count = 5; });
    step([](auto& agent) { agent.set("Late"); });
    step([](auto& agent) { agent.process(key::A), agent.clear("Late"), agent.process(key::B); });
    return path;
}

} // namespace

TEST_CASE("functions and conditions finish a state of a constant chart, like <finished> in a file") {
    CHECK(play_predicates<has_predicates>() == "aababbabcb");
    CHECK(play_predicates<has_inner_predicates>() == "aababbabcb");
}

namespace {

struct other_story : story {
    other_story() { text = "another text that does not fit into the object itself"; }
};
constexpr auto regions = hsm::constant_chart<trace_context>([](auto& root) {
    auto& p = root.add_parallel("p").template local<tally>();
    auto& left = p.add_fsm("left").template local<lasts>();
    auto& right = p.add_fsm("right").template local<story>();
    auto& a = left.add("a").template local<other_story>();
    auto& b = left.add("b");
    auto& c = right.add("c");
    auto& q = add<"q">(root);
    a.to(b).on(key::A).then(counts);
    c.on(key::A).then([](trace_context& w, const story& s, tally& t) { w.note(s.text + std::to_string(++t.count)); });
    p.to(q).on(key::B);
    q.to(p).on(key::B);
    left.to(q).on_finished();
    a.to(q).on(key::C);
    right.template on<key>(key::C).then([](trace_context& w, const story& s) { w.note(s.text); });
});

} // namespace

TEST_CASE("the regions of a constant chart have their own locals, and reactions do not take the locals of states that were exited") {
    same_text<regions> m;
    CHECK(m.start() == "enter 53, enter 47");
    CHECK(m.tick() == "2, 16, 16");
    CHECK(m.process(key::A) == "another text that does not fit into the object itself!, 13, a text that does not fit into the object itself!14");
    CHECK(m.process(key::B) == "a text that does not fit into the object itself!, E q");
    m.process(key::B), m.tick(), m.tick();
    const std::string text = "text that does not fit into the object itself!!, ";
    CHECK(m.tick() == "0, a " + text + "another " + text + "E q"); // left is finished
    CHECK(m.path() == "root/q");
    m.process(key::B);
    const std::string texts = "a text that does not fit into the object itself, another text that does not fit into the object itself, ";
    CHECK(m.process(key::C) == texts + "E q"); // without the reaction of right, whose story no longer exists
}

namespace {

int alive = 0;
struct counted {
    counted() { ++alive; }
    counted(const counted&) { ++alive; }
    ~counted() { --alive; }
};
struct alignas(32) aligned {
    char c = 'x';
};
constexpr auto shares = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = root.add("a").template local<counted>();
    auto& b = root.add("b").template local<aligned>();
    a.to(b).on(key::A);
    b.to(a).on(key::A);
});

} // namespace

TEST_CASE("the locals of a constant instance are destroyed once, and states that are never active together share memory") {
    {
        trace_context c;
        hsm::constant_instance<shares> agent(c);
        static_assert(sizeof(agent) == 64 && alignof(decltype(agent)) == 32);
        agent.start();
        CHECK(alive == 1);
        agent.process(key::A);
        CHECK(alive == 0);
        CHECK(reinterpret_cast<std::uintptr_t>(agent.local<aligned>()) % 32 == 0);
        agent.stop(), agent.start();
        CHECK(alive == 1);
        agent.stop();
        CHECK(alive == 0);
        agent.start();
    }
    CHECK(alive == 0);
    static_assert(!std::is_trivially_destructible_v<hsm::constant_instance<shares>>);
}
