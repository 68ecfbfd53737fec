// The sequence of ops: jump targets, the state that is set before a hook, and the length of programs.

#include <tests/support/recorder.hpp>

#include <hsm/compile/detail/assembler.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace hsm::detail;

namespace {

const op* nothing(const op* at, machine&) { return at + 1; }

/// A chart with only the parts that these tests need.
struct bench {
    chart_core core;
    assembler out{core};

    bench() {
        core.states.resize(3);
        core.states[0].superstate = no_index;
        core.states[1].superstate = core.states[2].superstate = 0;
        core.row_width = 1;
    }
    op_function at(program p) const { return core.ops[p].run; }
};

} // namespace

TEST_CASE("no program begins at op 0, because 0 means no program") {
    bench b;
    CHECK(b.out.begin() == 1);
    CHECK((b.at(0) == &ops::end));
}

TEST_CASE("land sets the target of each jump") {
    bench b;
    const auto first = b.out.emit_jump(&ops::jump);
    b.out.emit(&nothing, std::uint64_t(0));
    const auto second = b.out.emit_if(&ops::if_active, 1);
    b.out.land({first, second});
    const auto landed = b.out.begin();
    b.out.emit_end(code_next);
    b.out.finish();
    CHECK(b.core.ops[first].target == b.core.at(landed));
    CHECK(b.core.ops[second].target == b.core.at(landed));
    CHECK((b.at(second) == nullptr)); // data of the op before it
}

TEST_CASE("the state of a hook is set once, and again after each jump target") {
    bench b;
    const hook_row asks{&nothing, nullptr, true};
    const auto count = [&] { return std::ranges::count(b.core.ops, op_function(&ops::at_state), &op::run); };
    b.out.hook(asks, 1, 1, {});
    b.out.hook(asks, 1, 1, {});
    CHECK(count() == 1);
    b.out.hook(asks, 2, 2, {});
    CHECK(count() == 2);
    b.out.land({});
    b.out.hook(asks, 2, 2, {});
    CHECK(count() == 3);
    b.out.forget();
    b.out.hook(asks, 2, 2, {});
    CHECK(count() == 4);
    b.out.hook({&nothing, nullptr, false}, 1, 1, {}); // needs no state
    CHECK(count() == 4);
}

TEST_CASE("the hook site of an op records the kind and state of its hook") {
    bench b;
    const hook_site entering{hook_site::entering, 2, 1};
    b.out.hook({&nothing, nullptr, false}, 1, 1, entering);
    const auto& note = b.core.hook_sites.back();
    CHECK(note.kind == hook_site::entering);
    CHECK(note.built == 2);
    CHECK(note.state == 1);
    CHECK(note.moves());
    CHECK_FALSE(hook_site(hook_site::still, 1, 1).moves());
    CHECK_FALSE(hook_site(hook_site::outside, 0, 1).moves());
    CHECK(hook_site(hook_site::between, 0, no_index).moves());
}

TEST_CASE("a program returns to the loop after at most 128 ops") {
    bench b;
    for (int i = 0; i < 1000; ++i) b.out.emit(&nothing, std::uint64_t(0));
    int way = 0, longest = 0;
    for (const auto& o : b.core.ops) {
        way = o.run == &ops::pause || o.run == &ops::end ? 0 : way + 1;
        longest = std::max(longest, way);
    }
    CHECK(longest <= 128);
    CHECK(std::ranges::count(b.core.ops, op_function(&ops::pause), &op::run) >= 7);
}

TEST_CASE("equal lists of programs are stored once") {
    bench b;
    const auto one = b.out.share({{1, 5}, {2, 6}});
    const auto other = b.out.share({{1, 5}});
    const auto again = b.out.share({{1, 5}, {2, 6}});
    CHECK(one.first == again.first);
    CHECK(other.first != one.first);
    CHECK(b.core.entries.size() == 3);
}

TEST_CASE("the offsets of a hook's locals are stored once for each state from which the hook looks them up") {
    bench b;
    const local_type* const types[] = {&local_type_of<int>};
    b.core.locals.push_back({nullptr, types[0], 24});
    b.core.states[0].locals = {0, 1};
    b.core.layout.locals = 100;
    const hook_row takes{&nothing, nullptr, false, false, nullptr, types, 1};
    b.out.hook(takes, 1, 1, {});
    b.out.hook(takes, 1, 1, {});
    REQUIRE(b.core.local_slots.size() == 1);
    CHECK(b.core.local_slots[0].type == types[0]);
    CHECK(b.core.local_slots[0].offset == 124);
    b.out.hook(takes, 2, 2, {});
    CHECK(b.core.local_slots.size() == 2);
}
