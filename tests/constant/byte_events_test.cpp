// Ranges of bytes and of enumerators, in constant charts and in the same definition compiled at run time.

#include <hsm/constant/constant_definition.hpp>
#include <hsm/constant/constant_instance.hpp>
#include <hsm/hsm.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

struct reader {
    std::string text;
    bool picky = false;
};
enum class pad : short { left = -2, none = 0, right = 3, far = 30'000 };

template <char Kind> constexpr auto notes = [](reader& r, unsigned char c) { r.text += Kind + std::to_string(c) + " "; };
constexpr auto likes = [](const reader& r, char c) { return !r.picky || c != 'x'; };

constexpr auto define_words = [](auto& root) {
    auto& word = root.add("word");
    auto& number = root.add("number");
    auto& error = root.add("error");
    root.on('!').then(notes<'!'>);
    word.on(hsm::range('a', 'z')).when(likes).then(notes<'w'>);
    word.on('q').then(notes<'q'>).priority(1);
    word.to(number).on(hsm::any(hsm::range('0', '9'), '+', '-')).then(notes<'n'>);
    word.on(hsm::any(' ', '\n'));
    word.to(error).on(hsm::otherwise<char>()).then(notes<'o'>).priority(7);
    number.on(hsm::range('0', '9')).then(notes<'n'>);
    number.to(word).on(hsm::any(' ', '\n', '\xff'));
    number.to(error).on(hsm::range('x', 'z')).then(notes<'r'>);
    error.to(word).on('\0');
    error.on(hsm::range('\x80', '\xff')).then(notes<'h'>);
};
constexpr auto words = hsm::constant_chart<reader>(define_words);
constexpr auto words_substate_first = hsm::constant_chart<reader, hsm::decision_order::substate_first>(define_words);

template <int Kind>
constexpr auto noting = [](reader& r, pad p) { r.text += std::to_string(Kind) + ":" + std::to_string(static_cast<int>(p)) + " "; };
constexpr auto pads = hsm::constant_chart<reader>([](auto& root) {
    auto& a = root.add("A");
    auto& b = root.add("B");
    a.on(hsm::range(pad::left, pad::right)).then(noting<1>);
    a.to(b).on(pad::far).then(noting<2>);
    a.on(hsm::otherwise<pad>()).then(noting<3>);
    b.to(a).on(hsm::any(pad::left, pad::right)).then(noting<4>);
});

template <class Agent, class E> std::string play(Agent& agent, const reader& r, E event) {
    const auto answer = agent.process(event);
    return std::string(to_string(answer)) + " in " + std::string(agent.current().name()) + ": " + r.text;
}

/// Processes each value in each state, and streams of values.
template <auto Chart, class E> void compare(int first, int last) {
    auto root = hsm::make_fsm<reader>("root");
    typename decltype(Chart)::definition{}(*root);
    const auto written = hsm::compile(std::move(root), {.order = Chart.order});
    const auto made = hsm::compile(hsm::definition_of(Chart), {.order = Chart.order});
    reader r[3];
    hsm::constant_instance<Chart> constant(r[0]);
    hsm::instance ordinary{written, r[1]};
    hsm::instance from_constant{made, r[2]};
    constant.start(), ordinary.start(), from_constant.start();
    std::uint32_t x = 2463534242;
    for (int i = 0; i < 20'000; ++i) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        const auto event = static_cast<E>(first + static_cast<int>((x >> 8) % static_cast<unsigned>(last - first + 1)));
        for (auto& one : r) one.text.clear(), one.picky = x >> 4 & 1;
        const auto expected = play(ordinary, r[1], event);
        REQUIRE(play(constant, r[0], event) == expected);
        REQUIRE(play(from_constant, r[2], event) == expected);
    }
}

} // namespace

TEST_CASE("byte events have the same results in constant charts and charts compiled at run time") {
    compare<words, char>(-128, 127);
    compare<words, unsigned char>(0, 255);
    compare<words, char>('!', '~');
    compare<words_substate_first, char>(-128, 127);
}

TEST_CASE("ranges of an enumeration have the same results in constant charts and charts compiled at run time, also for unnamed values") {
    compare<pads, pad>(-5, 6);
    compare<pads, pad>(29'990, 30'010);
}

TEST_CASE("a constant chart handles single bytes and ranges of bytes") {
    reader r;
    hsm::constant_instance<words> agent(r);
    CHECK(agent.process('a') == hsm::result::inactive);
    agent.start();
    CHECK(agent.process('a') == hsm::result::internal);
    CHECK(agent.process('q') == hsm::result::internal);
    CHECK(agent.process('+') == hsm::result::taken);
    CHECK(agent.process('a') == hsm::result::unhandled);
    CHECK(agent.process('y') == hsm::result::taken);
    CHECK(agent.process(std::uint8_t(0x80)) == hsm::result::internal);
    CHECK(r.text == "w97 q113 n43 r121 h128 ");
}

TEST_CASE("otherwise takes an event that the guards of other transitions refuse") {
    reader r;
    r.picky = true;
    hsm::constant_instance<words> agent(r);
    agent.start();
    CHECK(agent.process('x') == hsm::result::taken);
    CHECK(r.text == "o120 ");
}

namespace {

struct counted {
    int bytes = 0;
    bool seen_word = false;
};
constexpr auto line = hsm::constant_chart<counted>([](auto& root) {
    auto& text = root.add("text");
    auto& end = root.add_final("end");
    text.on(hsm::otherwise<char>()).then([](counted& c) { ++c.bytes; });
    text.to(end).on('\n');
});
constexpr auto eager = hsm::constant_chart<counted>([](auto& root) {
    auto& text = root.add("text");
    auto& passing = root.add("passing").transient();
    text.to(passing).on(hsm::range('a', 'z')).then([](counted& c) { ++c.bytes; });
    passing.to(text);
});

} // namespace

TEST_CASE("feed handles a buffer like single events, until the root is finished") {
    counted c;
    hsm::constant_instance<line> agent(c);
    CHECK(agent.feed("ab", 2) == 0);
    agent.start();
    CHECK(agent.feed("ab", 2) == 2);
    CHECK(c.bytes == 2);
    CHECK(agent.is_in("text"));
    CHECK(agent.feed("cd\nef", 5) == 3);
    CHECK(c.bytes == 4);
    CHECK(agent.finished());
    CHECK(agent.feed("gh", 2) == 0);
    CHECK(c.bytes == 4);
}

TEST_CASE("feed passes through transient states") {
    counted c;
    hsm::constant_instance<eager> agent(c);
    agent.start();
    CHECK(agent.feed("a1b2", 4) == 4);
    CHECK(c.bytes == 2);
    CHECK(agent.is_in("text"));
}
