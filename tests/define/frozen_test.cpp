// Definition calls after compile do not change the chart.
//
// Built twice: without assertions, and with assertions that are counted and then continue as without them.

#ifndef NDEBUG
namespace test {
inline int assertions = 0;
}
#define HSM_ASSERT(condition) ((condition) ? void() : void(++test::assertions))
#endif

#include <tests/support/recorder.hpp>

#include <hsm/compile/check.hpp>
#include <hsm/define/detail/definition_editor.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace test;

namespace {

#ifndef NDEBUG
int asserted() { return std::exchange(test::assertions, 0); }
constexpr bool asserts = true;
#else
int asserted() { return 0; }
constexpr bool asserts = false;
#endif

struct extra {
    int data[64] = {1};
    void enter(recorder& r) { r.note("local enter"); }
    bool finished() const { return false; }
};
struct held_data {
    int value = 7;
};
enum class pose { lying, standing };
struct node_of_class : hsm::state<recorder> {
    node_of_class() : state("of class") {}
    void enter(recorder& r) const { r.note("class enter"); }
};
struct inner_machine : hsm::fsm<held_data> {
    inner_machine() : fsm("inner") { add("i"); }
};
struct with_part : recorder {
    held_data part;
};

/// A chart, references into its definition, and stored handles.
struct kept {
    using transition = hsm::transition<recorder>;

    kept() : root(hsm::make_fsm<recorder>("R")), r(*root) {
        for (auto* s : std::initializer_list<hsm::state<recorder>*>{&a, &b, &m, &x, &p, &legs, &arms, &stand, &hang}) traced(*s);
        done.on_enter(tracing("E F"));
        to_b.emplace(a.to(b));
        to_b->on<event<1>>();
        b.to(m).on<event<2>>();
        m.to(p).on<event<3>>();
        p.to(fork).on<event<4>>();
        branch.emplace(fork.to(x).when([](const recorder&) { return false; }));
        otherwise.emplace(fork.otherwise(a));
        dispatched.emplace(m.dispatch(x).when([](const recorder&) { return true; }));
        first.emplace(r.initial(a));
        chart.emplace(hsm::compile(std::move(root)));
        before = chart->dump();
        trace_before = trace();
    }

    std::string trace() const {
        recorder agent_data;
        hsm::instance agent{*chart, agent_data};
        agent.start();
        agent.process(event<1>{});
        agent.process(event<2>{});
        agent.tick();
        agent.process(event<3>{});
        agent.process(event<4>{});
        agent.tick();
        agent.stop();
        return agent_data.take();
    }

    hsm::owned<hsm::fsm<recorder>> root;
    hsm::fsm<recorder>& r;
    hsm::state<recorder>& a = r.add("A");
    hsm::state<recorder>& b = r.add("B");
    hsm::fsm<recorder>& m = r.add_fsm("M");
    hsm::state<recorder>& x = m.add("X");
    hsm::state<recorder>& done = m.add_final("F");
    hsm::history<recorder>& back = m.add_history("back");
    hsm::parallel<recorder>& p = r.add_parallel("P");
    hsm::fsm<recorder>& legs = p.add_fsm("legs");
    hsm::state<recorder>& stand = legs.add("stand");
    hsm::fsm<recorder>& arms = p.add_fsm("arms");
    hsm::state<recorder>& hang = arms.add("hang");
    hsm::choice<recorder>& fork = r.add_choice("fork");
    std::optional<transition> to_b;
    std::optional<hsm::entry_choice<recorder>> branch, dispatched;
    std::optional<hsm::initial_choice<recorder>> otherwise, first;
    std::optional<hsm::chart<recorder>> chart;
    std::string before, trace_before;
};

/// The call fails an assertion, and the chart is unchanged.
template <class Word> void check_call(kept& k, const char* name, Word word) {
    CAPTURE(name);
    asserted();
    word();
    CHECK((asserted() > 0) == asserts);
    CHECK(k.chart->dump() == k.before);
    CHECK(k.trace() == k.trace_before);
    CHECK(asserted() == 0);
}
#define CALL(...) check_call(k, #__VA_ARGS__, [&] { __VA_ARGS__; })

const auto yes = [](const recorder&) { return true; };
const auto act = [](recorder& r) { r.note("after compile"); };

/// Has data whose leak a sanitizer reports.
auto with_data() {
    return [text = std::make_shared<std::string>(200, 'x')](recorder& r) { r.note(*text); };
}

} // namespace

TEST_CASE("definition calls on a state of a chart change nothing") {
    kept k;
    CALL(k.b.local<extra>());
    CALL(k.a.named("renamed"));
    CHECK(k.chart->find("A").get() == &k.a);
    CALL(k.a.identified<pose::lying>());
    CHECK(!k.chart->find(pose::lying));
    CALL(k.a.on_enter(act));
    CALL(k.a.on_enter(with_data()));
    CALL(k.a.on_update(act));
    CALL(k.a.on_update([](recorder&) { return pose::lying; }));
    CHECK(!k.a.names_successor());
    CALL(k.a.on_exit(act));
    CALL(k.a.on_init(act));
    CALL(k.a.on_destroy(act));
    CALL(k.a.transient());
    CALL(k.a.hold());
    CALL(k.a.hold_until(yes));
    CALL(k.a.hold_until("free"));
    CALL(k.a.min_duration(1.0));
    CALL(k.a.defer<event<9>>());
    CALL(k.a.defer<pose::lying>());
    CALL(k.a.defer(pose::standing));
    CALL(k.a.defer("named"));
    CHECK(k.a.transitions().size() == 1);
    CHECK(k.a.conditions().empty());
    CHECK(!k.a.holds());
}

TEST_CASE("a transition that is defined on a state of a chart belongs to no state") {
    kept k;
    CALL(k.a.to(k.b));
    CALL(k.a.to(k.stand, k.hang));
    CALL(k.a.to(k.b).on<event<8>>().when(yes).then(with_data()).in(k.x).priority(3).reenter().always().force().external().after(1.0));
    CALL(k.a.on<event<8>>().then(act));
    CALL(k.a.on<pose::lying>().then(act));
    CALL(k.a.on(pose::standing).then(act));
    CALL(k.a.on("named").then(act));
    CALL(k.a.when(yes).then(act));
    CALL(k.a.when("ready").then(act));
    CALL(k.a.every(1.0).then(act));
    asserted();
    const auto made = k.a.to(k.b);
    CHECK((asserted() > 0) == asserts);
    made.when("ready").then(with_data()).priority(1);
    CHECK(asserted() == 0); // this transition is not part of the chart
    CHECK(made.spec().priority == 1);
    CHECK(made.spec().conditions.size() == 1);
    CHECK(k.a.conditions().empty());
}

TEST_CASE("definition calls on a stored transition of a chart change nothing") {
    kept k;
    CALL(k.to_b->on<event<7>>());
    CALL(k.to_b->on<pose::lying>());
    CALL(k.to_b->on(pose::lying));
    CALL(k.to_b->on("named"));
    CALL(k.to_b->on_finished());
    CALL(k.to_b->when([](const recorder&) { return false; }));
    CALL(k.to_b->when("ready"));
    CALL(k.to_b->when(hsm::all("ready", hsm::any("set", 3), yes)));
    CALL(k.to_b->in(k.x, k.stand));
    CALL(k.to_b->then(act));
    CALL(k.to_b->then(with_data()));
    CALL(k.to_b->priority(5));
    CALL(k.to_b->reenter());
    CALL(k.to_b->after(2.0));
    CALL(k.to_b->after([](const recorder&) { return 2.0; }));
    CALL(k.to_b->always());
    CALL(k.to_b->force());
    CALL(k.to_b->external());
    CALL(k.branch->when(yes));
    CALL(k.branch->when("ready"));
    CALL(k.branch->then(with_data()));
    CALL(k.branch->priority(4));
    CALL(k.dispatched->when(hsm::is_over));
    CALL(k.dispatched->then(act));
    CALL(k.dispatched->priority(4));
    CALL(k.otherwise->then(act));
    CALL(k.first->then(with_data()));
    CHECK(k.to_b->spec().actions.empty());
    CHECK(k.to_b->spec().priority == 0);
    CHECK(k.a.conditions().empty());
}

TEST_CASE("definition calls on machines, parallels, choices and history states of a chart change nothing") {
    kept k;
    CALL(k.m.transient());
    CALL(k.m.remembers());
    CALL(k.m.remembers_deep());
    CALL(k.m.initial(k.x).then(act));
    CALL(k.m.dispatch(k.x).when(yes).then(act).priority(9));
    CALL(k.m.on_change([](hsm::state_ref, hsm::state_ref, hsm::reason) {}));
    CALL(k.m.on_unhandled(act));
    CALL(k.m.on_enter(act).on_update(act).on_exit(act).on_init(act).on_destroy(act));
    CALL(k.m.local<extra>().hold().hold_until(yes).min_duration(1.0).defer<event<9>>().named("n").identified<pose::lying>());
    CALL(k.p.remembers_deep());
    CALL(k.p.on_unhandled(with_data()));
    CALL(k.p.on_enter(act).local<extra>().named("n"));
    CALL(k.fork.to(k.b).when(yes).then(act).priority(1));
    CALL(k.fork.otherwise(k.b).then(act));
    CALL(k.back.otherwise(k.x).then(act));
    CHECK(k.m.initials().empty());
    CHECK(k.m.history_kind() == hsm::history_depth::none);
}

TEST_CASE("a state that is added to a machine of a chart is not part of the chart, but can be used") {
    kept k;
    const auto substates = k.m.substates().size();
    asserted();
    auto& s = k.m.add("new");
    CHECK((asserted() > 0) == asserts);
    auto& inner = k.m.add_fsm("inner");
    auto& deep = inner.add("deep");
    asserted();
    s.on_enter(with_data()).to(deep).when("ready").then(with_data());
    s.named("other").local<extra>();
    CHECK(asserted() == 0);
    CHECK(s.name() == "other");
    CHECK(deep.path() == "inner/deep");
    CHECK(s.superstate() == nullptr);
    CHECK(k.m.substates().size() == substates);
    CALL(k.m.add<pose::lying>().on_enter(act));
    CALL(k.m.add<node_of_class>().on_exit(act));
    CALL(k.m.add<held_data>("with local").on_enter(act));
    CALL((k.m.add<pose::standing, held_data>()));
    CALL((k.m.add<pose::standing, node_of_class>()));
    CALL(k.m.add_fsm<pose::lying>().add("z"));
    CALL(k.m.add_parallel("z").add("z"));
    CALL(k.m.add_parallel<pose::lying>());
    CALL(k.m.add_final("z"));
    CALL(k.m.add_final<pose::lying>());
    CALL(k.m.add_choice("z").otherwise(k.x));
    CALL(k.m.add_history("z").otherwise(k.x));
    CALL(k.m.add_deep_history("z"));
    CALL(k.p.add("z").on_enter(act));
    CALL(k.p.add<node_of_class>());
    CALL(k.p.add_fsm("z"));
    CHECK(!k.chart->find("new"));
}

TEST_CASE("a machine over a part of the context is not added to a chart") {
    auto root = hsm::make_fsm<with_part>("R");
    auto& r = *root;
    root->add("A");
    const auto chart = hsm::compile(std::move(root));
    const auto before = chart.dump();
    asserted();
    auto& inner = r.add<inner_machine>(&with_part::part);
    CHECK((asserted() > 0) == asserts);
    CHECK(inner.projection());
    CHECK(chart.dump() == before);
}

TEST_CASE("a condition that is declared on a chart does not belong to the chart") {
    kept k;
    hsm::condition none, named, at;
    CALL(none = k.r.condition());
    CALL(named = k.r.condition("ready"));
    CALL(at = k.r.condition("ready", 5));
    CALL(k.r.condition_at(4));
    CHECK(k.chart->condition_count() == 0);
    CHECK(!k.chart->condition("ready").valid());
    CHECK(named.valid());
    recorder data;
    hsm::instance agent{*k.chart, data};
    CHECK_THROWS(agent.set(named));
    CHECK(k.r.conditions().empty());
}

TEST_CASE("internal definition calls on a state of a chart change nothing") {
    kept k;
    CALL(k.a.add_transition().priority = 7);
    CALL(k.m.add_dispatch().priority = 7);
    CALL(k.m.add_initial().priority = 7);
    CALL(k.a.set_projection({}));
    CALL(k.a.set_name("renamed"));
    CALL(k.a.set_id(hsm::enum_id_of(pose::lying)));
    CALL(k.a.set_class(hsm::detail::tag_of<extra>()));
    CALL(k.a.set_transient());
    CALL(k.m.set_history(hsm::history_depth::deep));
    CALL(k.a.set_hold());
    CALL(k.a.set_least_duration(hsm::detail::delay(hsm::time_span::from_seconds(1))));
    CALL(k.a.set_names_successor());
    CALL(k.a.set_origin({3, 4}));
    CALL(k.a.note().file = "elsewhere.xml");
    CALL(k.a.set_of_class());
    CALL(k.a.set_number(99));
    CALL(hsm::detail::definition_editor(k.a).hooks(hsm::hook_kind::enter).clear());
    CHECK(k.a.notes() == nullptr);
    CHECK(k.a.origin().column == 0);
}

TEST_CASE("a state of a chart cannot be adopted, and cannot adopt states") {
    kept k;
    CALL(k.m.adopt(hsm::make_owned<hsm::state<recorder>>("subtree")));
    const auto other = hsm::make_fsm<recorder>("other");
    other->add("first");
    CALL(other->adopt(hsm::owned<hsm::state_base>(&k.a))); // its chart still owns it
    CHECK(other->substates().size() == 1);
    CHECK(k.a.superstate() == &k.r);
}

TEST_CASE("check of a part of a chart changes nothing") {
    kept k;
    CHECK(hsm::check(k.m).empty());
    CHECK(k.m.number() == 3);
    CHECK(k.chart->dump() == k.before);
    CHECK(k.trace() == k.trace_before);
}

TEST_CASE("compile freezes a definition, and check does not") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    CHECK(hsm::check(*root).empty());
    asserted();
    a.on_enter(act);
    CHECK(asserted() == 0);
    CHECK(!a.is_frozen());
    const auto chart = hsm::compile(std::move(root));
    CHECK(a.is_frozen());
    CHECK(chart.root().get()->is_frozen());
}

TEST_CASE("definition calls on a chart that threads share do not race") {
    kept k;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int n = 0; n < 50; ++n) {
                if (asserts) break; // the counter of assertions supports only one thread
                k.a.to(k.b).when("ready").then(with_data());
                k.m.add("new").on_enter(with_data());
                k.to_b->then(act);
            }
            CHECK(k.trace() == k.trace_before);
        });
    for (auto& t : threads) t.join();
    CHECK(k.chart->dump() == k.before);
}
