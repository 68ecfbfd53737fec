#include <hsm/reload.hpp>

#include <hsm/crowd.hpp>
#include <hsm/crowd/crowd.hpp>
#include <hsm/crowd/workers.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/save/crowd_image.hpp>
#include <tests/save/fighter.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using hsm::reload_plan;
using hsm::result;
using test::fighter;
using test::hit;
using test::shout;
using test::stance;

namespace {

struct sheep {
    int wool = 0, shorn = 0;
};
struct bark {};
struct bell {
    int rings = 1;
};
struct gong {
    int rings = 1;
};
struct mud {
    int depth = 0;
};
struct snow {
    std::vector<int> depths;
};

/// Timers and conditions, but no other data: agents are only in columns.
hsm::chart<sheep> meadow(const char* graze, hsm::time_span nap) {
    auto root = hsm::make_fsm<sheep>("meadow");
    auto& eat = root->add(graze).on_update([](sheep& s) { ++s.wool; });
    auto& sleep = root->add("sleep");
    eat.to(sleep).when("IsTired");
    sleep.to(eat).after(nap);
    root->to(sleep).on<bark>();
    return hsm::compile(std::move(root));
}

/// Locals and waiting events.
template <class Local, class Ring> hsm::chart<sheep> farm(const char* barn) {
    auto root = hsm::make_fsm<sheep>("farm");
    auto& place = root->add_fsm("place");
    auto& outside = place.add("outside");
    auto& inside = place.add(barn).template local<Local>();
    outside.to(inside).template on<bark>();
    root->template on<Ring>().then([](sheep& s, const Ring& r) { s.shorn += r.rings; });
    return hsm::compile(std::move(root));
}

template <class Call> std::string error_of(Call call) {
    try {
        call();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "none";
}

/// Every third agent sleeps, some more recently than others; one is paused, one was removed.
std::vector<hsm::agent_id> fill(hsm::crowd<sheep>& herd, int count) {
    std::vector<hsm::agent_id> ids;
    for (int i = 0; i < count; ++i) ids.push_back(herd.add());
    for (std::size_t i = 0; i < ids.size(); i += 3) {
        if (i % 90 == 0) herd.tick(1ms);
        herd[ids[i]]->process(bark{});
    }
    herd.set(ids[1], "IsTired");
    herd[ids[2]]->pause();
    herd.remove(ids[4]);
    return ids;
}

} // namespace

TEST_CASE("a plan between equal charts does not change the image of a crowd") {
    const auto before = meadow("eat", 100ms), after = meadow("eat", 100ms);
    for (const bool lists : {false, true}) {
        hsm::crowd herd{before, {.agent = {.mailbox = 4}, .lists = lists}};
        const auto ids = fill(herd, 5000);
        herd.mailbox().post(ids[7], bark{});
        const auto* const context = &herd.context(ids[9]);
        auto& mail = herd.mailbox();
        const auto image = hsm::save(herd);
        const auto report = reload_plan(before, after).apply(herd);
        CHECK(report.to_string() == "4999 machines; active states: 9998 with the same path, 0 with another path, 0 replaced\n");
        CHECK(hsm::save(herd) == image);
        CHECK(herd[ids[9]]->current().get() == after.find("sleep").get());
        CHECK(&herd.context(ids[9]) == context);
        CHECK(&herd.mailbox() == &mail);
        CHECK(mail.post(ids[8], bark{}) == result::queued);
        CHECK_FALSE(herd.has(ids[4]));
        herd.tick(1ms);
        CHECK(herd.is_in(ids[7], "sleep"));
        CHECK(herd.is_in(ids[8], "sleep"));
        CHECK(herd.is_in(ids[1], "sleep"));
        CHECK(herd.count("sleep") == 1667 + 3);
        herd.tick(100ms);
        CHECK(herd.count("sleep") == 0);
        herd.add();
        herd[ids[2]]->resume(); // no agent needs more than its columns now
        const auto then = hsm::save(herd);
        CHECK(reload_plan(after, before).apply(herd).machines == 5000);
        CHECK(hsm::save(herd) == then);
        CHECK(herd.count("eat") == 5000);
        herd.process_all(bark{});
        CHECK(herd.count("sleep") == 5000);
    }
}

TEST_CASE("a plan between equal charts keeps all data of agents") {
    const auto before = test::fighter_chart(), after = test::fighter_chart();
    std::vector<fighter> contexts(3);
    hsm::crowd herd{before, std::span(contexts), {.agent = {.mailbox = 4}}};
    std::vector<hsm::agent_id> ids;
    for (std::size_t i = 0; i < contexts.size(); ++i) {
        ids.push_back(herd.add_element(i));
        herd.tick(40ms);
        herd[ids[i]]->process(hit{1});
        if (i == 0) continue;
        herd[ids[i]]->process(hit{2});
        herd[ids[i]]->process(shout{"pending"});
        herd[ids[i]]->post(stance::high);
        test::combo_of(*herd[ids[i]], contexts[i]).marks = {1, 2};
    }
    herd[ids[2]]->set_time_scale(1.5);
    herd.mailbox().post(ids[1], shout{"mailed"});
    const auto image = hsm::save(herd);
    CHECK(reload_plan(before, after).apply(herd).changes.empty());
    CHECK(hsm::save(herd) == image);
    const auto other = test::fighter_chart();
    CHECK(reload_plan(after, other).apply(herd).changes.empty());
    CHECK(hsm::save(herd) == image);
    herd.tick(1s);
    CHECK(contexts[1].last == "pending");
}

TEST_CASE("all agents of a crowd change their chart, with their clocks, timers, conditions, observers and batch hooks") {
    const auto before = meadow("eat", 100ms), after = meadow("graze", 1s);
    struct watcher : hsm::observer {
        void on_attached(const hsm::moment& now) override {
            seen += "attached, ";
            seen += now.chart().find("graze") ? "after\n" : "before\n";
        }
        void on_record(const hsm::record& r, const hsm::moment& now) override {
            if (r.kind == hsm::record_kind::entered) seen += now.chart().state(r.state).path() + '\n';
        }
        std::string seen;
    } w;
    hsm::crowd herd{before};
    const auto ids = fill(herd, 300);
    std::size_t sleeping = 0;
    herd.on_update("sleep", [&](hsm::batch<sheep>& b) { sleeping = b.size(); });
    std::size_t grazing = 0;
    herd.on_update("eat", [&](hsm::batch<sheep>& b) { grazing = b.size(); });
    const auto handle = herd.attach(ids[7], w);
    w.seen.clear();
    reload_plan plan(before, after);
    const auto image = hsm::save(herd);
    const auto report = plan.report(herd);
    CHECK(hsm::save(herd) == image);
    CHECK(report.machines == 299);
    CHECK(report.replaced == 199);
    REQUIRE(report.changes.size() == 3); // not for each agent
    CHECK(report.changes[1].problem == "meadow/eat no longer exists: meadow replaces it and chooses its initial state");
    plan.map("meadow/eat", "meadow/graze");
    CHECK(plan.apply(herd).to_string() == "299 machines; active states: 399 with the same path, 199 with another path, 0 replaced\n");
    CHECK(w.seen == "attached, after\n");
    CHECK(herd.get(ids[1], "IsTired"));
    CHECK(herd[ids[2]]->paused());
    herd[ids[7]]->process(bark{});
    CHECK(w.seen == "attached, after\nmeadow/sleep\n");
    herd.tick(97ms);
    CHECK(sleeping == 101);
    CHECK(grazing == 198);
    CHECK(herd.is_in(ids[0], "graze")); // slept earlier than the others
    CHECK(herd.is_in(ids[297], "sleep"));
    herd.tick(3ms);
    CHECK(herd.is_in(ids[297], "graze"));
    CHECK(herd.is_in(ids[1], "sleep"));
    CHECK(herd.is_in(ids[7], "sleep")); // has the new time
    CHECK(error_of([&] { plan.apply(herd); }).find("HSM-420") == 0);
}

TEST_CASE("locals and waiting events of agents are carried, converted or dropped") {
    const auto before = farm<mud, bell>("barn"), after = farm<snow, gong>("shed");
    hsm::crowd herd{before, {.agent = {.mailbox = 4}}};
    const auto inside = herd.add(), outside = herd.add();
    CHECK(herd[inside]->process(bark{}) == result::taken);
    herd[inside]->local<mud>()->depth = 7;
    herd[inside]->post(bell{2});
    herd.mailbox().post(outside, bell{3});
    reload_plan plan(before, after);
    plan.map("farm/place/barn", "farm/place/shed");
    plan.convert<mud, snow>([](const mud& m) { return snow{{m.depth}}; });
    plan.convert<bell, gong>([](const bell& b) { return gong{b.rings * 10}; });
    const auto report = plan.apply(herd);
    CHECK(report.changes.empty());
    CHECK(herd[inside]->path_of_leaves() == "farm/place/shed");
    CHECK(herd[inside]->local<snow>()->depths == std::vector{7});
    herd.tick(1ms);
    CHECK(herd.context(inside).shorn == 20);
    CHECK(herd.context(outside).shorn == 30);
}

TEST_CASE("a converter that throws for one agent changes no agent") {
    const auto before = farm<mud, bell>("barn"), after = farm<snow, gong>("barn");
    std::vector<sheep> contexts(1000);
    hsm::crowd herd{before, std::span(contexts)};
    for (std::size_t i = 0; i < contexts.size(); ++i) {
        const auto id = herd.add_element(i);
        herd[id]->process(bark{});
        herd[id]->local<mud>()->depth = static_cast<int>(i);
        herd[id]->post(bell{1});
    }
    const auto image = hsm::save(herd);
    for (const bool only_events : {false, true}) {
        reload_plan plan(before, after);
        plan.convert<mud, snow>([&](const mud& m) {
            if (m.depth == 500 && !only_events) throw std::runtime_error("too deep");
            return snow{{m.depth}};
        });
        int bells = 0;
        plan.convert<bell, gong>([&](const bell& b) {
            if (++bells == 700) throw std::runtime_error("too loud");
            return gong{b.rings};
        });
        CHECK(error_of([&] { plan.report(herd); }) == (only_events ? "too loud" : "too deep"));
        bells = 0;
        CHECK(error_of([&] { plan.apply(herd); }) == (only_events ? "too loud" : "too deep"));
        CHECK(hsm::save(herd) == image);
    }
    herd.tick(1ms);
    CHECK(contexts[999].shorn == 1);
}

namespace {

struct walker {
    std::string trace;
};

/// Entry times, timers with and without a period, a history, marks and conditions.
hsm::chart<walker> path(bool is_new) {
    auto root = hsm::make_fsm<walker>("path");
    const auto note = [](const char* word) { return [word](walker& w) { w.trace += word; }; };
    auto& rest = root->add("rest");
    auto& walk = root->add_fsm(is_new ? "stroll" : "walk").was("walk").remembers();
    auto& slow = walk.add("slow");
    auto& fast = walk.add("fast");
    if (is_new) walk.add("new").on_enter(note("new "));
    rest.to(walk).on("go");
    slow.to(fast).after(50ms).then(note("fast "));
    slow.to(fast).when("Hurry");
    fast.to(slow).after(is_new ? 10ms : 90ms).then(note("slow "));
    walk.every(20ms).then(note("tick "));
    if (is_new) fast.every(7ms).then(note("step "));
    walk.to(rest).on("stop");
    walk.to(rest).after(210ms).then(note("rest "));
    return hsm::compile(std::move(root));
}

} // namespace

TEST_CASE("agents that share a part of the plan continue like machines that are reloaded alone") {
    const auto before = path(false), after = path(true);
    constexpr std::size_t count = 200;
    std::vector<walker> alone(count);
    std::vector<std::unique_ptr<hsm::instance<walker>>> machines;
    hsm::crowd herd{before};
    std::vector<hsm::agent_id> ids;
    for (std::size_t i = 0; i < count; ++i) {
        ids.push_back(herd.add());
        machines.push_back(std::make_unique<hsm::instance<walker>>(before, alone[i]));
        machines[i]->start();
    }
    const auto step = [&](std::size_t round) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto what = (i * 7 + round * 3) % 11;
            const char* const event = what == 0 ? "stop" : what < 4 ? "go" : "";
            herd[ids[i]]->process(event);
            machines[i]->process(event);
            herd.set(ids[i], "Hurry", what == 5);
            machines[i]->set("Hurry", what == 5);
            machines[i]->tick(9ms);
        }
        herd.tick(9ms);
    };
    for (std::size_t round = 0; round < 12; ++round) step(round);
    const reload_plan plan(before, after);
    const auto report = plan.apply(herd);
    hsm::reload_report expected;
    for (const auto& each : machines) expected.add(plan.apply(*each));
    expected.changes = report.changes; // which lists equal changes once
    CHECK(report.to_string() == expected.to_string());
    CHECK(plan.released());
    for (std::size_t round = 0; round < 40; ++round) {
        for (std::size_t i = 0; i < count; ++i) {
            CAPTURE(i);
            REQUIRE(herd[ids[i]]->path_of_leaves() == machines[i]->path_of_leaves());
            REQUIRE(herd[ids[i]]->time_in_state("path") == machines[i]->time_in_state("path"));
            REQUIRE(herd.context(ids[i]).trace == alone[i].trace);
        }
        step(round);
    }
}

TEST_CASE("agents that only get another number of their state keep it, their conditions and their handles") {
    const auto make = [](std::vector<const char*> names) {
        auto root = hsm::make_fsm<sheep>("R");
        hsm::state<sheep>*a = nullptr, *c = nullptr;
        for (const std::string each : names) {
            auto& added = root->add(each);
            if (each == "a") a = &added;
            if (each == "c") c = &added;
        }
        a->to(*c).on<bark>().when("Wet");
        return hsm::compile(std::move(root), {.entry_times = false}); // agents are only in columns
    };
    const auto before = make({"a", "b", "c"}), after = make({"x", "c", "a", "bee"});
    std::vector<sheep> contexts(9'000);
    hsm::crowd herd{before, contexts};
    std::vector<hsm::agent_id> ids;
    for (std::size_t i = 0; i + 1 < contexts.size(); ++i) ids.push_back(herd.add_element(i));
    const char* const names[] = {"a", "b", "c"};
    std::vector<bool> wet;
    std::size_t left = 0, moved = 0, active = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        herd[ids[i]]->change_to(names[i % 3]);
        if (i % 5 == 0) herd[ids[i]]->set("Wet");
        if (i % 7 == 0) herd[ids[i]]->stop();
        wet.push_back(herd.get(ids[i], "Wet"));
        const bool is_moved = i % 7 != 0 && i % 3 == 1;
        if (i % 11 == 0)
            herd.remove(ids[i]);
        else
            ++left, moved += is_moved, active += i % 7 != 0;
    }
    reload_plan plan(before, after);
    plan.map("R/b", "R/bee");
    const auto report = plan.apply(herd);
    CHECK(report.machines == left);
    CHECK(report.moved == moved);
    CHECK(report.replaced == 0);
    const char* const now[] = {"a", "bee", "c"};
    std::size_t in_states = 0;
    for (const auto* each : now) in_states += herd.count(each);
    CHECK(in_states == active);
    CHECK(herd.count("x") == 0);
    herd.remove(herd.add_element(contexts.size() - 1));
    for (std::size_t i = 0; i < ids.size(); ++i) {
        REQUIRE(herd.has(ids[i]) == (i % 11 != 0));
        if (i % 11 == 0) continue;
        REQUIRE(herd.is_in(ids[i], now[i % 3]) == (i % 7 != 0));
        REQUIRE(herd.get(ids[i], "Wet") == wet[i]);
    }
    herd.process_all(bark{});
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (i % 11 != 0 && i % 7 != 0 && i % 5 == 0 && i % 3 == 0) REQUIRE(herd.is_in(ids[i], "c"));
}

TEST_CASE("workers tick a crowd that has changed its chart") {
    const auto before = meadow("eat", 100ms), after = meadow("graze", 100ms);
    const auto played = [&](bool reloads) {
        hsm::crowd herd{before};
        fill(herd, 10'000);
        hsm::workers two(2);
        herd.tick(1ms, two);
        reload_plan plan(before, after);
        plan.map("meadow/eat", "meadow/graze");
        const auto eating = herd.count("eat");
        if (reloads) CHECK(plan.apply(herd).moved == eating);
        std::string seen;
        for (int i = 0; i < 60; ++i) {
            herd.tick(2ms, two);
            seen += std::to_string(herd.count("sleep")) + ' ';
        }
        return seen;
    };
    CHECK(played(true) == played(false));
}

TEST_CASE("an agent of a crowd cannot have a chart of its own") {
    const auto before = meadow("eat", 100ms), after = meadow("eat", 100ms);
    hsm::crowd herd{before};
    const auto id = herd.add();
    const reload_plan plan(before, after);
    CHECK(error_of([&] { plan.apply(*herd[id]); }).find("HSM-423") == 0);
    CHECK(error_of([&] { plan.report(*herd[id]); }).find("HSM-423") == 0);
    CHECK(herd.is_in(id, "eat"));
}

TEST_CASE("a plan is not applied to a crowd while a hook of an agent runs") {
    hsm::crowd<sheep>* herd = nullptr;
    const reload_plan* wanted = nullptr;
    result seen = result::taken;
    const auto make = [&] {
        auto root = hsm::make_fsm<sheep>("A");
        root->add("idle").on<bark>().then([&](sheep&) { seen = wanted->apply(*herd).outcome; });
        return hsm::compile(std::move(root));
    };
    const auto before = make(), after = make();
    hsm::crowd all{before};
    const reload_plan plan(before, after);
    herd = &all;
    wanted = &plan;
    all[all.add()]->process(bark{});
    CHECK(seen == result::busy);
    CHECK(plan.apply(all).machines == 1);
}
