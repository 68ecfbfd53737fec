// A chart for Mermaid: the exact text of each construct, and the losses.

#include <hsm/draw/mermaid.hpp>
#include <tests/draw/constructs.hpp>
#include <tests/draw/texts.hpp>

#include <doctest/doctest.h>

using test::body;
using test::lost;

TEST_CASE("an arrow shows trigger, guard, action, priority and force") {
    const auto d = hsm::draw::mermaid(drawn::labels());
    CHECK(body(d.text, 5) == R"(  state "r" as r {
    direction TB
    state "a" as r_a
    state "b" as r_b
    [*] --> r_a
    r_a --> r_b : hit #91;Armed #38;#38; is go#93; / shout<br/>#123;priority 2, force#125;
  }
)");
    CHECK(lost(d) == R"()");
}

TEST_CASE("a machine is a box, and arrows begin and end at its border") {
    const auto d = hsm::draw::mermaid(drawn::nested());
    CHECK(body(d.text, 5) == R"(  state "r" as r {
    direction TB
    state "a" as r_a
    [*] --> r_a
    r_a --> r_m : to
    r_m --> r_a : from
    r_m_x --> r_a : out
    state "m" as r_m {
      direction TB
      state "x" as r_m_x
      state "y" as r_m_y
      [*] --> r_m_x
      r_m_x --> r_m_y : in
    }
  }
)");
    CHECK(lost(d) == R"()");
}

TEST_CASE("a machine with dispatch choices has a diamond") {
    const auto d = hsm::draw::mermaid(drawn::dispatching());
    CHECK(body(d.text, 5) == R"(  state "r" as r {
    direction TB
    state r_dispatch <<choice>>
    state "a" as r_a
    state "b" as r_b
    r_dispatch --> r_a : #91;is go#93;
    r_dispatch --> r_b : #91;else#93;
  }
)");
    CHECK(lost(d) == R"(dashed line: r chooses -> a [is go] is drawn with the line of a transition
dashed line: r begins -> b is drawn with the line of a transition
)");
}

TEST_CASE("no arrow leads between a box and a state inside it") {
    const auto d = hsm::draw::mermaid(drawn::any_state());
    CHECK(body(d.text, 5) == R"(  state "r" as r {
    direction TB
    state "again #123;external#125;" as r_m_t1
    [*] --> r_m
    r_m --> r_m_t1
    r_m_t1 --> r_m
    state "m" as r_m {
      direction TB
      state r_m_start <<choice>>
      state "x" as r_m_x
      state "y" as r_m_y
      state "any" as r_m_any
      r_m_start --> r_m_x
      r_m_any --> r_m_y : any #91;not in x#93;
      r_m_x --> r_m_start : anew
    }
  }
)");
    CHECK(lost(d) == R"()");
}

TEST_CASE("regions, forks and joins are drawn") {
    const auto d = hsm::draw::mermaid(drawn::regions());
    CHECK(body(d.text, 5) == R"(  state "r" as r {
    direction TB
    state "a" as r_a
    state r_a_t0 <<fork>>
    state r_p_one_x_t1 <<join>>
    [*] --> r_a
    r_a --> r_a_t0 : fork
    r_a_t0 --> r_p_one_x
    r_a_t0 --> r_p_two_y
    r_p_one_x --> r_p_one_x_t1
    r_p_two_y --> r_p_one_x_t1
    r_p_one_x_t1 --> r_a : join
    state "p" as r_p {
      direction TB
      state "one" as r_p_one {
        direction TB
        state "x" as r_p_one_x
        [*] --> r_p_one_x
      }
      state "two" as r_p_two {
        direction TB
        state "y" as r_p_two_y
        [*] --> r_p_two_y
      }
    }
  }
)");
    CHECK(lost(d) == R"(region: r/p/one is drawn in its parallel like a substate
region: r/p/two is drawn in its parallel like a substate
)");
}

TEST_CASE("both histories, and a machine that remembers, are drawn") {
    const auto d = hsm::draw::mermaid(drawn::histories());
    CHECK(body(d.text, 5) == R"(  state "r" as r {
    direction TB
    state "a" as r_a
    [*] --> r_a
    r_a --> r_m_h : h
    r_a --> r_m_d : d
    state "m" as r_m {
      direction TB
      state "H" as r_m_memory
      state r_m_start <<choice>>
      state "x" as r_m_x
      state "y" as r_m_y
      state "H h" as r_m_h
      state "H#42; d" as r_m_d
      r_m_memory --> r_m_start
      r_m_start --> r_m_x
      r_m_h --> r_m_x
    }
  }
)");
    CHECK(lost(d) == R"(history: r/m is drawn as a box with the name H, H* or P
history: r/m/h is drawn as a box with the name H, H* or P
history: r/m/d is drawn as a box with the name H, H* or P
)");
}

TEST_CASE("choices and final states are drawn") {
    const auto d = hsm::draw::mermaid(drawn::pseudo());
    CHECK(body(d.text, 5) == R"(  state "r" as r {
    direction TB
    state "a" as r_a
    state r_c <<choice>>
    state "f" as r_f
    r_f --> [*]
    [*] --> r_a
    r_a --> r_c : finished
    r_c --> r_a : 1. #91;is go#93;
    r_c --> r_f : 2. #91;else#93;
  }
)");
    CHECK(lost(d) == R"(name of a choice: r/c is omitted
final state: r/f is drawn as a box with an arrow to an end symbol
)");
}

TEST_CASE("a state's box lists its hooks, times, reactions and deferrals") {
    const auto d = hsm::draw::mermaid(drawn::inner());
    CHECK(body(d.text, 5) == R"(  state "r" as r {
    direction TB
    state "a" as r_a
    r_a : enter / shout
    r_a : update
    r_a : at least 200 ms
    r_a : holds until released
    r_a : every 1 s / shout
    r_a : hit #91;is go#93; / shout
    r_a : later / defer
    [*] --> r_a
    r_a --> r_a : after 1.5 ms #91;is go#93;<br/>always #91;Ready#93;
  }
)");
    CHECK(lost(d) == R"(loop: a -> a always [Ready] is written at the arrow of another transition from this state to itself
)");
}

TEST_CASE("the text begins with the settings of the drawing") {
    CHECK(test::head(hsm::draw::mermaid(drawn::labels()).text, 5) == R"(stateDiagram-v2
  direction TB
  classDef active fill:#ffe8a3,stroke:#bf6a02,stroke-width:2px,color:#24292f
  classDef seen fill:#dafbe1,stroke:#1a7f37,color:#24292f
  classDef missing fill:#ffebe9,stroke:#cf222e,color:#24292f
)");
}
