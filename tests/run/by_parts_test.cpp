// Charts whose programs would be too large. Programs of parts that leaves share are used while there is room, otherwise transitions are selected.
// These charts do the same as charts with complete programs, and call the same guards.

#include <tests/support/started.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace test;

namespace {

/// Adds so many leaves that complete programs take more memory than shared ones.
void fill(hsm::fsm<recorder>& machine) {
    for (int i = 0; i < 30; ++i) machine.add("more" + std::to_string(i));
}

/// Plays the same calls with complete programs and with less and less room, and expects the same. Some of the charts have shared programs of the
/// kind `meant`, and some have none.
template <class Make, class Play>
void plays_the_same(Make make, Play play, hsm::detail::table<hsm::detail::program> hsm::detail::chart_core::*meant) {
    static std::string asked; // guards must not change their context
    const auto played = [&](auto& s) { return asked.clear(), play(s), asked; };
    started in_full(make(asked), hsm::compile_options{});
    REQUIRE_FALSE(in_full.chart.core().by_parts);
    const auto wanted = played(in_full);
    CHECK_FALSE(wanted.empty());
    bool shared = false, selected = false;
    for (const std::size_t budget : {0u, 250u, 500u, 1'000u, 2'000u, 3'000u, 4'000u}) {
        CAPTURE(budget);
        started s(make(asked), {.program_memory = budget});
        CHECK(played(s) == wanted);
        const auto& core = s.chart.core();
        const bool any = std::ranges::any_of(core.*meant, [](auto p) { return p != 0; });
        shared |= core.by_parts && any;
        selected |= core.by_parts && !any;
    }
    CHECK(shared);
    CHECK(selected);
}

auto asks(std::string& asked, std::string name, bool answer = true) {
    return [&asked, name, answer](const recorder&) { return asked += name + ' ', answer; };
}
auto notes(std::string& asked, std::string name) {
    return [&asked, name](recorder&) { asked += name + ' '; };
}

using chart_core = hsm::detail::chart_core;

} // namespace

TEST_CASE("a transition that waits blocks the later ones of its state at that level") {
    const auto make = [](std::string& asked) {
        auto root = root_of();
        auto& m = root->add_fsm("M");
        auto& a = m.add("a").hold_until([](const recorder& r) { return r.go; }).on_exit(notes(asked, "X-a"));
        auto& b = m.add("b").on_enter(notes(asked, "E-b"));
        auto& c = m.add("c");
        fill(m);
        static_cast<void>(a);
        m.to(b).when(asks(asked, "1"));
        m.to(c).when(asks(asked, "2"));
        return root;
    };
    plays_the_same(
        make,
        [](started& s) {
            s.tick(), s.tick();
            s.r.go = true;
            s.tick();
        },
        &chart_core::level_programs);
}

TEST_CASE("a tick without programs by leaf continues after each transition and each update that has an effect") {
    static int turn = 0; // the number of the guard that is true
    const auto make = [](std::string& asked) {
        const auto in_turn = [&asked](int number) {
            return [&asked, number](const recorder&) { return asked += std::to_string(number) + ' ', turn == number; };
        };
        const auto with_hooks = [&asked](auto& s) {
            const std::string name(s.name());
            s.on_update([&asked, name](recorder&, hsm::step<recorder>& step) {
                asked += "U-" + name + ' ';
                if (turn == 8 && name == "I") step.process("next");
            });
            s.on_enter(notes(asked, "E-" + name)).on_exit(notes(asked, "X-" + name));
        };
        auto root = root_of();
        auto& a = root->add_fsm("A");
        auto& b = root->add("B");
        auto& inner = a.add_fsm("I");
        auto& x = a.add("x");
        auto& y = inner.add("y");
        auto& z = inner.add("z");
        auto& far = inner.add("far");
        with_hooks(*root), with_hooks(a), with_hooks(b), with_hooks(inner), with_hooks(x), with_hooks(y), with_hooks(z), with_hooks(far);
        a.to(b).when(in_turn(1));
        a.to(x).when(in_turn(2));
        inner.to(x).when(in_turn(3));
        inner.to(z).when(in_turn(4));
        y.to(z).when(in_turn(5));
        z.to(far).when(in_turn(6));
        far.to(b).when(in_turn(7)); // of a level further outwards
        y.to(z).on("next");
        b.to(a).when(in_turn(9));
        x.to(inner).when(in_turn(9));
        fill(a), fill(inner);
        return root;
    };
    plays_the_same(
        make,
        [](started& s) {
            for (const int number : {0, 5, 6, 0, 7, 0, 9, 4, 0, 2, 0, 9, 3, 9, 8, 0, 1, 0, 9, 0}) {
                turn = number;
                s.tick();
            }
        },
        &chart_core::level_programs);
}

TEST_CASE("a transition that waits blocks those of inner states at that level") {
    const auto make = [](std::string& asked) {
        auto root = root_of();
        auto& m = root->add_fsm("M");
        m.add("a").hold_until([](const recorder& r) { return r.go; }).on_exit(notes(asked, "X-a"));
        fill(m);
        auto& b = root->add("B").on_enter(notes(asked, "E-B"));
        auto& c = root->add("C").on_enter(notes(asked, "E-C"));
        root->to(b).when(asks(asked, "1"));
        m.to(c).when(asks(asked, "2"));
        return root;
    };
    plays_the_same(
        make,
        [](started& s) {
            s.tick(), s.tick();
            s.r.go = true;
            s.tick();
        },
        &chart_core::level_programs);
}

TEST_CASE("a transition that all leaves share records the exited states in history") {
    const auto make = [](std::string& asked) {
        auto root = root_of();
        auto& m = root->add_fsm("M").remembers();
        auto& a = m.add("a").on_enter(notes(asked, "E-a"));
        auto& b = m.add("b").on_enter(notes(asked, "E-b"));
        fill(m);
        auto& out = root->add("out").on_enter(notes(asked, "E-out"));
        a.to(b).on<event<1>>();
        root->to(out).on<event<2>>();
        root->to(m).on<event<3>>();
        return root;
    };
    plays_the_same(
        make,
        [](started& s) {
            for (int round = 0; round < 2; ++round) {
                s.process(event<1>{});
                s.process(event<2>{});
                s.process(event<3>{});
            }
        },
        &chart_core::shared_programs);
}
