// Without memory, a call to a manager or through a handle has its complete effect or none: tests each call, with each of its allocations failing.
//
// Without memory: manage/managed.hpp manage/manager.hpp

#include <hsm/manage/manager.hpp>
#include <tests/support/machines.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

using test::memory::counted;
using test::memory::trial;
using test::memory::with_every_shortage;

struct agent {
    int updates = 0;
    std::function<void()> act;
};
struct pest : agent {};
struct wound {
    int depth = 1;
    counted self = {};
};

template <class Context> hsm::chart<Context> agent_chart() {
    auto root = hsm::make_fsm<Context>("R");
    auto& idle = root->template add<wound>("idle").on_update([](Context& a) {
        ++a.updates;
        if (a.act) std::exchange(a.act, nullptr)();
    });
    root->add("busy");
    idle.to("busy").template on<test::push>();
    return hsm::compile(std::move(root));
}

constexpr const char* long_name = "a name that does not fit into a string itself";

/// Two running machines and one that is not started.
struct fixture {
    fixture() {
        machines.create("one", agents, a).start();
        machines.create(long_name, agents, b).start();
        machines.create("pest", pests, p);
    }
    std::string picture() {
        std::string text =
            std::to_string(machines.count()) + ' ' + std::to_string(machines.count<agent>()) + ' ' + std::to_string(machines.count<pest>());
        for (const auto m : machines.all())
            text += '\n' + std::string(m.name()) + ' ' + (*m).current().path() + ' ' + std::to_string((*m).queued()) + ' ' +
                    std::to_string((*m).now().nanoseconds()) + (m.uses_real_time() ? " real" : "");
        text += '\n' + std::to_string(a.updates) + ' ' + std::to_string(b.updates) + ' ' + std::to_string(p.updates);
        return text;
    }
    void go_on() {
        machines.update(0.1);
        machines.broadcast(test::push{});
        agent other;
        machines.create("another", agents, other).start();
        CHECK(machines.has("another"));
        machines.remove("another");
        machines.trim();
        machines.shutdown();
        CHECK(machines.count() == 0);
    }

    agent a, b, c;
    pest p;
    hsm::chart<agent> agents = agent_chart<agent>();
    hsm::chart<pest> pests = agent_chart<pest>();
    hsm::manager machines;
};

struct call {
    std::string what;
    std::function<void(fixture&)> make;
};

template <class Call> void expect_error(Call call) {
    try {
        call();
        FAIL("no error");
    } catch (const hsm::manager_error&) {
    }
}

const std::vector<call>& calls() {
    static const std::vector<call> all{
        {"create", [](fixture& w) { w.machines.create("new", w.agents, w.c); }},
        {"create by a long name", [](fixture& w) { w.machines.create("another name that does not fit into a string", w.agents, w.c); }},
        {"create with a mailbox", [](fixture& w) { w.machines.create("new", w.agents, w.c, {.mailbox = 4}); }},
        {"create with other queues", [](fixture& w) { w.machines.create("new", w.agents, w.c, {.posted_queue = 3}); }},
        {"create one that is there", [](fixture& w) { expect_error([&] { w.machines.create("one", w.agents, w.c); }); }},
        {"get", [](fixture& w) { static_cast<void>(w.machines.get("one")); }},
        {"get what is not there", [](fixture& w) { expect_error([&] { static_cast<void>(w.machines.get("none")); }); }},
        {"get by context", [](fixture& w) { static_cast<void>(w.machines.get<pest>()); }},
        {"get one of several", [](fixture& w) { expect_error([&] { static_cast<void>(w.machines.get<agent>()); }); }},
        {"find, has, count", [](fixture& w) { static_cast<void>(w.machines.find("one") && w.machines.has(long_name) && w.machines.count<pest>()); }},
        {"remove", [](fixture& w) { w.machines.remove("one"); }},
        {"remove by handle", [](fixture& w) { w.machines.remove(w.machines.find(long_name)); }},
        {"shutdown", [](fixture& w) { w.machines.shutdown(); }},
        {"trim", [](fixture& w) { w.machines.trim(); }},
        {"remove and trim", [](fixture& w) { w.machines.remove("one"), w.machines.trim(); }},
        {"update", [](fixture& w) { w.machines.update(0.5); }},
        {"broadcast", [](fixture& w) { w.machines.broadcast(test::push{}); }},
        {"broadcast a name", [](fixture& w) { w.machines.broadcast("nothing"); }},
        {"all",
         [](fixture& w) {
             for (const auto m : w.machines.all()) static_cast<void>(m.name());
         }},
        {"start", [](fixture& w) { w.machines.find("pest").start(); }},
        {"start what runs", [](fixture& w) { expect_error([&] { w.machines.find("one").start(); }); }},
        {"start in a state", [](fixture& w) { w.machines.find("pest").start("busy"); }},
        {"stop", [](fixture& w) { w.machines.find("one").stop(); }},
        {"change_state", [](fixture& w) { w.machines.find("one").change_state("busy"); }},
        {"use_real_time", [](fixture& w) { w.machines.find("one").use_real_time(); }},
        {"as another context", [](fixture& w) { expect_error([&] { static_cast<void>(w.machines.find("one").as<pest>()); }); }},
        {"a handle of no machine", [](fixture&) { expect_error([&] { static_cast<void>(hsm::managed_base().name()); }); }},
        {"->process", [](fixture& w) { w.machines.find("one")->process(test::push{}); }},
        {"->post", [](fixture& w) { w.machines.find("one")->post(test::push{}); }},
        {"move",
         [](fixture& w) {
             auto other = std::move(w.machines);
             w.machines = std::move(other);
         }},
    };
    return all;
}

void check_call(const call& c, bool in_hook) {
    CAPTURE(c.what);
    CAPTURE(in_hook);
    const auto objects = counted::alive.load();
    const auto made = [&](fixture& w, const std::function<void()>& made_so) {
        if (!in_hook) return made_so(), w.picture();
        w.a.act = made_so;
        w.machines.update(0.25);
        return w.picture();
    };
    std::string before, after;
    {
        fixture w;
        before = made(w, [] {});
    }
    {
        fixture w;
        after = made(w, [&] { c.make(w); });
    }
    with_every_shortage([&](trial& t) {
        fixture w;
        bool done = false;
        const auto found = made(w, [&] { done = t.attempt([&] { c.make(w); }); });
        CHECK(found == (done ? after : before));
        w.go_on();
    });
    CHECK(counted::alive == objects);
}

} // namespace

TEST_CASE("a call to a manager without memory changes nothing, and the manager continues") {
    for (const auto& c : calls()) check_call(c, false);
}

TEST_CASE("a call in a machine's hook without memory changes nothing, and the manager continues") {
    for (const auto& c : calls())
        if (c.what != "move" && c.what != "update") check_call(c, true); // it must not be moved there, and update is busy
}

TEST_CASE("a manager for which there is no memory is not created") {
    CHECK(with_every_shortage([](trial& t) { t.attempt([] { hsm::manager machines; }); }) > 0);
}

TEST_CASE("removing, trimming and shutting down allocate nothing") {
    with_every_shortage([](trial& t) {
        fixture w;
        CHECK(t.attempt([&] {
            w.machines.remove("one");
            w.machines.trim();
            w.machines.shutdown();
            w.machines.trim();
        }));
        CHECK(w.machines.count() == 0);
    });
}
