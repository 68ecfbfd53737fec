// States that hold in constant charts. They have the same results as in a chart compiled at run time from the same definition.

#include <hsm/observe/explain_constant.hpp>
#include <tests/constant/same_text.hpp>

#include <memory>

using namespace test;

namespace {

struct parcel {
    std::shared_ptr<int> amount;
};

constexpr hsm::time_span ms(int n) { return hsm::time_span::from_nanoseconds(n * 1'000'000); }
constexpr hsm::time_span patience(const trace_context& w) { return ms(w.count); }

constexpr auto gate = hsm::constant_chart<trace_context>([](auto& root) {
    auto& closed = add<"closed">(root).hold_until(&trace_context::ready);
    auto& open = add_machine<"open">(root).min_duration(ms(40));
    auto& wide = add<"wide">(open).hold();
    auto& narrow = add<"narrow">(open).hold_until(hsm::no("Jammed")).min_duration(patience);
    auto& broken = add<"broken">(root);
    closed.on_update([](trace_context& w) { w.ready |= ++w.count > 2; });
    closed.to(open).when(&trace_context::go);
    closed.to(broken).when(&trace_context::go).priority(-1);
    closed.to(broken).on(key::B);
    wide.to(narrow).on(key::C).priority(1);
    wide.to(narrow).template on<parcel>().then([](trace_context& w, const parcel& p) { w.note("parcel " + std::to_string(*p.amount)); });
    open.to(closed).on(key::D).when(&trace_context::go);
    open.to(broken).on(key::E).priority(2);
    open.to(broken).on(key::F).force();
    narrow.to(wide).when(&trace_context::go);
    root.to(closed).on(key::A);
});

constexpr auto links = hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) {
    auto& idle = add<"idle">(root);
    auto& task = add_machine<"task">(root).hold_until(&trace_context::ready);
    auto& work = add<"work">(task).transient();
    auto& rest = add<"rest">(task).hold_until(&trace_context::ready);
    auto& done = task.add_final("done");
    auto& late = add<"late">(root);
    work.to(rest);
    rest.to(idle).always();
    rest.to(late).always().force().when("Late");
    rest.to(done).on(key::B).force();
    task.to(late).on_finished();
    task.to(idle).on_finished().when("Never");
    root.to(task).on(key::A);
    late.to(idle);
    idle.to(task).on(key::C);
});

constexpr auto relay = hsm::constant_chart<trace_context>([](auto& root) {
    auto& m = add_machine<"m">(root);
    auto& a = add<"a">(m).hold_until(&trace_context::ready);
    auto& b = add<"b">(m);
    auto& out = add<"out">(root);
    a.on_update([](trace_context& w) { w.ready = w.go; });
    a.to(b).on(key::A);
    m.to(out).when(&trace_context::go);
    m.to(out).when([](const trace_context& w) { return const_cast<trace_context&>(w).note("asked"), true; }).priority(-1);
});

template <hsm::decision_order Order>
constexpr auto resting = hsm::constant_chart<trace_context, Order>([](auto& root) {
    auto& m = add_machine<"m">(root).hold();
    auto& x = add<"x">(m);
    auto& out = add<"out">(root);
    m.dispatch(x).when(&trace_context::ready);
    m.to(out).on(key::A);
    m.to(out).when(&trace_context::go);
});

/// A context whose hooks release states of the running instance.
struct releasing : trace_context {
    std::function<hsm::result(int)> release;
    int at = 0; ///< the hook that releases
};
template <int At, int Which>
constexpr auto releases = [](releasing& w) {
    if (w.at == At) w.note(to_string(w.release(Which)));
};
constexpr auto hall = hsm::constant_chart<releasing>([](auto& root) {
    auto& idle = add<"idle">(root);
    auto& room = add_machine<"room">(root).hold();
    auto& bed = add<"bed">(room).hold();
    auto& chair = add<"chair">(room).hold();
    room.on_enter(releases<1, 1>).on_enter(releases<2, 0>).on_exit(releases<3, 1>);
    bed.on_exit(releases<4, 1>);
    room.dispatch(bed).when(&trace_context::go);
    room.dispatch(chair).when(&trace_context::ready);
    idle.to(room).on(key::A);
    idle.to(bed).on(key::E);
    bed.to(chair).on(key::C).then(releases<5, 1>).force();
    room.to(idle).on(key::B).force();
    room.to(idle).on(key::D);
});
template <class Agent> hsm::result release_in(Agent& agent, int which) { return which == 0 ? agent.release("room") : agent.release("room/bed"); }

struct int_local {
    int value = 7;
};

/// A payload whose copies can fail.
struct letter {
    static inline bool is_torn = false;
    int number = 0;
    explicit letter(int n) : number(n) {}
    letter(const letter& other) : number(other.number) {
        if (is_torn) throw std::bad_alloc();
    }
};
constexpr auto office = hsm::constant_chart<trace_context>([](auto& root) {
    auto& closed = add<"closed">(root).hold();
    auto& open = add<"open">(root);
    closed.to(open).template on<letter>().then([](trace_context& w, const letter& l) { w.note("letter " + std::to_string(l.number)); });
    open.to(closed).on(key::A);
});

} // namespace

TEST_CASE("a state of a constant chart holds polled transitions until its update") {
    same_text<gate> m;
    m.start();
    CHECK(m.tick() == "U closed");
    m.set(&trace_context::go);
    CHECK(m.tick() == "U closed");
    CHECK(m.tick() == "U closed, X closed, E open, E wide");
    CHECK(m.tick() == "U open, U wide");
}

TEST_CASE("an event waits in a constant chart until its states can be exited") {
    same_text<gate> m;
    m.set(&trace_context::go), m.set(&trace_context::ready);
    m.start(), m.tick(), m.set_count(10);
    CHECK(m.path() == "root/open/wide");
    m.process(key::D);
    CHECK(m.last() == hsm::result::held);
    m.process(parcel{std::make_shared<int>(7)});
    CHECK(m.last() == hsm::result::held); // at another level
    m.process(key::C);
    CHECK(m.last() == hsm::result::held); // it replaces the parcel
    m.process(parcel{std::make_shared<int>(8)});
    CHECK(m.last() == hsm::result::refused);
    m.both([](auto& agent) { return agent.release("open/wide"); });
    m.both([](auto& agent) { return agent.set("Jammed"), agent.tick(ms(5)); });
    CHECK(m.path() == "root/open/narrow");
    m.process(key::E); // replaces D
    CHECK(m.last() == hsm::result::held);
    m.both([](auto& agent) { return agent.tick(ms(50)); });
    CHECK(m.path() == "root/open/narrow");
    m.both([](auto& agent) { return agent.clear("Jammed"), agent.update(ms(1)); });
    CHECK(m.path() == "root/broken");
}

TEST_CASE("a pending event of a constant chart keeps its payload, and is dropped by stop and by a guard") {
    const auto amount = std::make_shared<int>(9);
    same_text<gate> m;
    m.set(&trace_context::go), m.set(&trace_context::ready);
    m.start(), m.tick(), m.set_count(0);
    m.process(parcel{amount});
    CHECK(amount.use_count() == 3);
    m.both([](auto& agent) { return agent.release(); });
    CHECK(m.process(key::B) == "X wide, parcel 9, E narrow");
    CHECK(amount.use_count() == 1);
    m.process(key::D);
    m.set(&trace_context::go, false);
    m.both([](auto& agent) { return agent.tick(ms(50)); });
    CHECK(m.path() == "root/open/narrow"); // the guard refused
    m.process(key::F);
    CHECK(m.path() == "root/broken");
    m.process(key::A);
    m.process(key::B);
    m.stop(), m.start();
    m.set_count(10), m.tick();
    CHECK(m.path() == "root/closed");
}

TEST_CASE("held transitions of what follows wait in a tick of a constant chart") {
    same_text<links> m;
    m.start();
    m.process(key::A);
    CHECK(m.path() == "root/task/rest");
    m.tick();
    CHECK(m.path() == "root/task/rest");
    m.set(&trace_context::ready), m.tick();
    CHECK(m.path() == "root/idle");
    m.set(&trace_context::ready, false), m.process(key::C);
    m.process(key::B);
    CHECK(m.path() == "root/task/done");
    m.tick(), m.set(&trace_context::ready), m.tick();
    CHECK(m.path() == "root/late");
    m.tick(), m.set(&trace_context::ready, false);
    m.both([](auto& agent) { return agent.set("Late"), agent.process(key::A); });
    CHECK(m.path() == "root/late");
}

TEST_CASE("a waiting transition of a constant chart is tried although its holder was exited after its update") {
    same_text<relay> m;
    m.start(), m.set(&trace_context::go);
    m.process(key::A);
    CHECK(m.last() == hsm::result::held);
    CHECK(m.tick() == "U m, U a, X a, E b, X b, X m, E out"); // a later transition of the level is not tried
}

TEST_CASE("a machine of a constant chart that is at rest chooses again while something waits") {
    const auto play = [](auto& m) {
        for (const bool by_event : {false, true}) {
            m.set(&trace_context::go, !by_event), m.set(&trace_context::ready, false);
            m.start(), m.tick();
            if (by_event) m.process(key::A);
            m.set(&trace_context::ready), m.tick();
            CHECK(m.path() == "root/m/x");
            m.stop();
        }
    };
    same_text<resting<hsm::decision_order::superstate_first>> outer;
    same_text<resting<hsm::decision_order::substate_first>> inner;
    play(outer), play(inner);
}

TEST_CASE("release of a constant chart concerns active states until they are exited") {
    trace_context w;
    hsm::constant_instance<gate> agent(w);
    CHECK(agent.release() == hsm::result::inactive);
    agent.start();
    CHECK(agent.release("open") == hsm::result::unhandled);
    CHECK(agent.release() == hsm::result::queued);
    CHECK(agent.process(key::B) == hsm::result::taken);
    agent.process(key::A);
    CHECK(agent.process(key::B) == hsm::result::held);
    CHECK(to_string(hsm::why_not(agent, "broken")).find("holds") != std::string::npos);
    agent.release();
    CHECK(to_string(hsm::why_not(agent, "broken")).find("holds") == std::string::npos);
}

TEST_CASE("a hook of a constant chart releases only states that are active then") {
    const auto chart = [] {
        auto root = hsm::make_fsm<releasing>("root");
        decltype(hall)::definition{}(*root);
        return hsm::compile(std::move(root));
    }();
    for (int at = 0; at <= 5; ++at)
        for (const auto first : {key::A, key::E}) {
            const bool moves = at == 5;
            releasing ordinary_context, constant_context;
            hsm::instance<releasing> ordinary(chart, ordinary_context);
            hsm::constant_instance<hall> constant(constant_context);
            const auto play = [&](auto& agent, releasing& w) {
                w.release = [&](int which) { return release_in(agent, which); };
                w.go = true;
                w.at = at;
                agent.start();
                const auto does = [&](key k) { w.note(to_string(agent.process(k))), w.note(agent.current().path()); };
                does(first), does(moves ? key::C : key::B);
                w.at = 0;
                if (moves) does(key::B);
                does(first), does(key::D);
                agent.release("room"), does(key::D);
                return w.take();
            };
            const auto expected = play(ordinary, ordinary_context);
            CHECK(play(constant, constant_context) == expected);
            CHECK(std::string_view(expected).ends_with("held, root/room/bed, held, root/room/bed"));
        }
}

TEST_CASE("a constant chart keeps a pending event if the copy of the next one fails") {
    same_text<office> m;
    m.start();
    m.process(letter(1));
    m.process(letter(2));
    m.both([](auto& agent) {
        const letter third(3);
        letter::is_torn = true;
        CHECK_THROWS_AS(agent.process(third), std::bad_alloc);
        letter::is_torn = false;
        return agent.release();
    });
    CHECK(m.tick() == "X closed, letter 2, E open, U open");
}

namespace {

using enum hsm::decision_order;

constexpr auto content = [](trace_context& w, const parcel& p) { w.note(p.amount ? std::to_string(*p.amount) : "gone"); };

/// P{left{a, b}, right{c, d}}, out.
template <hsm::decision_order Order>
constexpr auto yard = hsm::constant_chart<trace_context, Order>([](auto& root) {
    auto& p = traced<"P">(root.add_parallel("P"));
    auto &left = p.add_fsm("left"), &right = p.add_fsm("right");
    auto &a = add<"a">(left).hold(), &b = add<"b">(left), &c = add<"c">(right).hold(), &d = add<"d">(right), &out = add<"out">(root);
    p.to(out).on(key::A);
    a.to(b).template on<parcel>().then(content);
    c.to(d).template on<parcel>().then(content);
    b.to(a).on(key::B);
    d.to(c).on(key::B);
    a.to(out).on(key::C);
    c.to(d).on(key::C);
    a.to(b).on(key::D).priority(1);
    c.on(key::D).then(notes<"reaction">);
    a.to(b).on(key::E);
    c.to(d).on(key::E);
    c.on(key::F).then([](trace_context& w) { w.self->process(static_cast<int>(key::E)); });
    p.to(p).on(key::G).force();
    out.to(p).on(key::H);
});

template <hsm::decision_order Order> void hold_in_regions() {
    same_text<yard<Order>, hsm::queue<4, 4>> m({.posted_queue = 4});
    const auto gives = [&](const auto& event, hsm::result expected, const std::string& text = "") {
        CHECK(m.process(event) == text);
        CHECK(m.last() == expected);
    };
    const auto release_a = [&] { m.both([](auto& agent) { return agent.release("P/left/a"); }); };
    const auto release_c = [&] { m.both([](auto& agent) { return agent.release("P/right/c"); }); };
    const auto seven = std::make_shared<int>(7);
    using enum hsm::result;
    m.start();
    gives(key::A, held), gives(key::E, held);
    release_c();
    CHECK(m.tick() == "X c, E d, U P, U a, U d"); // A still waits for `a`
    release_a();
    CHECK(m.tick() == "X d, X a, X P, E out, U out"); // the outer level comes first
    m.process(key::H), release_c();
    gives(parcel{seven}, taken, "X c, 7, E d"); // it waits in the other region, with its payload
    release_a();
    gives(key::B, taken, "X a, 7, E b, X d, X b, E a, E c");
    CHECK(seven.use_count() == 1);
    gives(parcel{seven}, held); // in both regions
    release_a(), release_c();
    CHECK(m.tick() == "X a, 7, E b, X c, 7, E d, U P, U b, U d");
    m.process(key::B);
    CHECK(m.both([&](auto& agent) { return agent.post(parcel{seven}), agent.drain(); }) == "");
    CHECK(seven.use_count() == 5);
    release_a(), release_c();
    CHECK(m.tick() == "X a, 7, E b, X c, 7, E d, U P, U b, U d");
    m.process(key::B), release_c();
    CHECK(m.both([&](auto& agent) { return agent.post(parcel{seven}), agent.drain(); }) == "X c, 7, E d");
    m.process(key::G); // exits the source
    CHECK(seven.use_count() == 1);
    gives(key::C, held); // the winner of a conflict is held, and the loser does not fire
    gives(key::D, internal, "reaction");
    gives(parcel{seven}, held);
    gives(key::F, internal); // its E is refused in one region, and replaces the parcel in the other
    release_c();
    gives(key::D, held, "X c, E d");
    release_a();
    CHECK(m.tick() == "X d, X a, X P, E out, U out");
}

constexpr auto asked_to_go = [](const trace_context& w) { return w.go && (const_cast<trace_context&>(w).note("asked"), true); };

/// P{left{a, b}, right{task{c, d}}}, out, late. `b` is transient, and `d` is final.
template <hsm::decision_order Order>
constexpr auto chores = hsm::constant_chart<trace_context, Order>([](auto& root) {
    auto& p = traced<"P">(root.add_parallel("P"));
    auto &left = p.add_fsm("left"), &right = p.add_fsm("right");
    auto& a = add<"a">(left).hold_until(&trace_context::ready);
    auto& b = add<"b">(left).transient();
    auto& task = add_machine<"task">(right).hold_until(&trace_context::ready);
    auto &c = add<"c">(task), &d = task.add_final("d");
    auto &out = add<"out">(root), &late = add<"late">(root);
    task.on_update([](trace_context& w) { w.ready |= ++w.count > 2; });
    p.to(out).when(&trace_context::go);
    p.to(late).when(asked_to_go).priority(-1);
    c.to(late).when(asked_to_go);
    a.to(b).on(key::A).force();
    b.to(out).when(&trace_context::go);
    c.to(d).on(key::B);
    task.to(late).on_finished();
    a.to(late).always().when("Late");
    out.to(p).on(key::C);
    late.to(p).on(key::C);
});

template <hsm::decision_order Order> void poll_in_regions() {
    same_text<chores<Order>> m;
    m.start(), m.set(&trace_context::go);
    CHECK(m.tick() == "U P, U a, U task, U c"); // later transitions of the level are not tried, in any region
    CHECK(m.process(key::A) == "X a, E b");
    CHECK(m.tick() == "U P, U b, U task, U c");
    CHECK(m.tick() == "U P, U b, U task, X c, X task, X b, X P, E out");
    const auto again = [&] { m.set(&trace_context::go, false), m.set(&trace_context::ready, false), m.set_count(0), m.process(key::C); };
    again();
    CHECK(m.process(key::B) == "X c");
    CHECK(m.tick() == "U P, U a, U task");
    CHECK(m.tick() == "U P, U a, U task");
    CHECK(m.tick() == "U P, U a, U task, X task, X a, X P, E late");
    again();
    m.both([](auto& agent) { return agent.set("Late"), agent.process(key::D); });
    m.set_count(2);
    CHECK(m.tick() == "U P, U a, U task, X c, X task, X a, X P, E late");
    again();
    m.both([](auto& agent) { return agent.decide(); });
    m.set_count(2);
    CHECK(m.both([](auto& agent) { return agent.update(ms(1)); }) == "U P, U a, U task, X c, X task, X a, X P, E late");
}

} // namespace

TEST_CASE("states of several regions of a constant chart hold events, which wait at their levels") {
    hold_in_regions<superstate_first>();
    hold_in_regions<substate_first>();
}

TEST_CASE("a polled transition of a constant chart waits for states of any region") {
    poll_in_regions<superstate_first>();
    poll_in_regions<substate_first>();
}

namespace {

constexpr auto port = hsm::constant_chart<trace_context>([](auto& root) {
    auto& p = traced<"P">(root.add_parallel("P"));
    auto &ship = p.add_fsm("ship"), &dock = p.add_fsm("dock");
    auto &moored = add<"moored">(ship), &sea = add<"sea">(ship), &yard = add<"yard">(ship);
    dock.add("open");
    moored.template local<int_local>().hold_until([](const trace_context& w, hsm::state_ref to, const int_local& l) {
        const_cast<trace_context&>(w).note("to " + to.path() + " " + std::to_string(l.value));
        return w.go || to.name() == "yard";
    });
    ship.hold_until([](const auto& w) { return !w.ready; });
    moored.to(sea).on(key::A);
    moored.to(yard).on(key::B);
    moored.to(sea).when(&trace_context::ready);
    p.to("out").on(key::C);
    add<"out">(root);
});

} // namespace

TEST_CASE("hold_until of a constant chart takes the target") {
    same_text<port> m;
    m.start();
    m.set(&trace_context::ready);
    CHECK(m.tick() == "U P, to root/P/ship/sea 7, U moored, to root/P/ship/sea 7");
    CHECK(m.process(key::C) == "to root/out 7");
    CHECK(m.process(key::B) == "to root/out 7, to root/P/ship/yard 7, X moored, E yard");
    CHECK(m.tick() == "U P, U yard"); // the ship holds C
    m.set(&trace_context::ready, false);
    CHECK(m.tick() == "X yard, X P, E out, U out");
}

TEST_CASE("explain knows what waits in a constant instance") {
    trace_context w, c;
    hsm::instance<trace_context> ordinary(hsm::chart_of(gate), w);
    hsm::constant_instance<gate> constant(c);
    const auto texts = [](const auto& agent) {
        return to_string(hsm::explain(agent)) + to_string(hsm::explain(agent, key::B)) + to_string(hsm::explain(agent, key::C)) +
               to_string(hsm::explain(agent, parcel())) + to_string(hsm::why_not(agent, "broken")) + to_string(hsm::possible(agent));
    };
    const auto play = [&](auto& agent, trace_context& context) {
        std::string all;
        const auto add = [&](hsm::result) { all += texts(agent); };
        context.go = context.ready = true;
        agent.start(), add(agent.tick());
        add(agent.process(key::C)), add(agent.process(parcel{std::make_shared<int>(1)})), add(agent.process(key::D));
        context.ready = false;
        agent.stop(), agent.start();
        add(agent.process(key::B)), context.count = 0, add(agent.tick());
        return all;
    };
    const auto expected = play(ordinary, w);
    CHECK(play(constant, c) == expected);
    for (const auto* line : {"pending: ", "waits", "already waiting"}) CHECK_MESSAGE(expected.find(line) != expected.npos, line);
}

namespace {

constexpr auto crowded = hsm::constant_chart<trace_context>([](auto& root) {
    auto& p = root.add_parallel("P");
    auto& out = add<"out">(root);
    for (const char* region : {"1", "2", "3", "4"}) p.add_fsm(region).add("a").hold();
    for (const char* condition : {"A", "B", "C", "D", "E", "F"}) p.to(out).when(condition);
});

} // namespace

TEST_CASE("many states of a constant chart can hold many polled transitions, without code for each combination") {
    same_text<crowded> m;
    m.start();
    m.both([](auto& agent) {
        agent.set("D");
        return agent.decide();
    });
    m.both([](auto& agent) { return agent.release("P/1/a"), agent.release("P/2/a"), agent.release("P/4/a"); });
    CHECK(m.tick() == "");
    m.both([](auto& agent) { return agent.release("P/3/a"); });
    CHECK(m.tick() == "E out, U out");
}
