// The column of due times: when ticks visit agents that wait for time, and that every change of a due time updates it.

#include <hsm/crowd/detail/crowd_core.hpp>
#include <tests/support/crowd.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace test;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t second = 1'000'000'000;
using hsm::detail::never;
using fsm = hsm::fsm<animal>;

/// A crowd of animals with access to its columns.
class flock {
public:
    flock(int n, hsm::chart<animal> of, const hsm::crowd_options& options = {})
        : chart(std::move(of)), core(chart, hsm::detail::agent_kind_of<animal>, options, nullptr, 0) {
        for (int i = 0; i < n; ++i) add();
        r.take();
    }

    std::uint32_t place() {
        const auto at = core.find_position(0, 0);
        new (core.context(at)) animal{&r, static_cast<int>(at)};
        return at;
    }
    hsm::agent_id add() { return ids.emplace_back(core.add(place(), nullptr)); }
    hsm::agent_id adopt(hsm::instance<animal>& from) { return ids.emplace_back(core.add(place(), &from)); }
    animal& of(std::size_t i) { return *static_cast<animal*>(core.context(ids[i].index)); }
    template <class Call> void with(std::size_t i, Call call) {
        auto& s = core.load(ids[i]);
        call(static_cast<hsm::instance<animal>&>(s.machine()));
        core.store(s);
    }
    void set(std::size_t i, const char* condition, bool on = true) {
        core.change(ids[i], core.number_to_set(condition), on ? hsm::condition_change::on : hsm::condition_change::off);
    }
    std::int64_t due(std::size_t i) { return core.page_number(ids[i].index / hsm::detail::page_agents).due(ids[i].index % hsm::detail::page_agents); }
    /// Returns the numbers of the agents that a tick of that length would visit.
    std::string looked_at(std::int64_t elapsed) {
        std::string text;
        for (std::size_t n = 0; n < core.pages(); ++n) {
            hsm::detail::agent_bits found{};
            core.page_number(n).find_must_tick(found, core.now() + elapsed);
            for (std::size_t i = 0; i < hsm::detail::page_agents; ++i)
                if (found[i / 64] >> i % 64 & 1) text += (text.empty() ? "" : " ") + std::to_string(n * hsm::detail::page_agents + i);
        }
        return text;
    }
    std::string tick(hsm::time_span t) { return core.run(t.nanoseconds(), hsm::detail::agent_slot::phase::both, nullptr), r.take(); }
    std::string update(hsm::time_span t) { return core.run(t.nanoseconds(), hsm::detail::agent_slot::phase::hooks, nullptr), r.take(); }
    std::string decide() { return core.run(0, hsm::detail::agent_slot::phase::decisions, nullptr), r.take(); }
    std::string states() {
        std::string text;
        for (const auto id : ids) text += core.has(id) ? std::string(core.current(id).name()) : "-";
        return text;
    }

    recorder r;
    hsm::chart<animal> chart;
    hsm::detail::crowd_core core;
    std::vector<hsm::agent_id> ids;
};

/// R{ A, B, C }: A waits three seconds for B, that one second for A; C waits for nothing. push leads to B, pull to C, "Go" from A to C.
hsm::chart<animal> waiting_chart(const hsm::compile_options& options = {}) {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto& c = root->add("C");
    a.to(b).after(3s);
    a.to(c).when("Go");
    b.to(a).after(1s);
    root->to(b).on<push>();
    root->to(c).on<pull>();
    return hsm::compile(std::move(root), options);
}

/// R{ A }, extended by `layout`.
hsm::chart<animal> chart_of(const std::function<void(fsm&)>& layout) {
    auto root = hsm::make_fsm<animal>("R");
    layout(*root);
    return hsm::compile(std::move(root));
}

} // namespace

TEST_CASE("an agent that waits for time is ticked only when it is due") {
    for (const bool vector_code : {false, true}) {
        flock f(2, waiting_chart(), {.vector_code = vector_code});
        f.tick(1s);
        f.add();
        CHECK(f.looked_at(2 * second - 1) == "");
        CHECK(f.looked_at(2 * second) == "0 1");
        CHECK(f.looked_at(3 * second) == "0 1 2");
        CHECK(f.looked_at(0) == "");
        f.tick(2s);
        CHECK(f.states() == "BBA");
        CHECK(f.looked_at(second - 1) == "");
        CHECK(f.looked_at(second) == "0 1 2");
        f.tick(1s);
        CHECK(f.states() == "AAB");
    }
}

TEST_CASE("each change of an agent's timers changes its due time") {
    using one = hsm::instance<animal>;
    struct way {
        const char* name;
        std::function<void(flock&)> go;
        std::int64_t due; ///< seconds; it has been in A since 0, and it is 1 now
    };
    constexpr std::int64_t nothing = -1;
    const auto call = [](auto what) { return [=](flock& f) { f.with(0, what); }; };
    const std::vector<way> ways{
        {"nothing", [](flock&) {}, 3},
        {"process, to one that waits", call([](one& m) { m.process(push{}); }), 2},
        {"process, to one that does not", call([](one& m) { m.process(pull{}); }), nothing},
        {"post", [](flock& f) { f.with(0, [](one& m) { m.post(push{}); }), f.tick(0s); }, 2},
        {"post, before its turn", call([](one& m) { m.post(push{}); }), nothing}, // visited anyway
        {"a tick's transition to one that does not wait", [](flock& f) { f.set(0, "Go"), f.tick(0s); }, nothing},
        {"a tick's transition to one that waits", [](flock& f) { f.tick(2s); }, 4},
        {"two ticks' transitions", [](flock& f) { f.tick(2s), f.tick(1s); }, 7},
        {"decide", [](flock& f) { f.update(2s), f.decide(); }, 4},
        {"update", [](flock& f) { f.update(2s); }, 3},
        {"change_to", call([](one& m) { m.change_to("B"); }), 2},
        {"force_to", call([](one& m) { m.force_to("B"); }), 2},
        {"itself anew", call([](one& m) { m.change_to("A"); }), 4},
        {"set_state", call([](one& m) { m.set_state("B"); }), 2},
        {"stop", call([](one& m) { m.stop(); }), nothing},
        {"stop and start", [](flock& f) { f.with(0, [](one& m) { m.stop(); }), f.with(0, [](one& m) { m.start(); }); }, 4},
        {"start elsewhere", [](flock& f) { f.with(0, [](one& m) { m.stop(); }), f.with(0, [](one& m) { m.start("B"); }); }, 2},
        {"restart", call([](one& m) { m.restart(); }), 4},
        {"destroy", call([](one& m) { m.destroy(); }), nothing},
        {"reset", call([](one& m) { m.reset(); }), nothing},
        {"remove", [](flock& f) { f.core.remove(f.ids[0]); }, nothing},
        {"another one in its place", [](flock& f) { f.core.remove(f.ids[0]), f.add(); }, 4},
        {"pause", call([](one& m) { m.pause(); }), nothing}, // it has a clock of its own from then on
        {"another scale", call([](one& m) { m.set_time_scale(2); }), nothing},
        {"pause and resume at once", [](flock& f) { f.with(0, [](one& m) { m.pause(); }), f.with(0, [](one& m) { m.resume(); }); }, 3},
        {"another scale and back", [](flock& f) { f.with(0, [](one& m) { m.set_time_scale(2); }), f.with(0, [](one& m) { m.set_time_scale(1); }); },
         3},
        {"pause, and resume later", [](flock& f) { f.with(0, [](one& m) { m.pause(); }), f.tick(1s), f.with(0, [](one& m) { m.resume(); }); },
         nothing},
        {"take_over by another one",
         [](flock& f) {
             one to(f.chart, f.of(0));
             f.core.release(f.ids[0], to);
         },
         nothing},
    };
    for (const bool entry_times : {false, true})
        for (const bool lists : {false, true})
            for (const auto& w : ways) {
                CAPTURE(w.name);
                CAPTURE(entry_times);
                flock f(1, waiting_chart({.entry_times = entry_times}), {.lists = lists});
                f.tick(1s);
                REQUIRE(f.due(0) == 3 * second);
                w.go(f);
                CHECK(f.due(0) == (w.due == nothing ? never : w.due * second));
                if (w.due != nothing) CHECK(f.looked_at(w.due * second - f.core.now() - 1) == "");
                if (w.due != nothing) CHECK(f.looked_at(w.due * second - f.core.now()) == "0");
            }
}

TEST_CASE("an adopted agent waits for the remaining time") {
    flock f(0, waiting_chart());
    f.tick(10s);
    animal a{&f.r, 7};
    hsm::instance<animal> hero(f.chart, a);
    hero.start();
    hero.tick(1s);
    f.adopt(hero);
    CHECK(f.due(0) == 12 * second);
    f.tick(1s);
    CHECK(f.states() == "A");
    f.tick(1s);
    CHECK(f.states() == "B");
    hero.start();
    hero.pause();
    hero.tick(1s);
    f.adopt(hero); // is paused here, too
    CHECK(f.due(1) == never);
    CHECK(f.looked_at(0) == "1");
}

TEST_CASE("a hook in a tick may change the timers of others, before and after their turn") {
    const auto chart = [] {
        auto root = hsm::make_fsm<animal>("R");
        auto& a = with_trace(root->add("A"));
        auto& b = root->add("B");
        auto& c = root->add("C");
        a.to(b).on<push>();
        b.to(c).after(0s);
        c.to(b).after(5s);
        return hsm::compile(std::move(root));
    };
    flock f(3, chart());
    f.with(0, [](auto& m) { m.change_to("B"); });
    f.with(2, [](auto& m) { m.change_to("B"); });
    f.tick(1s);
    f.r.take();
    CHECK(f.states() == "CAC");
    CHECK(f.due(0) == 6 * second);
    f.of(1).does = [&f](animal&) {
        for (const std::size_t i : {0u, 2u}) f.with(i, [](auto& m) { m.change_to("B"); });
    };
    f.tick(1s);
    CHECK(f.states() == "BAC"); // the last one entered B, and continued in the same tick
    CHECK(f.due(0) == 2 * second);
    CHECK(f.due(2) == 7 * second);
    f.of(1).does = [&f](animal&) { f.core.remove(f.ids[2]), f.add(); };
    f.tick(1s);
    CHECK(f.states() == "CA-A");
}

TEST_CASE("conditions wake agents that wait for time; conditions of a timed transition are tested when it is due") {
    const auto chart = [] {
        return chart_of([](fsm& root) {
            auto& a = root.add("A");
            auto& b = root.add("B");
            auto& c = root.add("C");
            a.to(b).after(2s).when("Timed");
            a.to(c).when("Go");
        });
    };
    flock f(2, chart());
    f.set(0, "Timed");
    CHECK(f.looked_at(2 * second - 1) == "");
    CHECK(f.looked_at(2 * second) == "0");
    f.set(1, "Go");
    CHECK(f.looked_at(0) == "1");
    f.set(1, "Go", false);
    f.tick(2s);
    CHECK(f.states() == "BA");
    CHECK(f.looked_at(second) == ""); // due, but only if the condition holds
    f.set(1, "Timed");
    CHECK(f.looked_at(0) == "1");
    f.tick(0s);
    CHECK(f.states() == "BB");
    flock many(200, chart());
    for (const std::size_t i : {3u, 70u, 197u}) many.set(i, "Timed");
    CHECK(many.looked_at(2 * second - 1) == "");
    CHECK(many.looked_at(2 * second) == "3 70 197");
}

TEST_CASE("the earliest of several timers on the path determines the due time") {
    flock f(1, chart_of([](fsm& root) {
                auto& m = root.add_fsm("M");
                auto& a = m.add("A");
                auto& b = m.add("B");
                auto& end = root.add("end");
                m.to(end).after(5s);
                a.to(b).after(2s);
                a.to(b).on<push>().after(1s); // not polled by ticks
                b.to(a).after(10s);
            }));
    CHECK(f.due(0) == 2 * second);
    f.tick(2s);
    CHECK(f.due(0) == 5 * second);
    f.tick(10s);
    CHECK(f.states() == "end");
    CHECK(f.due(0) == never);
}

TEST_CASE("every is due at its next time, and skipped runs follow one per tick") {
    flock f(1, chart_of([](fsm& root) {
                root.every(3s).then([](animal& a) { a.note("every"); });
                root.add("A").every(5s).then([](animal& a) { a.note("A"); });
            }));
    CHECK(f.due(0) == 3 * second);
    CHECK(f.tick(3s) == "every 0");
    CHECK(f.due(0) == 5 * second);
    CHECK(f.tick(1s) == "");
    CHECK(f.decide() == "");
    CHECK(f.update(9s) == "every 0, A 0"); // 13
    CHECK(f.due(0) == 9 * second);
    CHECK(f.looked_at(0) == "0");
    CHECK(f.tick(0s) == "every 0, A 0");
    CHECK(f.due(0) == 12 * second);
    CHECK(f.tick(0s) == "every 0");
    CHECK(f.due(0) == 15 * second);
    CHECK(f.looked_at(0) == "");
}

TEST_CASE("a reaction with after is used up when it fires") {
    flock f(1, chart_of([](fsm& root) {
                root.add("A");
                root.when("Go").after(2s).then([](animal& a) { a.note("R"); });
            }));
    CHECK(f.tick(2s) == "");
    CHECK(f.looked_at(0) == "");
    f.set(0, "Go");
    CHECK(f.looked_at(0) == "0");
    CHECK(f.tick(0s) == "R 0");
    CHECK(f.due(0) == never);
    CHECK(f.looked_at(10 * second) == "");
}

TEST_CASE("an agent with waiting work is ticked in every tick") {
    const std::vector<std::function<void(fsm&)>> shapes{
        [](fsm& r) { r.add("A").on_update([](animal&) {}); },
        [](fsm& r) { r.on_update([](animal&) {}), r.add("A"); },
        [](fsm& r) { r.add("A").to("B").when(&animal::go); },
        [](fsm& r) { r.to("B").when(&animal::go), r.add("A"); },
        [](fsm& r) { r.add("A").to("B").when(hsm::any("Go", "Stay", &animal::go)); },
        [](fsm& r) { r.add("A").when(&animal::go).then([](animal&) {}); },
        [](fsm& r) { r.add("A").to("B").on_finished(); },
        [](fsm& r) { r.add("A").hold_until(&animal::go); },
        [](fsm& r) {
            auto& m = r.add_fsm("A");
            m.dispatch(m.add("x")).when(&animal::go);
        },
    };
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        CAPTURE(i);
        flock f(1, chart_of([&](fsm& r) {
                    shapes[i](r);
                    auto& b = r.add("B");
                    r.to(b).after(5s);
                    b.to("A").after(2s);
                }));
        CHECK(f.due(0) == never);
        CHECK(f.looked_at(0) == "0");
        f.of(0).go = true; // ends the hold
        f.tick(5s);
        CHECK(f.states() == "B");
    }
}

TEST_CASE("a guard of a timed transition is called when it is due, and then in every tick") {
    int asked = 0;
    flock f(1, chart_of([&](fsm& root) {
                auto& a = root.add("A");
                auto& b = root.add("B");
                a.to(b).after(2s).when([&asked](const animal& x) { return ++asked, x.go; });
            }));
    CHECK(f.looked_at(2 * second - 1) == "");
    f.tick(1s);
    f.tick(1s);
    CHECK(asked == 1);
    for (int i = 0; i < 3; ++i) f.tick(1s);
    CHECK(asked == 4);
    f.of(0).go = true;
    f.tick(0s);
    CHECK(f.states() == "B");
}

TEST_CASE("an agent in the target of a timed transition does not wait for it, unless it has a guard") {
    const auto chart = [](bool guarded) {
        return chart_of([=](fsm& root) {
            auto& a = root.add("A");
            auto to = root.to(a).after(1s);
            if (guarded) to.when(&animal::go);
        });
    };
    flock plain(1, chart(false)), guarded(1, chart(true));
    CHECK(plain.due(0) == never);
    CHECK(plain.looked_at(second) == "");
    CHECK(guarded.due(0) == second);
}

TEST_CASE("each of many agents is ticked when it is due, on all pages") {
    for (const bool vector_code : {false, true}) {
        const int n = 2 * hsm::detail::page_agents + 130;
        flock f(n, waiting_chart(), {.vector_code = vector_code});
        f.tick(1s);
        const std::vector<std::size_t> late{0, 63, 64, 127, 130, 4095, 4096, 8191, 8192, 8321};
        std::string all;
        for (const auto i : late) {
            f.with(i, [](auto& m) { m.process(push{}); });
            all += (all.empty() ? "" : " ") + std::to_string(i);
        }
        CHECK(f.looked_at(second - 1) == "");
        CHECK(f.looked_at(second) == all);
        f.tick(1s);
        std::size_t in_a = 0;
        for (const auto c : f.states()) in_a += c == 'A';
        CHECK(in_a == static_cast<std::size_t>(n));
        CHECK(f.looked_at(second - 1) == "");
        f.tick(1s); // 3
        CHECK(f.core.count(f.core.number_of(hsm::state_key("B"))) == static_cast<std::size_t>(n) - late.size());
        f.tick(2s);
        CHECK(f.core.count(f.core.number_of(hsm::state_key("B"))) == late.size());
    }
}

TEST_CASE("an agent with decide_every waits for its tick, also when it is due") {
    flock f(4, waiting_chart(), {.decide_every = 4});
    f.tick(3s);
    CHECK(f.states() == "BAAA");
    f.tick(0s);
    CHECK(f.states() == "BAAB");
    f.tick(0s);
    CHECK(f.states() == "BABB");
    f.tick(0s);
    CHECK(f.states() == "BBBB");
    CHECK(f.looked_at(second - 1) == "");
}

TEST_CASE("at the maximum of the clock no agent waits for a time beyond it") {
    flock f(2, waiting_chart());
    const auto end = hsm::time_span::from_nanoseconds(std::numeric_limits<std::int64_t>::max());
    f.tick(end);
    CHECK(f.states() == "BB"); // a time that is too far away never comes
    CHECK(f.due(0) == never);
    f.tick(end);
    CHECK(f.states() == "BB");
}

TEST_CASE("only charts whose ticks wait for time have a column of due times") {
    const auto hot = [](hsm::chart<animal> chart) { return hsm::crowd<animal>(chart).hot_bytes(); };
    CHECK(hot(waiting_chart()) == 10);
    CHECK(hot(animal_chart()) == 2);
    CHECK(hot(chart_of([](fsm& r) { r.add("A").to("A").on<push>().after(1s); })) == 2);
    CHECK(hot(chart_of([](fsm& r) {
              r.add("A").to("A").after(1s);
              r.on_update([](animal&) {});
          })) == 2);
    flock with(1, waiting_chart()), without(1, animal_chart());
    CHECK(with.core.bytes() >= without.core.bytes() + hsm::detail::page_agents * 8);
}
