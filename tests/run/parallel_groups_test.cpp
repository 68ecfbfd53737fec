// Events that several regions of one parallel handle. Neighboring regions with few leaves have programs for each combination of their leaves.

#include <tests/support/started.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace test;

namespace {

/// R{ P{ 0{off0, on0} 1{off1, on1} ... } }. Event 1 toggles each region.
struct lights {
    explicit lights(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            auto& region = p.add_fsm(std::to_string(i));
            off.push_back(&traced_hooks(region.add("off" + std::to_string(i))));
            on.push_back(&traced_hooks(region.add("on" + std::to_string(i))));
        }
    }
    void toggle(std::size_t i) {
        off[i]->to(*on[i]).on<event<1>>().then(tracing("on"));
        on[i]->to(*off[i]).on<event<1>>().then(tracing("off"));
    }
    lights& toggle_all() {
        for (std::size_t i = 0; i < off.size(); ++i) toggle(i);
        return *this;
    }
    /// Returns the trace of an event to all regions: `before` is their states.
    static std::string step(const std::string& before) {
        const auto name = [&](std::size_t i, bool is_on) { return (is_on ? "on" : "off") + std::to_string(i); };
        recorder r;
        for (auto i = before.size(); i-- > 0;) r.note("X " + name(i, before[i] == '1'));
        for (const auto state : before) r.note(state == '1' ? "off" : "on");
        for (std::size_t i = 0; i < before.size(); ++i) r.note("E " + name(i, before[i] != '1'));
        return r.take();
    }

    hsm::owned<hsm::fsm<recorder>> root = root_of();
    hsm::parallel<recorder>& p = root->add_parallel("P");
    std::vector<hsm::state<recorder>*> off, on;
};

} // namespace

TEST_CASE("an event that all regions handle is one step, with any number of regions") {
    for (const std::size_t count : {2u, 3u, 4u, 5u, 7u, 9u, 70u}) {
        CAPTURE(count);
        lights l(count);
        l.toggle_all();
        l.off[1]->to(*l.on[1]).on<event<2>>();
        l.on[1]->to(*l.off[1]).on<event<2>>();
        started m(std::move(l.root));
        REQUIRE_FALSE(m.chart.core().group_ops.empty());
        std::string before(count, '0');
        for (int i = 0; i < 4; ++i) {
            CHECK(m.process(event<1>{}) == lights::step(before));
            for (auto& state : before) state = state == '0' ? '1' : '0';
            CHECK(m.process(event<2>{}) == (before[1] == '0' ? "X off1, E on1" : "X on1, E off1"));
            before[1] = before[1] == '0' ? '1' : '0';
        }
    }
}

TEST_CASE("regions that handle an event can stay, or not handle it in their present states") {
    for (const std::size_t count : {3u, 5u, 6u}) {
        CAPTURE(count);
        lights l(count);
        l.toggle(0);
        l.off[1]->on<event<1>>().then(tracing("stays"));
        l.on[2]->on<event<1>>().then(tracing("internal"));
        for (std::size_t i = 3; i < count; ++i) l.on[i]->to(*l.off[i]).on<event<1>>();
        l.on[0]->to(*l.off[0]).on<event<2>>();
        l.off[1]->to(*l.on[1]).on<event<2>>();
        l.off[0]->on<event<3>>().then(tracing("first"));
        l.off[count - 1]->on<event<3>>().then(tracing("last"));
        l.off[1]->on<event<3>>();
        started m(std::move(l.root));
        CHECK(m.process(event<1>{}) == "X off0, on, stays, E on0");
        CHECK(m.process(event<3>{}) == "last");
        CHECK(m.process(event<2>{}) == "X off1, X on0, E off0, E on1");
        CHECK(m.agent.process(event<2>{}) == hsm::result::unhandled);
        CHECK(m.agent.process(event<3>{}) == hsm::result::internal);
        CHECK(m.r.take() == "first, last");
        CHECK(m.process(event<1>{}) == "X off0, on, E on0");
    }
}

TEST_CASE("regions that are not active handle no event") {
    for (const std::size_t count : {2u, 5u}) {
        CAPTURE(count);
        lights l(count);
        l.toggle_all();
        auto& out = l.root->add("out");
        l.p.to(out).on<event<2>>();
        out.to(l.p).on<event<2>>();
        started m(std::move(l.root));
        m.process(event<2>{});
        CHECK(m.agent.process(event<1>{}) == hsm::result::unhandled);
        m.process(event<2>{}), m.r.take();
        CHECK(m.process(event<1>{}) == lights::step(std::string(count, '0')));
    }
}

TEST_CASE("the guards of all regions are called before the first exit, in order") {
    for (const std::size_t count : {2u, 3u, 5u}) {
        CAPTURE(count);
        lights l(count);
        const auto asking = [](const char* token, bool recorder::*answer) {
            return [=](const recorder& r) { return const_cast<recorder&>(r).note(token), r.*answer; };
        };
        l.off[0]->to(*l.on[0]).on<event<1>>().when(asking("go?", &recorder::go));
        l.off[0]->on<event<1>>().when(asking("ready?", &recorder::ready)).then(tracing("ready"));
        l.off[count - 1]->to(*l.on[count - 1]).on<event<1>>().when(asking("last?", &recorder::ready));
        for (std::size_t i = 1; i + 1 < count; ++i) l.off[i]->to(*l.on[i]).on<event<1>>().when(&recorder::go);
        started m(std::move(l.root));
        const auto last = std::to_string(count - 1);
        CHECK(m.agent.process(event<1>{}) == hsm::result::guarded);
        CHECK(m.r.take() == "go?, ready?, last?");
        m.r.ready = true;
        CHECK(m.process(event<1>{}) == "go?, ready?, last?, X off" + last + ", ready, E on" + last);
        CHECK(m.agent.process(event<1>{}) == hsm::result::internal);
        CHECK(m.r.take() == "go?, ready?, ready");
        m.r.go = true;
        CHECK(m.process(event<1>{}).starts_with("go?, X off"));
    }
}

TEST_CASE("in the hooks of a step of many regions, each region is where its last exit or entry has led") {
    for (const std::size_t count : {4u, 6u}) {
        CAPTURE(count);
        std::function<bool(const char*)> is_in;
        lights l(count);
        l.toggle_all();
        const auto look = [&](recorder& r) {
            std::string states;
            for (std::size_t i = 0; i < count; ++i)
                states += is_in(("on" + std::to_string(i)).c_str()) ? '1' : is_in(("off" + std::to_string(i)).c_str()) ? '0' : '-';
            r.note(states);
        };
        l.off[1]->on_exit(look);
        l.off[2]->to(*l.on[2]).on<event<2>>();
        l.off[3]->on<event<2>>().then(look);
        l.on[2]->on_enter(look);
        started m(std::move(l.root));
        is_in = [&](const char* name) { return m.agent.is_in(name); };
        const std::string off(count - 4, '0'), exited(count - 4, '-');
        CHECK(m.process(event<2>{}) == "X off2, 00-0" + off + ", E on2, 0010" + off);
        CHECK(m.process(event<1>{}).find("X off1, 00--" + exited + ", X off0") != std::string::npos);
        CHECK(m.process(event<1>{}).find("E on2, 001-" + exited + ", E off3") != std::string::npos);
    }
}

TEST_CASE("an exception in a step of many regions exits the active states of the parallel") {
    for (const std::size_t count : {4u, 6u}) {
        CAPTURE(count);
        lights l(count);
        l.toggle_all();
        l.on[2]->on_enter([](recorder& r) { r.go ? throw std::runtime_error("boom") : void(); });
        started m(std::move(l.root));
        m.r.go = true;
        CHECK_THROWS(m.agent.process(event<1>{}));
        CHECK(m.r.take().ends_with("E on0, E on1, E on2, X on1, X on0"));
        CHECK(m.path() == "R");
    }
}

TEST_CASE("steps of several regions are the same if program_memory has no room for their programs") {
    std::size_t with = 0, without = 0;
    for (std::size_t memory = std::size_t(1) << 18; memory > 1024; memory /= 2) {
        CAPTURE(memory);
        lights l(6);
        l.toggle_all();
        started m(std::move(l.root), {.program_memory = memory});
        const auto& core = m.chart.core();
        (core.group_cells.empty() ? without : with) += core.rows.empty() ? 0 : 1;
        CHECK(m.process(event<1>{}) == lights::step("000000"));
        CHECK(m.process(event<1>{}) == lights::step("111111"));
    }
    CHECK(with > 0);
    CHECK(without > 0);
}
