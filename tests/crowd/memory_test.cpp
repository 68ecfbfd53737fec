// Without memory, a call to a crowd has its complete effect or none, and the crowd can continue: tests each call, with each of its allocations
// failing.
//
// Without memory: crowd/batch.hpp crowd/crowd.hpp crowd/crowd_base.hpp crowd/crowd_mailbox.hpp crowd/workers.hpp

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using test::memory::counted;
using test::memory::trial;
using test::memory::with_every_shortage;

enum class where { A, B };
struct push {};
struct pull {};
/// Copying it allocates.
struct letter {
    std::string text = "a text that does not fit into a string itself";
    counted self = {};
};

struct mob {
    int updates = 0;
    const std::function<void()>* act = nullptr; ///< in its next update
    counted self = {};
};
struct bag {
    int things[3] = {};
    counted self = {};
};
/// A local whose copy allocates.
struct heavy_bag {
    std::vector<int> things = {1, 2, 3};
    counted self = {};
};

void update(mob& m) {
    ++m.updates;
    if (const auto* act = std::exchange(m.act, nullptr)) (*act)();
}

/// R{ A, B }: uses columns only.
hsm::chart<mob> plain_chart() {
    auto root = hsm::make_fsm<mob>("R");
    auto& a = root->add<where::A>().on_update(&update);
    auto& b = root->add<where::B>();
    a.to(b).on<push>();
    a.to(b).when("Go");
    b.to(a).on<pull>();
    root->on<letter>().then([](mob&) {});
    return hsm::compile(std::move(root), {.entry_times = false});
}

/// R{ A, B{ C, D } } with a local, timers, deferral, history.
hsm::chart<mob> rich_chart() {
    auto root = hsm::make_fsm<mob>("R");
    auto& a = root->add<where::A>().on_update(&update);
    auto& b = root->add_fsm<where::B>().remembers();
    auto& c = b.add<bag>("C");
    auto& d = b.add("D").defer<pull>();
    a.to(b).on<push>();
    a.to(b).when("Go");
    c.to(d).on<push>();
    c.to(a).on<pull>();
    d.to(c).after(10.0);
    b.to(a).on_finished();
    root->on<letter>().then([](mob&) {});
    return hsm::compile(std::move(root));
}

/// R{ P{ X{ A, B }, Y{ C, D } } }
hsm::chart<mob> region_chart() {
    auto root = hsm::make_fsm<mob>("R");
    auto& p = root->add_parallel("P");
    auto& x = p.add_fsm("X");
    auto& a = x.add<where::A>().on_update(&update);
    auto& b = x.add<where::B, bag>();
    auto& y = p.add_fsm("Y");
    auto& c = y.add("C");
    auto& d = y.add("D");
    a.to(b).on<push>();
    a.to(b).when("Go");
    b.to(a).on<pull>();
    c.to(d).on<push>();
    root->on<letter>().then([](mob&) {});
    return hsm::compile(std::move(root));
}

/// More conditions than fit into a column.
hsm::chart<mob> many_bits_chart() {
    auto root = hsm::make_fsm<mob>("R");
    for (int i = 0; i < 70; ++i) root->condition("c" + std::to_string(i));
    auto& a = root->add<where::A>().on_update(&update);
    auto& b = root->add<where::B>();
    a.to(b).on<push>();
    a.to(b).when("Go");
    b.to(a).on<pull>();
    root->on<letter>().then([](mob&) {});
    return hsm::compile(std::move(root));
}

const std::vector<hsm::chart<mob>>& charts() {
    static const std::vector<hsm::chart<mob>> all{plain_chart(), rich_chart(), region_chart(), many_bits_chart()};
    return all;
}

constexpr std::size_t agents = 3;

/// Three agents of one chart in the same state.
struct fixture {
    fixture(const hsm::chart<mob>& c, const hsm::crowd_options& options, bool over_array = false)
        : chart(c), herd(over_array ? hsm::crowd<mob>(chart, mobs, options) : hsm::crowd<mob>(chart, options)), in_array(over_array) {
        for (std::size_t i = 0; i < agents; ++i) ids[i] = in_array ? herd.add_element(i) : herd.add();
    }
    /// Returns everything observable of each place, and of the crowd.
    std::vector<std::string> picture() {
        std::vector<std::string> all{std::to_string(herd.count()) + ' ' + std::to_string(herd.now().nanoseconds())};
        all.resize(8);
        herd.each([&](hsm::agent_id id, const mob& m) {
            auto& text = all.at(id.index + 1);
            const auto machine = herd[id];
            text = std::to_string(id.generation) + ' ' + std::to_string(m.updates) + ' ' + std::to_string(machine->queued());
            if (machine->now() != herd.now()) text += " own clock " + std::to_string(machine->now().nanoseconds());
            for (const auto leaf : machine->leaves()) text += ' ' + leaf.path();
            for (const auto state : {where::A, where::B}) text += herd.is_in(id, state) ? " is " : " is not ";
            for (const auto* c : {"Go"}) text += herd.get(id, c) ? " set" : " clear";
            text += machine->paused() ? " paused" : "";
            text += machine->finished() ? " over" : "";
        });
        for (const auto state : {where::A, where::B}) all[0] += ' ' + std::to_string(herd.count(state));
        return all;
    }
    /// Checks that the crowd continues and still works.
    void go_on() {
        if (herd.count() == 0) return;
        CHECK(herd.tick(0.1) != hsm::result::busy);
        herd.set_all("Go", false);
        herd.process_all(pull{});
        herd.each([&](hsm::agent_id id, mob&) { herd[id]->post(push{}); });
        CHECK(herd.tick(0.1) != hsm::result::busy);
        const auto first = ids[0];
        if (!herd.has(first)) return;
        herd.remove(first);
        CHECK_FALSE(herd.has(first));
    }

    hsm::chart<mob> chart;
    std::array<mob, 6> mobs;
    hsm::crowd<mob> herd;
    bool in_array;
    std::array<hsm::agent_id, agents> ids;
};

struct call {
    std::string what;
    std::function<void(fixture&)> make;
    bool whole = true; ///< if it throws, nothing has changed; otherwise that is true for each agent separately
};

using hsm::agent_id;

const std::vector<call>& calls() {
    static const std::vector<call> all{
        {"remove", [](fixture& w) { w.herd.remove(w.ids[1]); }},
        {"clear", [](fixture& w) { w.herd.clear(); }, false},
        {"has, count, now, bytes, state_hash",
         [](fixture& w) { static_cast<void>(w.herd.has(w.ids[0]) + w.herd.count() + w.herd.bytes() + w.herd.state_hash()); }},
        {"count of a state", [](fixture& w) { static_cast<void>(w.herd.count(where::A)); }},
        {"is_in", [](fixture& w) { static_cast<void>(w.herd.is_in(w.ids[0], where::B)); }},
        {"current", [](fixture& w) { static_cast<void>(w.herd.current(w.ids[0])); }},
        {"number_of", [](fixture& w) { static_cast<void>(w.herd.number_of("Go")); }},
        {"set", [](fixture& w) { w.herd.set(w.ids[1], "Go"); }},
        {"clear a condition", [](fixture& w) { w.herd.clear(w.ids[1], "Go"); }},
        {"pulse", [](fixture& w) { w.herd.pulse(w.ids[1], "Go"); }},
        {"get", [](fixture& w) { static_cast<void>(w.herd.get(w.ids[1], "Go")); }},
        {"set of many", [](fixture& w) { w.herd.set(w.ids, "Go"); }, false},
        {"clear of many", [](fixture& w) { w.herd.clear(w.ids, "Go"); }, false},
        {"pulse of many", [](fixture& w) { w.herd.pulse(w.ids, "Go"); }, false},
        {"set_all", [](fixture& w) { w.herd.set_all("Go"); }, false},
        {"tick", [](fixture& w) { w.herd.tick(0.5); }, false},
        {"decide", [](fixture& w) { w.herd.decide(); }, false},
        {"update", [](fixture& w) { w.herd.update(0.5); }, false},
        {"set_decide_every", [](fixture& w) { w.herd.set_decide_every(w.ids[1], 2); }},
        {"each", [](fixture& w) { w.herd.each([](agent_id, mob& m) { static_cast<void>(m); }); }},
        {"each in a state", [](fixture& w) { w.herd.each(where::A, [](agent_id, mob& m) { static_cast<void>(m); }); }},
        {"process_all", [](fixture& w) { w.herd.process_all(push{}); }, false},
        {"process_in", [](fixture& w) { w.herd.process_in(where::A, push{}); }, false},
        {"on_update", [](fixture& w) { w.herd.on_update(where::A, [](hsm::batch<mob>&) {}); }},
        {"context", [](fixture& w) { w.herd.context(w.ids[0]).updates += 0; }},
        {"->process", [](fixture& w) { w.herd[w.ids[1]]->process(push{}); }},
        {"->process a name", [](fixture& w) { w.herd[w.ids[1]]->process("nothing"); }},
        {"->post", [](fixture& w) { w.herd[w.ids[1]]->post(push{}); }},
        {"->post a letter", [](fixture& w) { w.herd[w.ids[1]]->post(letter{}); }},
        {"->post a copy",
         [](fixture& w) {
             const letter l;
             w.herd[w.ids[1]]->post(l);
         }},
        {"->tick", [](fixture& w) { w.herd[w.ids[1]]->tick(0.5); }},
        {"->decide", [](fixture& w) { w.herd[w.ids[1]]->decide(); }},
        {"->update", [](fixture& w) { w.herd[w.ids[1]]->update(0.5); }},
        {"->drain", [](fixture& w) { w.herd[w.ids[1]]->drain(); }},
        {"->can", [](fixture& w) { static_cast<void>(w.herd[w.ids[1]]->can("nothing")); }},
        {"->change_to", [](fixture& w) { w.herd[w.ids[1]]->change_to(where::B); }},
        {"->force_to", [](fixture& w) { w.herd[w.ids[1]]->force_to(where::B); }},
        {"->finish", [](fixture& w) { w.herd[w.ids[1]]->finish(); }},
        {"->finish the root", [](fixture& w) { w.herd[w.ids[1]]->finish("R"); }},
        {"->release", [](fixture& w) { w.herd[w.ids[1]]->release(); }},
        {"->set", [](fixture& w) { w.herd[w.ids[1]]->set("Go"); }},
        {"->pulse", [](fixture& w) { w.herd[w.ids[1]]->pulse("Go"); }},
        {"->clear", [](fixture& w) { w.herd[w.ids[1]]->clear(); }},
        {"->stop", [](fixture& w) { w.herd[w.ids[1]]->stop(); }},
        {"->restart", [](fixture& w) { w.herd[w.ids[1]]->restart(); }},
        {"->destroy", [](fixture& w) { w.herd[w.ids[1]]->destroy(); }},
        {"->reset", [](fixture& w) { w.herd[w.ids[1]]->reset(); }},
        {"->set_state", [](fixture& w) { w.herd[w.ids[1]]->set_state(where::B); }},
        {"->pause", [](fixture& w) { w.herd[w.ids[1]]->pause(); }},
        {"->set_time_scale", [](fixture& w) { w.herd[w.ids[1]]->set_time_scale(2); }},
        {"->leaves", [](fixture& w) { static_cast<void>(w.herd[w.ids[1]]->leaves()); }},
    };
    return all;
}

/// Calls for crowds that store the contexts, or for crowds over an array.
const std::vector<call>& calls_of_contexts() {
    static const std::vector<call> all{
        {"add", [](fixture& w) { w.herd.add(); }},
        {"add many", [](fixture& w) { w.herd.add(), w.herd.add(); }, false},
    };
    return all;
}
const std::vector<call>& calls_of_array() {
    static const std::vector<call> all{
        {"add_element", [](fixture& w) { w.herd.add_element(4); }},
        {"add_element that has one",
         [](fixture& w) {
             try {
                 w.herd.add_element(1);
             } catch (const hsm::crowd_error&) {
             }
         }},
    };
    return all;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += line + '\n';
    return text;
}

/// Expects that the whole, or each agent separately, is as before or as after the call.
void check_picture(const std::vector<std::string>& found, const std::vector<std::string>& before, const std::vector<std::string>& after, bool whole,
                   bool done) {
    if (done) {
        CHECK(joined(found) == joined(after));
    } else if (whole) {
        CHECK(joined(found) == joined(before));
    } else {
        for (std::size_t i = 1; i < found.size(); ++i) {
            CAPTURE(i);
            CAPTURE(found[i]);
            CHECK((found[i] == before[i] || found[i] == after[i]));
        }
    }
}

template <class Make> void check_call(const call& c, Make make) {
    CAPTURE(c.what);
    const auto objects = counted::alive.load();
    std::vector<std::string> before, after;
    {
        auto w = make();
        before = w->picture();
    }
    {
        auto w = make();
        c.make(*w);
        after = w->picture();
    }
    with_every_shortage([&](trial& t) {
        auto w = make();
        const bool done = t.attempt([&] { c.make(*w); });
        check_picture(w->picture(), before, after, c.whole, done);
        w->go_on();
    });
    CHECK(counted::alive == objects);
}

struct setting {
    std::string what;
    hsm::crowd_options options;
    bool over_array = false;
};

const std::vector<setting>& settings() {
    static const std::vector<setting> all{
        {"queues", {}},
        {"queues and lists", {.lists = true}},
        {"no queues", {.agent = {.internal_queue = 0, .posted_queue = 0}}},
        {"array", {}, true},
    };
    return all;
}

template <class Visit> void each_setting(Visit visit) {
    for (std::size_t chart = 0; chart < charts().size(); ++chart)
        for (const auto& s : settings()) {
            CAPTURE(chart);
            CAPTURE(s.what);
            visit(s, [&, chart] { return std::make_unique<fixture>(charts()[chart], s.options, s.over_array); });
        }
}

} // namespace

TEST_CASE("a call without memory changes nothing, and the crowd continues") {
    each_setting([](const setting& s, auto make) {
        for (const auto& c : calls()) check_call(c, make);
        for (const auto& c : s.over_array ? calls_of_array() : calls_of_contexts()) check_call(c, make);
    });
}

TEST_CASE("calls without memory to agents with waiting work, and after other calls, change nothing") {
    each_setting([](const setting& s, auto make) {
        const auto busy = [&] {
            auto w = make();
            w->herd[w->ids[1]]->post(push{});
            w->herd[w->ids[2]]->pause();
            return w;
        };
        for (const auto& c : calls()) check_call(c, busy);
        static_cast<void>(s);
    });
}

TEST_CASE("a hook without memory for a change of another agent leaves that agent unchanged") {
    each_setting([](const setting& s, auto make) {
        const auto check = [&](const call& c) {
            CAPTURE(c.what);
            const auto objects = counted::alive.load();
            /// Returns the picture after a tick in which the first agent calls `act`.
            const auto ticked = [&](fixture& w, const std::function<void()>& act) {
                w.herd.context(w.ids[0]).act = &act;
                w.herd.tick(0.5);
                return w.picture();
            };
            std::vector<std::string> before, after;
            {
                auto w = make();
                before = ticked(*w, [] {});
            }
            {
                auto w = make();
                after = ticked(*w, [&] { c.make(*w); });
            }
            with_every_shortage([&](trial& t) {
                auto w = make();
                bool done = false;
                const auto found = ticked(*w, [&] { done = t.attempt([&] { c.make(*w); }); });
                check_picture(found, before, after, c.whole, done);
                w->go_on();
            });
            CHECK(counted::alive == objects);
        };
        for (const auto& c : calls()) check(c);
        for (const auto& c : s.over_array ? calls_of_array() : calls_of_contexts()) check(c);
    });
}

TEST_CASE("a crowd for which there is no memory is not created") {
    for (const auto& chart : charts())
        for (const bool mailbox : {false, true}) {
            std::array<mob, 2> mobs;
            const auto failures =
                with_every_shortage([&](trial& t) { t.attempt([&] { hsm::crowd<mob>(chart, {.agent = {.mailbox = mailbox ? 4u : 0u}}); }); });
            CHECK(failures > 4);
            with_every_shortage([&](trial& t) { t.attempt([&] { hsm::crowd<mob>(chart, mobs); }); });
        }
}

TEST_CASE("an agent for which there is no memory is neither adopted nor released") {
    each_setting([](const setting& s, auto make) {
        if (s.over_array) return;
        with_every_shortage([&](trial& t) {
            auto w = make();
            mob m;
            hsm::instance hero{w->chart, m};
            hero.start();
            hero.change_to(where::B);
            agent_id id;
            const bool done = t.attempt([&] { id = w->herd.adopt(hero); });
            CHECK(hero.active() == !done);
            CHECK(w->herd.count() == agents + done);
            if (done) CHECK(w->herd.is_in(id, where::B));
            w->go_on();
        });
        with_every_shortage([&](trial& t) {
            auto w = make();
            mob m;
            hsm::instance hero{w->chart, m};
            const bool done = t.attempt([&] { w->herd.release(w->ids[1], hero); });
            CHECK(hero.active() == done);
            CHECK(w->herd.has(w->ids[1]) == !done);
            CHECK(w->herd.count() == agents - done);
            w->go_on();
        });
    });
}

TEST_CASE("an agent whose local cannot be copied is neither adopted nor released") {
    auto root = hsm::make_fsm<mob>("R");
    struct brittle {
        std::vector<int> v = {1, 2, 3};
        brittle() = default;
        brittle(const brittle& other) : v(other.v) {}
    };
    root->add<brittle>("A").on_update(&update);
    const auto chart = hsm::compile(std::move(root));
    const auto failures = with_every_shortage([&](trial& t) {
        hsm::crowd herd{chart};
        const auto id = herd.add();
        mob m;
        hsm::instance hero{chart, m};
        const bool released = t.attempt([&] { herd.release(id, hero); });
        CHECK(released == hero.active());
        CHECK(herd.has(id) == !released);
        CHECK(herd.tick(0.1) == hsm::result::unhandled);
        herd.clear();
    });
    CHECK(failures > 0);
}

TEST_CASE("the place of an agent that got no memory is reused") {
    fixture w(charts()[0], {});
    trial t(0, test::memory::shortage::lasting);
    std::vector<agent_id> ids;
    ids.reserve(5000);
    while (ids.size() < 5000) { // beyond the end of a page
        if (!t.attempt([&] { ids.push_back(w.herd.add()); })) ids.push_back(w.herd.add());
    }
    CHECK(w.herd.count() == agents + 5000);
    CHECK(ids.back().index == agents + 5000 - 1);
}

TEST_CASE("the page of a worker without memory is ticked by another worker") {
    const auto& chart = charts()[0];
    constexpr std::size_t many = 3 * 4096;
    const auto failures = with_every_shortage([&](trial& t) {
        hsm::crowd<mob> herd{chart};
        for (std::size_t i = 0; i < many; ++i) herd.add();
        // ticks the other pages during the first one, as other threads would
        std::function<void()> others;
        herd.context(herd.add()).act = nullptr;
        herd.each([&](agent_id id, mob& m) { m.act = id.index == 7 ? &others : nullptr; });
        herd.tick(0.5, [&](std::size_t n, auto f) {
            others = [&, n] {
                t.attempt([&] {
                    for (std::size_t i = 1; i < n; ++i) f(i);
                });
            };
            f(0);
        });
        herd.each([&](agent_id, const mob& m) { REQUIRE(m.updates == 1); });
        CHECK(herd.now().nanoseconds() == 500'000'000);
    });
    CHECK(failures > 4);
}

TEST_CASE("all pages are ticked if several threads get no memory") {
    const auto& chart = charts()[0];
    constexpr std::size_t many = 4 * 4096;
    with_every_shortage([&](trial& t) {
        hsm::crowd<mob> herd{chart};
        for (std::size_t i = 0; i < many; ++i) herd.add();
        herd.tick(0.5, [&](std::size_t n, auto f) {
            std::atomic<bool> go{false}, done{false};
            std::thread other([&] {
                while (!go) std::this_thread::yield();
                for (std::size_t i = 1; i < n; i += 2) f(i);
                done = true;
            });
            t.attempt([&] {
                go = true;
                for (std::size_t i = 0; i < n; i += 2) f(i);
                while (!done) std::this_thread::yield();
            });
            other.join();
        });
        herd.each([&](agent_id, const mob& m) { REQUIRE(m.updates == 1); });
    });
}

TEST_CASE("an agent without memory for its state skips a tick, and continues in the next") {
    // each agent posts to itself, which is stored for the next tick
    auto root = hsm::make_fsm<mob>("R");
    root->add("A")
        .on_update([](mob& m, hsm::step<mob>& s) {
            ++m.updates;
            s.post(push{});
        })
        .on<push>()
        .then([](mob&) {});
    const auto chart = hsm::compile(std::move(root));
    const auto failures = with_every_shortage([&](trial& t) {
        hsm::crowd herd{chart};
        std::array<agent_id, 10> ids;
        for (auto& id : ids) id = herd.add();
        const bool done = t.attempt([&] { herd.tick(0.1); });
        int updated = 0;
        for (const auto id : ids) {
            const auto n = herd.context(id).updates;
            CHECK(n <= 1);
            CHECK(herd[id]->queued() == static_cast<std::size_t>(n));
            updated += n;
        }
        CHECK((updated == 10) == done);
        CHECK(herd.now().nanoseconds() == 100'000'000);
        herd.tick(0.1);
        for (const auto id : ids) CHECK(herd.context(id).updates >= 1);
    });
    CHECK(failures > 10);
}

TEST_CASE("mail for an agent without memory waits for the next tick") {
    const auto& chart = charts()[0];
    with_every_shortage([&](trial& t) {
        hsm::crowd<mob> herd{chart, {.agent = {.mailbox = 8}}};
        std::array<agent_id, 4> ids;
        for (auto& id : ids) id = herd.add();
        for (const auto id : ids) CHECK(herd.mailbox().post(id, push{}) == hsm::result::queued);
        t.attempt([&] { herd.decide(); });
        herd.decide();
        herd.decide();
        for (const auto id : ids) CHECK(herd.is_in(id, where::B));
    });
    with_every_shortage([&](trial& t) { // the memory that posting needs
        hsm::crowd<mob> herd{chart, {.agent = {.mailbox = 2}}};
        const auto id = herd.add();
        const letter l;
        const bool done = t.attempt([&] { herd.mailbox().post(id, l); });
        CHECK(herd.mailbox().post(id, push{}) == hsm::result::queued);
        CHECK((herd.mailbox().post(id, push{}) == hsm::result::full) == done);
    });
}

TEST_CASE("batch hooks for which there is no memory are not added, also in a tick") {
    const auto& chart = charts()[0];
    with_every_shortage([&](trial& t) {
        hsm::crowd<mob> herd{chart};
        const auto id = herd.add();
        int first = 0, second = 0;
        bool done = false;
        const std::function<void()> act = [&] { done = t.attempt([&] { herd.on_update(where::A, [&](hsm::batch<mob>&) { ++second; }); }); };
        herd.on_update(where::A, [&](hsm::batch<mob>&) { ++first; });
        herd.context(id).act = &act;
        herd.tick(0.1);
        herd.tick(0.1);
        CHECK(first == 2);
        CHECK(second == done);
    });
}

TEST_CASE("agents stay consistent when copies of locals and events fail") {
    auto root = hsm::make_fsm<mob>("R");
    auto& a = root->add("A").on_update(&update);
    auto& b = root->add<heavy_bag>("B").defer<letter>();
    auto& c = root->add_fsm("C").remembers_deep();
    auto& d = c.add<heavy_bag>("D").hold();
    a.to(b).on<push>();
    b.to(c).on<push>();
    c.to(a).on<letter>();
    d.to(a).on<push>();
    const auto chart = hsm::compile(std::move(root));
    const auto objects = counted::alive.load();
    const auto failures = with_every_shortage([&](trial& t) {
        hsm::crowd herd{chart, {.lists = true}};
        std::array<agent_id, 4> ids;
        for (auto& id : ids) id = herd.add();
        const auto everything = [&] {
            for (const auto id : ids) herd[id]->process(push{});
            const letter l;
            for (const auto id : ids) herd[id]->process(l);
            for (const auto id : ids) herd[id]->post(l);
            herd.process_all(push{});
            for (const auto id : ids) herd[id]->process(l);
            herd.tick(0.1);
            for (const auto id : ids) herd[id]->set_state("C/D");
            herd.process_all(letter{});
            herd.remove(ids[0]);
            ids[0] = herd.add();
            herd.tick(0.1);
            for (const auto id : ids) herd[id]->release();
            herd.decide();
        };
        t.attempt(everything);
        for (const auto id : ids)
            if (herd.has(id)) herd.current(id);
        herd.tick(0.1);
        herd.tick(0.1);
        CHECK(herd.count("A") + herd.count("B") + herd.count("C") <= herd.count());
    });
    CHECK(failures > 30);
    CHECK(counted::alive == objects);
}
