// Machines and choices that choose a candidate by score or by chance.

#include <hsm/vm/detail/choosing.hpp>
#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

using namespace test;

namespace {

/// A fighter whose attacks have scores.
struct fighter : recorder {
    double scores[4] = {};
    bool may[4] = {true, true, true, true};
};

auto scored(int i) {
    return [i](const fighter& f) {
        const_cast<fighter&>(f).note("s" + std::to_string(i)); // scores cannot change the context; this test looks at their calls
        return f.scores[i];
    };
}
auto allowed(int i) {
    return [i](const fighter& f) {
        const_cast<fighter&>(f).note("g" + std::to_string(i));
        return f.may[i];
    };
}

/// R{idle, M{a, b, c, d}}: M chooses on "go".
struct arena {
    hsm::owned<hsm::fsm<fighter>> root = hsm::make_fsm<fighter>("R");
    hsm::state<fighter>& idle = root->add("idle");
    hsm::fsm<fighter>& attack = root->add_fsm("M");

    explicit arena(hsm::choosing how) {
        idle.to(attack).on("go");
        attack.to(idle).on("end");
        attack.choose(how);
    }
    hsm::entry_choice<fighter> add(const char* name) { return attack.dispatch(attack.add(name)); }
};

struct playing {
    fighter f;
    hsm::chart<fighter> chart;
    hsm::instance<fighter> agent;

    explicit playing(arena a, hsm::instance_options options = {}) : playing(std::move(a.root), options) {}
    explicit playing(hsm::owned<hsm::fsm<fighter>> root, hsm::instance_options options = {})
        : chart(hsm::compile(std::move(root))), agent(chart, f, options) {
        agent.start();
    }
    /// Returns the calls of guards and scores, and the chosen state.
    std::string go() {
        agent.process("go");
        const auto chosen = std::string(agent.current().name());
        agent.process("end");
        const auto calls = f.take();
        return calls.empty() ? chosen : calls + ": " + chosen;
    }
    std::string go(double a, double b, double c) {
        f.scores[0] = a, f.scores[1] = b, f.scores[2] = c;
        return go();
    }
    std::string many(int count) {
        std::string all;
        while (count-- > 0) all += go();
        return all;
    }
};

arena three_scored() {
    arena a(hsm::best);
    a.add("a").score(scored(0)).when(allowed(0));
    a.add("b").score(scored(1)).when(allowed(1));
    a.add("c").score(scored(2)).when(allowed(2));
    return a;
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

} // namespace

TEST_CASE("the best candidate has the highest score; the first of equal ones is chosen; guards are asked before scores") {
    playing p(three_scored());
    CHECK(p.go(1, 3, 2) == "g0, s0, g1, s1, g2, s2: b");
    CHECK(p.go(1, 2, 2) == "g0, s0, g1, s1, g2, s2: b");
    CHECK(p.go(2, 2, 2) == "g0, s0, g1, s1, g2, s2: a");
    p.f.may[1] = false;
    CHECK(p.go(1, 3, 2) == "g0, s0, g1, g2, s2: c");
}

TEST_CASE("a candidate with the score 0, or with an invalid score, is not chosen") {
    for (const auto how : {hsm::best, hsm::weighted, hsm::random}) {
        auto a = three_scored();
        a.attack.choose(how);
        playing p(std::move(a));
        CHECK(p.go(0, 1e-300, 0) == "g0, s0, g1, s1, g2, s2: b");
        CHECK(p.go(-1, not_a_number, 1) == "g0, s0, g1, s1, g2, s2: c");
        CHECK(p.go(infinite, 0, std::numeric_limits<double>::max()) == "g0, s0, g1, s1, g2, s2: c");
        CHECK(p.go(-infinite, 0, -0.0) == "g0, s0, g1, s1, g2, s2: M");
    }
}

TEST_CASE("without a possible candidate, a machine enters its initial state, or rests and chooses again in each tick") {
    {
        auto a = three_scored();
        a.attack.initial(a.attack.add("d"));
        playing p(std::move(a));
        CHECK(p.go(0, 0, 0) == "g0, s0, g1, s1, g2, s2: d");
    }
    playing p(three_scored());
    p.agent.process("go");
    CHECK(p.agent.current().name() == "M");
    p.f.take();
    CHECK(p.agent.tick(1.0) == hsm::result::unhandled);
    p.f.scores[2] = 1;
    CHECK(p.agent.tick(1.0) == hsm::result::taken);
    CHECK(p.f.take() == "g0, s0, g1, s1, g2, s2, g0, s0, g1, s1, g2, s2");
    CHECK(p.agent.current().name() == "c");
}

TEST_CASE("a choice takes its otherwise if no branch can be chosen; otherwise has no score") {
    auto root = hsm::make_fsm<fighter>("R");
    auto& idle = root->add("idle");
    auto& choice = root->add_choice("?").choose(hsm::best);
    idle.to(choice).on("go");
    choice.otherwise(root->add("d"));
    choice.to(root->add("a")).score(scored(0)).when(allowed(0)).then([](fighter& f) { f.note("act"); });
    choice.to(root->add("b")).score(scored(1));
    root->to(idle).on("end");
    playing p(std::move(root));
    CHECK(p.go(1, 2, 0) == "g0, s0, s1: b");
    CHECK(p.go(2, 1, 0) == "g0, s0, s1, act: a");
    CHECK(p.go(0, 0, 0) == "g0, s0, s1: d");
}

TEST_CASE("a lower rank is evaluated only if no candidate of a higher rank can be chosen") {
    arena a(hsm::best);
    a.add("a").score(scored(0));
    a.add("b").score(scored(1)).rank(2);
    a.add("c").score(scored(2)).rank(2);
    playing p(std::move(a));
    CHECK(p.go(9, 1, 2) == "s1, s2: c");
    CHECK(p.go(9, 1, 0) == "s1, s2: b");
    CHECK(p.go(9, 0, 0) == "s1, s2, s0: a");
}

TEST_CASE("scores take the context, a member of it, or a local; a weight is a fixed score, and the default is 1") {
    struct mood {
        double anger = 5;
    };
    struct boss : recorder {
        float aim = 2;
        int rage() const { return 3; }
    };
    auto root = hsm::make_fsm<boss>("R");
    root->local<mood>();
    auto& m = root->add_fsm("M").choose(hsm::best);
    std::string expected;
    SUBCASE("a member") { expected = "a", m.dispatch(m.add("a")).score(&boss::aim); }
    SUBCASE("a member function") { expected = "b", m.dispatch(m.add("b")).score(&boss::rage); }
    SUBCASE("a local") {
        expected = "c";
        m.dispatch(m.add("a")).weight(4);
        m.dispatch(m.add("c")).score(&mood::anger);
    }
    SUBCASE("a weight") { expected = "d", m.dispatch(m.add("d")).weight(1.5); }
    m.dispatch(m.add("plain"));
    const auto chart = hsm::compile(std::move(root));
    boss b;
    hsm::instance agent(chart, b);
    agent.start();
    CHECK(agent.current().name() == expected);
}

TEST_CASE("calls of a score are refused like those of a guard; an exception of a score is one of the entry choice") {
    struct thinker {
        hsm::instance<thinker>* self = nullptr;
        mutable hsm::result answer = hsm::result::taken;
        bool fails = false;
    };
    auto root = hsm::make_fsm<thinker>("R");
    auto& m = root->add_fsm("M").choose(hsm::best);
    root->to(m).on("again");
    m.dispatch(m.add("a")).score([](const thinker& t) {
        if (t.fails) throw std::runtime_error("no");
        if (t.self) t.answer = t.self->process("again");
        return 1;
    });
    const auto chart = hsm::compile(std::move(root));
    thinker t;
    hsm::instance agent(chart, t);
    agent.start();
    t.self = &agent;
    CHECK(agent.process("again") == hsm::result::taken);
    CHECK(t.answer == hsm::result::busy);
    t.fails = true;
    CHECK_THROWS_WITH(agent.process("again"), "no");
    CHECK(agent.current().name() == "M");
    t.fails = false;
    CHECK(agent.tick(0.1) == hsm::result::taken);
    CHECK(agent.current().name() == "a");
}

TEST_CASE("chance is a function of the seed, the stream, the chooser and the number of the draw: Philox 4x32-10") {
    using hsm::detail::philox;
    CHECK(philox({0, 0, 0, 0}, {0, 0}) == hsm::detail::philox_counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    constexpr std::uint32_t ones = 0xffff'ffff;
    CHECK(philox({ones, ones, ones, ones}, {ones, ones}) == hsm::detail::philox_counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
          hsm::detail::philox_counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
    CHECK(hsm::detail::draw({0, 0, 0}, 0) == 0xe169'c58d'6627'e8d5);
    CHECK(hsm::detail::draw({1, 2, 3}, 4) != hsm::detail::draw({1, 2, 4}, 4));
    CHECK(hsm::detail::draw({1, 2, 3}, 4) != hsm::detail::draw({1, 3, 3}, 4));
    CHECK(hsm::detail::draw({1, 2, 3}, 4) != hsm::detail::draw({2, 2, 3}, 4));
    CHECK(hsm::detail::draw({1, 2, 3}, 4) != hsm::detail::draw({1, 2, 3}, 5));
}

TEST_CASE("a weighted draw takes the candidate in whose part of the sum the upper 53 bits fall; a random one uses the upper 32 bits") {
    using hsm::detail::pick;
    const double values[] = {1, 0, 2, 5}; // parts of the sum 8: [0, 1/8), [1/8, 3/8), [3/8, 1)
    const auto weighted = [&](double part) { return pick(hsm::weighted, values, 4, static_cast<std::uint64_t>(std::ldexp(part, 64))); };
    CHECK(weighted(0) == 0);
    CHECK(weighted(0.125 - std::ldexp(1, -53)) == 0);
    CHECK(weighted(0.125) == 2);
    CHECK(weighted(0.375) == 3);
    CHECK(pick(hsm::weighted, values, 4, ~std::uint64_t(0)) == 3);
    const auto random = [&](double part) { return pick(hsm::random, values, 4, static_cast<std::uint64_t>(std::ldexp(part, 64))); };
    CHECK(random(0) == 0);
    CHECK(random(0.34) == 2);
    CHECK(random(0.67) == 3);
    CHECK(pick(hsm::random, values, 4, ~std::uint64_t(0)) == 3);
    const double tiny[] = {5e-324, 5e-324}; // the product of a number below 1 and the sum can be rounded to the sum
    CHECK(pick(hsm::weighted, tiny, 2, ~std::uint64_t(0)) == 1);
    const double none[] = {0, 0};
    for (const auto how : {hsm::best, hsm::weighted, hsm::random}) CHECK(pick(how, none, 2, 5) == hsm::detail::none_picked);
}

namespace {
arena by_chance(hsm::choosing how) {
    arena a(how);
    a.add("a").weight(1);
    a.add("b").weight(2);
    a.add("c").weight(0);
    a.add("d").weight(5);
    return a;
}
} // namespace

TEST_CASE("equal seeds and streams lead to equal choices; other seeds and streams to other ones") {
    for (const auto how : {hsm::weighted, hsm::random}) {
        playing p(by_chance(how), {.seed = 7, .stream = 1}), same(by_chance(how), {.seed = 7, .stream = 1});
        playing other_seed(by_chance(how), {.seed = 8, .stream = 1}), other_stream(by_chance(how), {.seed = 7, .stream = 2});
        const auto choices = p.many(100);
        CHECK(choices == same.many(100));
        CHECK(choices != other_seed.many(100));
        CHECK(choices != other_stream.many(100));
        CHECK(choices.find('c') == std::string::npos);
        CHECK(choices.find('M') == std::string::npos);
    }
    playing p(by_chance(hsm::weighted));
    CHECK(p.many(24) == "dbddddddabdbddbddbaaddbd"); // the same on all platforms
    playing r(by_chance(hsm::random));
    CHECK(r.many(24) == "daddbbbdaabbddabbaaabbab");
}

TEST_CASE("a million draws have the expected frequencies, also with 100 events between two ticks") {
    for (const auto how : {hsm::weighted, hsm::random}) {
        arena a(how);
        constexpr double weights[] = {1, 2, 4, 1};
        const char* const names[] = {"a", "b", "c", "d"};
        for (int i = 0; i < 4; ++i) a.add(names[i]).weight(weights[i]);
        a.attack.to(a.attack).on<event<1>>();
        playing p(std::move(a), {.seed = 1});
        p.agent.process("go");
        constexpr int draws = 1'000'000;
        int counts[4] = {};
        for (int i = 1; i < draws + 1; ++i) {
            p.agent.process(event<1>{});
            ++counts[p.agent.current().name().front() - 'a'];
            if (i % 100 == 0) p.agent.tick(0.1);
        }
        double chi_squared = 0;
        for (int i = 0; i < 4; ++i) {
            const double expected = draws * (how == hsm::random ? 0.25 : weights[i] / 8);
            chi_squared += (counts[i] - expected) * (counts[i] - expected) / expected;
        }
        CHECK(chi_squared < 16.27); // 3 degrees of freedom, p = 0.001
        CHECK(chi_squared > 0.02);  // more even than chance
    }
}

TEST_CASE("the stream can be changed between calls; the draws continue") {
    playing p(by_chance(hsm::weighted), {.seed = 3}), q(by_chance(hsm::weighted), {.seed = 3, .stream = 9});
    p.many(5);
    CHECK(p.agent.set_stream(9) == hsm::result::taken);
    q.many(5);
    CHECK(p.many(50) == q.many(50));
    CHECK(playing(by_chance(hsm::best)).agent.set_stream(9) == hsm::result::refused);
}

TEST_CASE("only candidates that fire count as draws; can() and reset() change nothing") {
    playing p(by_chance(hsm::weighted)), q(by_chance(hsm::weighted));
    const auto first = p.many(10);
    for (int i = 0; i < 10; ++i) {
        CHECK(q.agent.can("go"));
        CHECK(q.go() == std::string(1, first[static_cast<std::size_t>(i)]));
    }
    p.agent.reset();
    p.agent.start();
    CHECK(p.many(50) == q.many(50));
}

TEST_CASE("a branch by chance that a state holds stays chosen until it fires") {
    auto root = hsm::make_fsm<fighter>("R");
    auto& busy = root->add_fsm("busy");
    auto& choice = busy.add_choice("?").choose(hsm::random);
    for (const auto* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) choice.to(root->add(name));
    busy.hold();
    const auto chart = hsm::compile(std::move(root));
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        fighter f;
        hsm::instance waits(chart, f, {.seed = seed}), waits_longer(chart, f, {.seed = seed});
        waits.start();
        waits_longer.start();
        CHECK(waits.current().name() == "?");
        for (int i = 0; i < 5; ++i) CHECK(waits_longer.tick(0.1) == hsm::result::unhandled);
        waits.release("busy");
        waits_longer.release("busy");
        CHECK(waits.tick(0.1) == hsm::result::taken);
        CHECK(waits_longer.tick(0.1) == hsm::result::taken);
        CHECK(waits.current() == waits_longer.current());
    }
}

TEST_CASE("invalid scores of a definition are reported") {
    const auto only_error = [](hsm::owned<hsm::fsm<fighter>> root) {
        const auto found = hsm::check(*root);
        return found.empty() ? std::string() : found.front().to_string();
    };
    {
        auto a = three_scored();
        a.attack.choose(hsm::choosing::first);
        CHECK(only_error(std::move(a.root)).find("R/M: a candidate has a score, but the first candidate is always chosen") != std::string::npos);
    }
    {
        arena a(hsm::best);
        a.attack.add("a");
        CHECK(only_error(std::move(a.root)).find("the machine chooses one of its candidates, but has none") != std::string::npos);
    }
    {
        arena a(hsm::best);
        a.add("a").score(scored(0)).weight(1);
        CHECK(only_error(std::move(a.root)).find("a candidate has a score and a weight") != std::string::npos);
    }
    for (const double wrong : {-1.0, not_a_number, infinite}) {
        arena a(hsm::weighted);
        a.add("a").weight(wrong);
        CHECK(only_error(std::move(a.root)).find("is neither zero nor a positive number") != std::string::npos);
    }
    {
        auto root = hsm::make_fsm<fighter>("R");
        auto& choice = root->add_choice("?").choose(hsm::best);
        choice.to(root->add("a")).score(scored(0));
        CHECK(only_error(std::move(root)).find("HSM-019") != std::string::npos);
    }
    {
        auto root = hsm::make_fsm<fighter>("R");
        auto& choice = root->add_choice("?").choose(hsm::best);
        choice.to(root->add("a")).cooldown(std::chrono::seconds(1));
        CHECK(only_error(std::move(root)).find("HSM-019") != std::string::npos);
    }
}

TEST_CASE("candidates are never reported as shadowed, and none hides the initial state") {
    arena a(hsm::best);
    a.add("a").score(scored(0));
    a.add("b").score(scored(1));
    a.attack.initial(a.attack.add("c"));
    CHECK(hsm::compile(std::move(a.root)).warnings().empty());
}
