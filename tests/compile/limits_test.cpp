// The limits of a definition: below, at and above each limit.

#include <tests/support/findings.hpp>

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/compile/check.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace test;

namespace {

struct nested {
    hsm::owned<hsm::fsm<recorder>> root = hsm::make_fsm<recorder>("R");
    hsm::state<recorder>* deepest = nullptr;

    /// Its deepest state is so many levels below the root.
    explicit nested(std::size_t levels) {
        auto* at = root.get();
        for (std::size_t i = 1; i < levels; ++i) at = &at->add_fsm("m");
        deepest = &at->add("x");
    }
};

std::string all_that_is_said(const std::vector<hsm::finding>& findings) {
    REQUIRE(findings.size() == 1);
    return test::said(findings[0]);
}

} // namespace

TEST_CASE("a machine of the maximum depth compiles and runs") {
    for (const auto levels : {hsm::detail::most_levels - 1, hsm::detail::most_levels}) {
        nested n(levels);
        n.deepest->on_enter(tracing("E x")).on_exit(tracing("X x")).to(*n.deepest).on<event<1>>();
        n.root->to(*n.deepest).on<event<2>>();
        n.root->when([](const recorder& r) { return r.go; }).then(tracing("A"));
        const auto chart = hsm::compile(std::move(n.root));
        CHECK(chart.core().depth == levels);
        recorder r;
        hsm::instance agent{chart, r};
        agent.start();
        agent.process(event<1>{});
        agent.process(event<2>{});
        r.go = true;
        agent.tick();
        agent.stop();
        CHECK(r.take() == "E x, X x, E x, X x, E x, A, X x");
    }
}

TEST_CASE("a machine that exceeds the maximum depth is an error") {
    for (const auto levels : {hsm::detail::most_levels + 1, std::size_t(10'000), std::size_t(100'000)}) {
        nested n(levels);
        CHECK(all_that_is_said(hsm::check(*n.root)) ==
              "HSM-028 error at R: a state is more than 1024 levels below the root; hint: add the states as siblings, or find "
              "the loop that adds a state to itself");
        const auto result = hsm::try_compile(std::move(n.root));
        CHECK(!result);
        CHECK(all_that_is_said(result.findings).starts_with("HSM-028"));
    }
}

TEST_CASE("a definition of any depth returns paths and can be destroyed") {
    nested n(100'000);
    CHECK(n.deepest->path().size() == 2 * 100'000 + 1);
    CHECK(n.deepest->path().starts_with("R/m/m/"));
    CHECK(n.deepest->path().ends_with("/m/x"));
}

namespace {
/// A transition on the names "n0", "n1", ...
hsm::owned<hsm::fsm<recorder>> waiting_for_names(std::size_t count) {
    std::vector<hsm::name_pattern> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back({"n" + std::to_string(i), false});
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A");
    const auto t = root->on("").then(tracing("taken"));
    const_cast<hsm::transition_spec&>(t.spec()).event = hsm::detail::key_of_names(std::move(names));
    return root;
}
} // namespace

TEST_CASE("each name of a list counts toward the limit of events") {
    const auto chart = hsm::compile(waiting_for_names(65'534));
    CHECK(chart.core().events.size() == 65'534);
    recorder data;
    hsm::instance agent{chart, data};
    agent.start();
    CHECK(agent.process("n65533") == hsm::result::internal);
    CHECK(agent.process("n65534") == hsm::result::unhandled);
    for (const std::size_t count : {65'535u, 65'536u})
        CHECK(all_that_is_said(hsm::try_compile(waiting_for_names(count)).findings) ==
              "HSM-017 error at R: the definition has more than 65534 events; hint: split it into several charts");
}

TEST_CASE("a chart with the maximum number of states and events compiles and runs") {
    constexpr int most = 65'534;
    auto root = hsm::make_fsm<recorder>("R");
    hsm::state<recorder>* last = nullptr;
    for (int i = 1; i < most; ++i) {
        auto& s = root->add("s" + std::to_string(i));
        if (last) last->to(s).on("e" + std::to_string(i));
        last = &s;
    }
    auto& first = *root->substates()[0];
    last->to(first).on("back");
    root->to(*last).on("last");
    auto& r = *root;
    SUBCASE("at the limit") {
        const auto chart = hsm::compile(std::move(root));
        CHECK(chart.state_count() == most);
        CHECK(chart.core().events.size() == most);
        recorder data;
        hsm::instance agent{chart, data};
        agent.start();
        CHECK(agent.process("e2") == hsm::result::taken);
        CHECK(agent.process("last") == hsm::result::taken);
        CHECK(agent.current().get() == last);
        CHECK(agent.process("e65533") == hsm::result::unhandled);
        CHECK(agent.process("e65534") == hsm::result::unhandled);
        CHECK(agent.process("back") == hsm::result::taken);
        CHECK(agent.current().name() == "s1");
    }
    SUBCASE("one more event, in a list of names") {
        const auto t = r.on("e2");
        const_cast<hsm::transition_spec&>(t.spec()).event = hsm::detail::key_of_names({{"e3", false}, {"more", true}});
        CHECK(all_that_is_said(hsm::try_compile(std::move(root)).findings) ==
              "HSM-017 error at R: the definition has more than 65534 events; hint: split it into several charts");
    }
    SUBCASE("one more state") {
        r.add("one more").to(*last);
        CHECK(all_that_is_said(hsm::try_compile(std::move(root)).findings) ==
              "HSM-017 error at R: the definition has more than 65534 states; hint: split it into several charts");
    }
    SUBCASE("one more event") {
        r.on("more").then(tracing("B"));
        CHECK(all_that_is_said(hsm::try_compile(std::move(root)).findings) ==
              "HSM-017 error at R: the definition has more than 65534 events; hint: split it into several charts");
    }
}

// --- locals ---

namespace {

struct boom {};

struct counts {
    static inline int alive = 0;
    static inline int throws_at = -1; ///< which one cannot be copied
};

template <int N> struct counted {
    counted() = default;
    counted(const counted&) {
        if (counts::throws_at == N) throw boom();
        ++counts::alive;
    }
    ~counted() {
        if (!prototype) --counts::alive;
    }
    bool prototype = false;
};

/// Its prototypes are not counted.
template <int N> struct local : counted<N> {
    local() { this->prototype = true; }
    local(const local& other) : counted<N>(other) {}
};

template <int... N> void add_locals(hsm::state<recorder>& s, int count, std::integer_sequence<int, N...>) {
    using add_one = void (*)(hsm::state<recorder>&);
    constexpr add_one all[] = {[](hsm::state<recorder>& to) { to.local<local<N>>(); }...};
    for (int i = 0; i < count; ++i) all[i](s);
}

struct with_locals {
    explicit with_locals(int count) : chart(made(count)) {}

    static hsm::chart<recorder> made(int count) {
        auto root = hsm::make_fsm<recorder>("R");
        auto& a = root->add("A");
        auto& b = root->add("B").on_enter([](recorder& r) {
            r.note(std::to_string(counts::alive));
            if (r.go) throw boom();
        });
        add_locals(b, count, std::make_integer_sequence<int, 300>());
        a.to(b).on<event<1>>();
        b.to(a).on<event<2>>();
        return hsm::compile(std::move(root));
    }

    hsm::chart<recorder> chart;
};

} // namespace

TEST_CASE("if a state cannot be entered, all of its locals are destroyed") {
    for (const int count : {1, 254, 255, 256, 257, 300}) {
        CAPTURE(count);
        const with_locals made(count);
        recorder r;
        hsm::instance agent{made.chart, r};
        counts::alive = 0;
        counts::throws_at = -1;
        agent.start();
        agent.process(event<1>{});
        CHECK(r.take() == std::to_string(count));
        agent.process(event<2>{});
        CHECK(counts::alive == 0);
        r.go = true; // the enter hook throws
        CHECK_THROWS_AS(agent.process(event<1>{}), boom);
        CHECK(r.take() == std::to_string(count));
        CHECK(counts::alive == 0);
        r.go = false; // the last local cannot be copied
        agent.set_state("A");
        counts::throws_at = count - 1;
        CHECK_THROWS_AS(agent.process(event<1>{}), boom);
        CHECK(r.take() == "");
        CHECK(counts::alive == 0);
        agent.set_state("A");
        CHECK_THROWS_AS(agent.set_state("B"), boom);
        CHECK(counts::alive == 0);
        counts::throws_at = -1;
        agent.set_state("B");
        CHECK(counts::alive == count);
        agent.reset();
        CHECK(counts::alive == 0);
    }
}

TEST_CASE("the number of locals of a state is limited") {
    static_assert(hsm::detail::most_locals == (1u << 13) - 1); // the bits of hook_site::built
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    for (std::uint32_t i = 0; i <= hsm::detail::most_locals; ++i) a.add_local(hsm::detail::local_prototype::of<local<0>>());
    CHECK(all_that_is_said(hsm::check(*root)) ==
          "HSM-017 error at R/A: the state has more than 8191 locals; hint: put several of them into one class");
}

// --- memory ---

namespace {
/// It is never written, so it occupies no memory.
template <std::size_t Size> struct large {
    large() {}
    large(const large&) {}
    char data[Size];
};

template <std::size_t Size> auto compiled_with_local() {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").local<large<Size>>();
    return hsm::try_compile(std::move(root));
}

constexpr std::size_t most = hsm::detail::most_memory;
} // namespace

TEST_CASE("the memory of an instance is limited to the range of offsets") {
    const auto small = compiled_with_local<1024>();
    REQUIRE(small);
    CHECK(small.chart.core().layout.size == 1024 + 16); // the times of entry, one by level
    const auto below = compiled_with_local<most - 24>();
    REQUIRE(below);
    CHECK(below.chart.core().layout.size == most - 8);
    const auto at = compiled_with_local<most - 16>();
    REQUIRE(at);
    CHECK(at.chart.core().layout.size == most);
    CHECK(all_that_is_said(compiled_with_local<most - 8>().findings) ==
          "HSM-017 error at R: an instance needs 1073741832 bytes without its queues, more than "
          "1073741824; hint: let locals and events refer to large data instead of containing it");
}

TEST_CASE("the limit applies to the total size of locals, also if it exceeds 32 bits") {
    auto root = hsm::make_fsm<recorder>("R");
    auto* at = root.get();
    for (int i = 0; i < 17; ++i) at = &at->add_fsm("m").local<large<(most >> 2)>>();
    at->add("x");
    CHECK(all_that_is_said(hsm::try_compile(std::move(root)).findings).starts_with("HSM-017 error at R: an instance needs 456340"));
}
