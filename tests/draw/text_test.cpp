// A chart as a tree: the exact text of each construct.

#include <hsm/draw/text.hpp>
#include <tests/draw/constructs.hpp>
#include <tests/draw/texts.hpp>

#include <doctest/doctest.h>

#include <chrono>

TEST_CASE("an arrow shows trigger, guard, action, priority and force") {
    const auto d = hsm::draw::text(drawn::labels());
    CHECK(d.text == R"(r
│  ● → a
├─ a
│     → b  hit [Armed && is go] / shout {priority 2, force}
└─ b
)");
    CHECK(d.losses.empty());
}

TEST_CASE("a machine is a box, and arrows begin and end at its border") {
    const auto d = hsm::draw::text(drawn::nested());
    CHECK(d.text == R"(r
│  ● → a
├─ a
│     → m  to
└─ m
   │  ● → x
   │  → a  from
   ├─ x
   │     → y  in
   │     → a  out
   └─ y
)");
    CHECK(d.losses.empty());
}

TEST_CASE("a machine with dispatch choices has a diamond") {
    const auto d = hsm::draw::text(drawn::dispatching());
    CHECK(d.text == R"(r
│  ◇ → a  [is go]
│  ● → b
├─ a
└─ b
)");
    CHECK(d.losses.empty());
}

TEST_CASE("no arrow leads between a box and a state inside it") {
    const auto d = hsm::draw::text(drawn::any_state());
    CHECK(d.text == R"(r
│  ● → m
└─ m
   │  ● → x
   │  → y  any [not in x]
   │  → m  again {external}
   ├─ x
   │     → m  anew
   └─ y
)");
    CHECK(d.losses.empty());
}

TEST_CASE("regions, forks and joins are drawn") {
    const auto d = hsm::draw::text(drawn::regions());
    CHECK(d.text == R"(r
│  ● → a
├─ a
│     → x + y  fork
└─ p  (parallel)
   ├─ one  (region)
   │  │  ● → x
   │  └─ x
   │        → a with y  join
   └─ two  (region)
      │  ● → y
      └─ y
)");
    CHECK(d.losses.empty());
}

TEST_CASE("both histories, and a machine that remembers, are drawn") {
    const auto d = hsm::draw::text(drawn::histories());
    CHECK(d.text == R"(r
│  ● → a
├─ a
│     → h  h
│     → d  d
└─ m  (remembers)
   │  ● → x
   ├─ x
   ├─ y
   ├─ h  (history)
   │     ● → x
   └─ d  (deep history)
)");
    CHECK(d.losses.empty());
}

TEST_CASE("choices and final states are drawn") {
    const auto d = hsm::draw::text(drawn::pseudo());
    CHECK(d.text == R"(r
│  ● → a
├─ a
│     → c  finished
├─ c  (choice)
│     → a  1. [is go]
│     → f  2. [else]
└─ f  (final)
)");
    CHECK(d.losses.empty());
}

TEST_CASE("a state's box lists its hooks, times, reactions and deferrals") {
    const auto d = hsm::draw::text(drawn::inner());
    CHECK(d.text == R"(r
│  ● → a
└─ a
      enter / shout
      update
      at least 200 ms
      holds until released
      every 1 s / shout
      hit [is go] / shout
      later / defer
      → a  after 1.5 ms [is go]
      → a  always [Ready]
)");
    CHECK(d.losses.empty());
}

TEST_CASE("a state shows its tags") {
    auto root = hsm::make_fsm<int>("r");
    root->add("a").tag("slow").tag("vulnerable");
    CHECK(hsm::draw::text(hsm::compile(std::move(root))).text == R"(r
│  ● → a
└─ a
      tags slow, vulnerable
)");
}

TEST_CASE("a transition shows its label") {
    auto root = hsm::make_fsm<int>("r");
    auto& a = root->add("a");
    a.to(a).after(std::chrono::seconds(1)).label("cooldown");
    CHECK(hsm::draw::text(hsm::compile(std::move(root))).text == R"(r
│  ● → a
└─ a
      → a  after 1 s {label cooldown}
)");
}

TEST_CASE("a machine shows how it chooses, and its candidates show their scores") {
    auto root = hsm::make_fsm<int>("r");
    root->choose(hsm::weighted);
    root->dispatch(root->add("a")).weight(3);
    root->dispatch(root->add("b")).score(hsm::named("aim", [](const int&) { return 1; })).rank(2);
    const auto text = hsm::draw::text(hsm::compile(std::move(root))).text;
    CHECK_MESSAGE(text.find("r  (weighted)") != text.npos, text);
    CHECK_MESSAGE(text.find("weight 3") != text.npos, text);
    CHECK_MESSAGE(text.find("rank 2, score aim") != text.npos, text);
}
