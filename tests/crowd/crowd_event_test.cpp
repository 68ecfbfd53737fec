// Events for one agent, for those in a state, for all; loops over agents; queries of their states, with and without lists.

#include <tests/support/crowd.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

using namespace test;
using namespace std::chrono_literals;

namespace {

/// R{ idle{ sits, lies }, runs }: push leads along the states, pull leads back from each; "ring" throws if `go`.
hsm::chart<animal> nested_chart(const hsm::compile_options& options = {}) {
    auto root = hsm::make_fsm<animal>("R");
    auto& idle = root->add_fsm("idle");
    auto& sits = with_trace(idle.add("sits"));
    auto& lies = with_trace(idle.add("lies"));
    auto& runs = with_trace(root->add("runs"));
    sits.to(lies).on<push>();
    lies.to(runs).on<push>();
    runs.to(sits).on<push>().when([](const animal& a) { return a.go; });
    root->to(sits).on<pull>();
    root->on("ring").then([](animal& a) {
        a.note("ring");
        a.act();
    });
    root->on<call>().then([](animal& a, const call& c) { a.note("call" + std::to_string(c.number)); });
    return hsm::compile(std::move(root), options);
}

/// R{ P{ 1{a, b}, 2{c, d} }, out }, push: a to b, pull: c to d, "out" and "in".
hsm::chart<animal> chart_with_regions() {
    auto root = hsm::make_fsm<animal>("R");
    auto& p = root->add_parallel("P");
    auto& one = p.add_fsm("1");
    auto& two = p.add_fsm("2");
    auto& a = one.add("a");
    auto& b = one.add("b");
    auto& c = two.add("c");
    auto& d = two.add("d");
    auto& out = root->add("out");
    a.to(b).on<push>();
    c.to(d).on<pull>();
    p.to(out).on("out");
    out.to(p).on("in");
    return hsm::compile(std::move(root));
}

std::string walk(const animals& m, const hsm::state_query& state) {
    std::string text;
    m.herd.each(state, [&](hsm::agent_id id, const animal& a) {
        CHECK(m.herd.has(id));
        CHECK(&m.herd.context(id) == &a);
        text += (text.empty() ? "" : " ") + std::to_string(a.number);
    });
    return text;
}

std::string walk(const animals& m) {
    std::string text;
    m.herd.each([&](hsm::agent_id, const animal& a) { text += (text.empty() ? "" : " ") + std::to_string(a.number); });
    return text;
}

} // namespace

TEST_CASE("process for one agent returns the same result as for an instance") {
    animals m(3, nested_chart());
    CHECK(m.herd[m.ids[1]]->process(push{}) == hsm::result::taken);
    CHECK(m.r.take() == "X sits 1, E lies 1");
    CHECK((*m.herd[m.ids[1]]).current().path() == "R/idle/lies");
    CHECK(&m.herd[m.ids[1]]->context() == &m.of(1));
    CHECK(m.herd[m.ids[1]]->can(push{}));
    CHECK(m.herd[m.ids[2]]->process(call{7}) == hsm::result::internal);
    CHECK(m.r.take() == "call7 2");
    CHECK(m.herd[m.ids[0]]->process("nothing") == hsm::result::unhandled);
    CHECK(m.herd[m.ids[0]]->change_to("runs") == hsm::result::taken);
    CHECK(m.r.take() == "X sits 0, E runs 0");
    CHECK(m.tick() == "U runs 0, U lies 1, U sits 2");
}

TEST_CASE("events for all agents and for those in a state return the results") {
    for (const bool lists : {false, true}) {
        CAPTURE(lists);
        animals m(4, nested_chart(), {.lists = lists});
        m.herd[m.ids[2]]->process(push{});
        m.herd[m.ids[3]]->change_to("runs");
        m.r.take();
        auto results = m.herd.process_in("idle", push{});
        CHECK(m.r.take() == "X sits 0, E lies 0, X sits 1, E lies 1, X lies 2, E runs 2");
        CHECK(results[hsm::result::taken] == 3);
        results = m.herd.process_all(push{});
        CHECK(m.r.take() == "X lies 0, E runs 0, X lies 1, E runs 1");
        CHECK(results[hsm::result::taken] == 2);
        CHECK(results[hsm::result::guarded] == 2);
        CHECK(results.accepted() == 2);
        results = m.herd.process_in("idle/sits", push{});
        CHECK(results.accepted() == 0);
        results = m.herd.process_all("ring");
        CHECK(m.r.take() == "ring 0, ring 1, ring 2, ring 3");
        CHECK(results[hsm::result::internal] == 4);
        CHECK(m.herd.process_in("runs", call{1})[hsm::result::internal] == 4);
        m.r.take();
        CHECK(m.herd.process_in("idle", "ring")[hsm::result::internal] == 0);
        CHECK(code_of<hsm::state_error>([&] { m.herd.process_in("jumps", push{}); }) == 202);
        CHECK(m.r.take() == "");
    }
}

TEST_CASE("agents receive an event that their superstate handles, with programs by leaf and with shared programs") {
    for (const std::size_t memory : {0u, 1u << 24}) {
        CAPTURE(memory);
        animals m(3, nested_chart({.program_memory = memory}));
        m.herd[m.ids[1]]->change_to("runs");
        m.r.take();
        CHECK(m.herd.process_all("ring")[hsm::result::internal] == 3);
        CHECK(m.r.take() == "ring 0, ring 1, ring 2");
        CHECK(m.herd.process_all(push{})[hsm::result::taken] == 2);
        CHECK(m.r.take() == "X sits 0, E lies 0, X sits 2, E lies 2");
    }
}

TEST_CASE("if a hook throws, the other agents receive the event, and the first exception propagates") {
    animals m(4, nested_chart());
    m.of(1).does = m.of(3).does = &throw_at;
    CHECK(error_text([&] { m.herd.process_all("ring"); }) == "1");
    CHECK(m.r.take() == "ring 0, ring 1, ring 2, ring 3");
    CHECK(error_text([&] { m.herd.process_in("idle/sits", "ring"); }) == "1");
    CHECK(m.r.take() == "ring 0, ring 1, ring 2, ring 3");
    m.of(1).does = m.of(3).does = nullptr;
    CHECK(m.herd.process_all(push{})[hsm::result::taken] == 4);
}

TEST_CASE("agents that a hook removes during process_all do not receive the event") {
    animals m(4, nested_chart());
    m.of(1).does = [&](animal&) {
        m.herd.remove(m.ids[0]);
        m.herd.remove(m.ids[1]);
        m.herd.remove(m.ids[2]);
    };
    const auto results = m.herd.process_all("ring");
    CHECK(m.r.take() == "ring 0, ring 1, X sits 0, X sits 2, X sits 1, ring 3");
    CHECK(results[hsm::result::internal] == 3);
    CHECK(walk(m) == "3");
}

TEST_CASE("each visits agents by index, without agents that are removed during the loop") {
    animals m(0, nested_chart());
    for (int i = 0; i < 4100; ++i) m.add();
    for (std::size_t i = 0; i < 4100; ++i)
        if (i > 2 && i < 4094) m.herd.remove(m.ids[i]);
    CHECK(walk(m) == "0 1 2 4094 4095 4096 4097 4098 4099");
    std::string text;
    m.herd.each([&](hsm::agent_id id, const animal& a) {
        text += " " + std::to_string(a.number);
        if (a.number == 1) {
            m.herd.remove(id);
            m.herd.remove(m.ids[0]);
            m.herd.remove(m.ids[4095]);
            m.herd.remove(m.ids[4097]);
        }
    });
    CHECK(text == " 0 1 2 4094 4096 4098 4099");
}

TEST_CASE("each, count, is_in and current find the agents of a state") {
    for (const bool lists : {false, true}) {
        CAPTURE(lists);
        animals m(4, nested_chart(), {.lists = lists});
        m.herd[m.ids[1]]->process(push{});
        m.herd[m.ids[3]]->change_to("runs");
        CHECK(walk(m, "R") == "0 1 2 3");
        CHECK(walk(m, "idle") == "0 1 2");
        CHECK(walk(m, "idle/sits") == "0 2");
        CHECK(walk(m, "idle/lies") == "1");
        CHECK(walk(m, "runs") == "3");
        CHECK(m.herd.count("idle") == 3);
        CHECK(m.herd.count("runs") == 1);
        CHECK(m.herd.is_in(m.ids[1], "idle"));
        CHECK(m.herd.is_in(m.ids[1], "idle/lies"));
        CHECK_FALSE(m.herd.is_in(m.ids[1], "idle/sits"));
        CHECK_FALSE(m.herd.is_in(m.ids[3], "idle"));
        CHECK(m.herd.current(m.ids[3]).path() == "R/runs");
        m.herd.remove(m.ids[0]);
        m.herd[m.ids[2]]->stop();
        CHECK(walk(m, "idle") == "1");
        CHECK(walk(m, "R") == "1 3");
        CHECK(walk(m) == "1 2 3");
        CHECK(m.herd.count("idle/sits") == 0);
        CHECK(m.herd.count() == 3);
        CHECK_FALSE(m.herd.current(m.ids[2]));
        CHECK(code_of<hsm::state_error>([&] { static_cast<void>(m.herd.count("jumps")); }) == 202);
        CHECK(code_of<hsm::state_error>([&] { m.herd.each("jumps", [](hsm::agent_id, animal&) {}); }) == 202);
        CHECK(code_of<hsm::state_error>([&] { static_cast<void>(m.herd.is_in(m.ids[1], "jumps")); }) == 202);
    }
}

TEST_CASE("each, count, is_in and process_in find the agents with a tag") {
    auto root = hsm::make_fsm<animal>("R");
    auto& idle = root->add_fsm("idle");
    auto& sits = idle.add("sits").tag("slow");
    auto& lies = idle.add("lies");
    auto& runs = root->add_fsm("runs").tag("awake");
    auto& far = runs.add("far").tag("slow").tag("awake");
    sits.to(lies).on<push>();
    lies.to(far).on<push>();
    root->on<pull>().then([](animal& a) { a.note("pull"); });
    const auto chart = hsm::compile(std::move(root));
    for (const bool lists : {false, true}) {
        CAPTURE(lists);
        animals m(4, chart, {.lists = lists});
        m.herd[m.ids[1]]->process(push{});
        m.herd[m.ids[3]]->change_to("runs");
        const auto slow = hsm::tag("slow");
        CHECK(walk(m, slow) == "0 2 3");
        CHECK(m.herd.count(slow) == 3);
        CHECK(walk(m, hsm::tag("awake")) == "3");
        CHECK(m.herd.count(hsm::tag("awake")) == 1);
        CHECK(m.herd.is_in(m.ids[0], slow));
        CHECK_FALSE(m.herd.is_in(m.ids[1], slow));
        CHECK(m.herd[m.ids[3]]->is_in(slow));
        CHECK(m.herd.process_in(slow, pull{}).accepted() == 3);
        m.herd[m.ids[2]]->stop();
        CHECK(walk(m, slow) == "0 3");
        CHECK(code_of<hsm::state_error>([&] { static_cast<void>(m.herd.count(hsm::tag("sits"))); }) == 202);
        CHECK(code_of<hsm::state_error>([&] { m.herd.process_in(hsm::tag("sits"), pull{}); }) == 202);
    }
}

TEST_CASE("each, count, is_in and current find the agents of a state with regions") {
    for (const bool lists : {false, true}) {
        CAPTURE(lists);
        animals m(4, chart_with_regions(), {.lists = lists});
        m.herd[m.ids[1]]->process(push{});
        m.herd[m.ids[2]]->process(pull{});
        m.herd[m.ids[3]]->process("out");
        CHECK(walk(m, "P") == "0 1 2");
        CHECK(walk(m, "R/P/1/a") == "0 2");
        CHECK(walk(m, "R/P/1/b") == "1");
        CHECK(walk(m, "R/P/2/c") == "0 1");
        CHECK(walk(m, "R/P/2/d") == "2");
        CHECK(walk(m, "out") == "3");
        CHECK(walk(m, "R") == "0 1 2 3");
        CHECK(m.herd.is_in(m.ids[1], "R/P/1/b"));
        CHECK(m.herd.is_in(m.ids[1], "R/P/2/c"));
        CHECK_FALSE(m.herd.is_in(m.ids[1], "R/P/1/a"));
        CHECK(m.herd.current(m.ids[1]).name() == "P");
        CHECK(m.herd.process_in("R/P/2/c", "out")[hsm::result::taken] == 2);
        CHECK(walk(m, "out") == "0 1 3");
        CHECK(m.herd.process_all("in")[hsm::result::taken] == 3);
        CHECK(walk(m, "R/P/1/a") == "0 1 2 3");
        CHECK(walk(m, "R/P/2/c") == "0 1 3");
        m.herd.remove(m.ids[0]);
        m.herd[m.ids[1]]->reset();
        CHECK(walk(m, "R/P/1/a") == "2 3");
        CHECK(walk(m, "R/P/2/c") == "3");
    }
}

TEST_CASE("lists are correct after ticks, exceptions and updates") {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = root->add("A");
    auto& b = root->add("B").on_update([](animal& x) { x.act(); });
    auto& c = root->add("C");
    a.to(b).when("Go");
    b.to(a).when("Back");
    a.to(c).when("Throw").then([](animal& x) { throw_at(x); });
    b.to(c).on<push>();
    animals m(6, hsm::compile(std::move(root), {.entry_times = false}), {.lists = true});
    const auto all = [&] { return walk(m, "A") + " | " + walk(m, "B") + " | " + walk(m, "C"); };
    m.herd.set(m.ids[1], "Go");
    m.herd.set(m.ids[2], "Go");
    m.herd.tick();
    CHECK(all() == "0 3 4 5 | 1 2 | ");
    m.herd.set_all("Go", false);
    m.herd.set(m.ids[1], "Back");
    m.herd.set(m.ids[4], "Throw");
    CHECK(error_text([&] { m.herd.tick(); }) == "4");
    CHECK(all() == "0 1 3 5 | 2 | "); // 4 rests in R
    m.herd.clear(m.ids[4], "Throw");
    m.of(2).does = [&](animal& x) { m.herd[x.self]->process(push{}), throw_at(x); };
    CHECK(error_text([&] { m.herd.tick(); }) == "2");
    m.herd.tick();
    CHECK(all() == "0 1 3 4 5 |  | 2");
    m.herd.set(m.ids[0], "Go");
    m.herd.set(m.ids[3], "Throw");
    m.herd.set(m.ids[5], "Go");
    CHECK(error_text([&] { m.herd.tick(); }) == "3");
    CHECK(all() == "1 4 | 0 5 | 2");
    CHECK(m.herd.count("R") == 6);
}

namespace {

/// R{ A, B, C, D }: "go" leads from A to B to C to A, and D does not handle it. An extra makes the chart more than plain.
enum class extra { nothing, times, conditions, over, unhandled, any_event, regions, updates, timers };
constexpr extra all_extras[] = {extra::nothing,   extra::times,   extra::conditions, extra::over,  extra::unhandled,
                                extra::any_event, extra::regions, extra::updates,    extra::timers};

hsm::chart<animal> round_chart(extra more) {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto& c = root->add("C");
    root->add("D");
    for (auto* s : {&a, &b, &c}) {
        const std::string name(s->name());
        s->on_enter([name](animal& x) { x.note("E " + name), x.act(); }).on_exit([name](animal& x) { x.note("X " + name); });
    }
    a.to(b).on("go");
    b.to(c).on("go").when([](const animal& x) { return x.number % 3 != 0; });
    c.to(a).on("go");
    if (more == extra::conditions) a.to(c).when("Wake");
    if (more == extra::over) b.to(a).when(hsm::is_over);
    if (more == extra::unhandled) root->on_unhandled([](animal& x) { x.note("? "); });
    if (more == extra::any_event)
        root->on(hsm::any_event).when([](const animal& x) { return x.number % 2 == 0; }).then([](animal& x) { x.note("any"); });
    if (more == extra::updates) a.on_update([](animal& x) { x.note("U"); });
    if (more == extra::timers) c.to(a).after(hsm::time_span::from_nanoseconds(5));
    if (more == extra::regions) {
        auto& p = root->add_parallel("P");
        p.add_fsm("1").add("x");
        p.add_fsm("2").add("y");
        p.to(a).on("go");
        a.to(p).on<push>();
    }
    return hsm::compile(std::move(root), {.entry_times = more == extra::times});
}

void prepare(animals& m, int i) {
    const auto& id = m.ids[static_cast<std::size_t>(i)];
    const char* const names[] = {"A", "B", "C", "D"};
    m.herd[id]->change_to(names[i * 7 / 3 % 4]);
    if (i % 50 == 1) m.herd[id]->post("go");
    if (i % 50 == 2) m.herd[id]->pause();
    if (i % 50 == 3) m.herd[id]->stop();
    if (i % 50 == 4) m.herd.remove(id);
    if (i % 50 == 5) m.of(static_cast<std::size_t>(i)).does = &throw_at;
    if (i % 50 == 6)
        m.of(static_cast<std::size_t>(i)).does = [&m](animal& x) { m.herd[m.ids[static_cast<std::size_t>(x.number) + 3]]->process("go"); };
    if (i % 50 == 7) m.of(static_cast<std::size_t>(i)).does = [](animal&) {};
}

/// Gives the event to one agent after the other.
hsm::result_counts give_one_by_one(animals& m, bool posted) {
    hsm::result_counts results;
    std::exception_ptr first;
    for (const auto id : m.ids) {
        if (!m.herd.has(id)) continue;
        try {
            ++results.counts[static_cast<std::size_t>(posted ? m.herd[id]->post("go") : m.herd[id]->process("go"))];
        } catch (...) {
            if (!first) first = std::current_exception();
        }
    }
    m.r.note(first ? error_text([&] { std::rethrow_exception(first); }) : "none threw");
    return results;
}

std::string shown(const hsm::result_counts& all) {
    std::string text;
    for (const auto c : all.counts) text += std::to_string(c) + ' ';
    return text;
}

} // namespace

TEST_CASE("process_all has the same effect as process for each agent, in any chart") {
    for (const auto more : all_extras)
        for (const int options : {0, 3}) {
            CAPTURE(static_cast<int>(more));
            CAPTURE(options);
            const hsm::crowd_options how{.lists = options % 2 == 1, .vector_code = options == 0};
            animals all(4300, round_chart(more), how), each(4300, round_chart(more), how);
            for (auto* m : {&all, &each})
                for (int i = 0; i < 4300; ++i) prepare(*m, i);
            for (int n = 0; n < 2; ++n) {
                for (auto* m : {&all, &each}) m->r.take();
                hsm::result_counts results;
                const auto thrown = error_text([&] { results = all.herd.process_all("go"); });
                all.r.note(thrown.empty() ? "none threw" : thrown);
                const auto wanted = give_one_by_one(each, false);
                CHECK(all.r.take() == each.r.take());
                if (thrown.empty()) CHECK(shown(results) == shown(wanted));
                CHECK(all.herd.state_hash() == each.herd.state_hash());
                for (auto* m : {&all, &each}) m->of(5).does = nullptr;
                for (auto* m : {&all, &each}) static_cast<void>(error_text([&] { m->herd.tick(hsm::time_span::from_nanoseconds(3)); }));
                CHECK(all.r.take() == each.r.take());
                CHECK(all.herd.state_hash() == each.herd.state_hash());
                CHECK(all.herd.count("B") == each.herd.count("B"));
                CHECK(shown(all.herd.post_all("go")) == shown(give_one_by_one(each, true)));
                if (n == 0) // from here on no hook throws, and the results are known
                    for (auto* m : {&all, &each}) m->herd.each([](hsm::agent_id, animal& x) { x.does = nullptr; });
            }
        }
}

TEST_CASE("an agent receives the event if an earlier agent makes it enter the state or handle the event") {
    auto root = hsm::make_fsm<animal>("R");
    auto& deaf = root->add("deaf");
    auto& hears = root->add("hears");
    deaf.to(hears).on<push>();
    hears.on("ring").then([](animal& a) {
        a.note("ring");
        a.act();
    });
    animals m(130, hsm::compile(std::move(root)));
    m.herd[m.ids[66]]->process(push{});
    m.of(66).does = [&](animal&) {
        for (const std::size_t i : {0u, 65u, 67u, 129u}) m.herd[m.ids[i]]->process(push{});
    };
    auto results = m.herd.process_all("ring");
    CHECK(m.r.take() == "ring 66, ring 67, ring 129");
    CHECK(results[hsm::result::internal] == 3);
    CHECK(results[hsm::result::unhandled] == 127);
    // a newcomer that gets the place of a removed agent receives the event of process_all, but not that for a list
    m.of(66).does = [&](animal&) {
        m.herd.remove(m.ids[67]);
        m.herd[m.add()]->process(push{});
        m.r.take();
    };
    results = m.herd.process_all("ring");
    CHECK(m.r.take() == "ring 130, ring 129");
    CHECK(results[hsm::result::internal] == 5); // 0, 65, 66, the newcomer, 129
    m.ids[67] = m.ids[130];
    m.of(66).does = [&](animal&) {
        m.herd.remove(m.ids[67]);
        m.herd[m.add()]->process(push{});
        m.r.take();
    };
    results = m.herd.process(m.ids, "ring");
    CHECK(m.r.take() == "ring 129");
    CHECK(results[hsm::result::internal] == 4);
}

TEST_CASE("an event in a tick uses the clock of its agents, also on a page that has just been added") {
    for (const bool adds : {false, true}) {
        CAPTURE(adds);
        animals m(4096 + 3);
        m.herd.remove(m.ids[4096]);
        m.of(0).does = [&](animal&) {
            if (adds) CHECK(m.herd.add(&m.r, 9999).index == 4096);
            const hsm::agent_id list[] = {m.ids[4097]};
            m.herd.process(list, push{});
        };
        m.tick(1s);
        CHECK(m.herd[m.ids[4097]]->current().name() == "B");
        CHECK(m.herd[m.ids[4097]]->time_in_state() == 1s);
    }
}

TEST_CASE("an event for a list follows its order and repetitions, without removed agents") {
    animals m(4200, nested_chart());
    m.herd.remove(m.ids[3]);
    const hsm::agent_id some[] = {m.ids[5], m.ids[2], m.ids[2], m.ids[3], {}, m.ids[4199], m.ids[7], m.ids[4100], m.ids[4101]};
    m.r.take();
    auto results = m.herd.process(some, call{1});
    CHECK(m.r.take() == "call1 5, call1 2, call1 2, call1 4199, call1 7, call1 4100, call1 4101");
    CHECK(results[hsm::result::internal] == 7);
    results = m.herd.process(some, "unexpected");
    CHECK(results[hsm::result::unhandled] == 7);
    m.of(2).does = [&](animal& a) {
        a.does = nullptr;
        m.herd.process(some, "ring"); // the agent's own event is queued
    };
    results = m.herd.process(some, "ring");
    CHECK(results[hsm::result::internal] == 7);
    CHECK(m.r.take() ==
          "ring 5, ring 2, ring 5, ring 4199, ring 7, ring 4100, ring 4101, ring 2, ring 2, ring 2, ring 4199, ring 7, ring 4100, ring 4101");
    CHECK(m.herd.post(some, "ring")[hsm::result::queued] == 7);
    CHECK(m.decide() == "ring 2, ring 2, ring 5, ring 7, ring 4100, ring 4101, ring 4199");
}

TEST_CASE("process_all updates the due times of agents that change their state") {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto& c = root->add("C");
    a.to(b).on<push>();
    a.to(c).after(10s);
    b.to(c).after(2s);
    animals m(3, hsm::compile(std::move(root)));
    m.herd.tick(1s);
    CHECK(m.herd.process_all(push{})[hsm::result::taken] == 3);
    m.herd.tick(1s);
    CHECK(m.herd.count("B") == 3);
    m.herd.tick(1s);
    m.herd.tick(1s);
    CHECK(m.herd.count("C") == 3);
}
