// A chart for PlantUML: the exact text of each construct, and the losses.

#include <hsm/draw/plantuml.hpp>
#include <tests/draw/constructs.hpp>
#include <tests/draw/texts.hpp>

#include <doctest/doctest.h>

using test::body;
using test::lost;

TEST_CASE("an arrow shows trigger, guard, action, priority and force") {
    const auto d = hsm::draw::plantuml(drawn::labels());
    CHECK(body(d.text, 7) == R"(state "r" as r {
  state "a" as r_a
  state "b" as r_b
  [*] --> r_a
  r_a --> r_b : hit [Armed <U+0026><U+0026> is go] <U+002F> shout\n{priority 2, force}
}
@enduml
)");
    CHECK(lost(d) == R"()");
}

TEST_CASE("a machine is a box, and arrows begin and end at its border") {
    const auto d = hsm::draw::plantuml(drawn::nested());
    CHECK(body(d.text, 7) == R"(state "r" as r {
  state "a" as r_a
  state "m" as r_m {
    state "x" as r_m_x
    state "y" as r_m_y
    [*] --> r_m_x
    r_m_x --> r_m_y : in
  }
  [*] --> r_a
  r_a --> r_m : to
  r_m --> r_a : from
  r_m_x --> r_a : out
}
@enduml
)");
    CHECK(lost(d) == R"()");
}

TEST_CASE("a machine with dispatch choices has a diamond") {
    const auto d = hsm::draw::plantuml(drawn::dispatching());
    CHECK(body(d.text, 7) == R"(state "r" as r {
  state r_dispatch <<choice>>
  state "a" as r_a
  state "b" as r_b
  r_dispatch -[dashed]-> r_a : [is go]
  r_dispatch -[dashed]-> r_b : [else]
}
@enduml
)");
    CHECK(lost(d) == R"()");
}

TEST_CASE("no arrow leads between a box and a state inside it") {
    const auto d = hsm::draw::plantuml(drawn::any_state());
    CHECK(body(d.text, 7) == R"(state "r" as r {
  state "m" as r_m {
    state r_m_start <<choice>>
    state "x" as r_m_x
    state "y" as r_m_y
    state "any" as r_m_any
    r_m_start --> r_m_x
    r_m_any --> r_m_y : any [not in x]
    r_m_x --> r_m_start : anew
  }
  state "again {external}" as r_m_t1
  [*] --> r_m
  r_m --> r_m_t1
  r_m_t1 --> r_m
}
@enduml
)");
    CHECK(lost(d) == R"()");
}

TEST_CASE("regions, forks and joins are drawn") {
    const auto d = hsm::draw::plantuml(drawn::regions());
    CHECK(body(d.text, 7) == R"(state "r" as r {
  state "a" as r_a
  state "p" as r_p {
    state "one" as r_p_one {
      state "x" as r_p_one_x
      [*] --> r_p_one_x
    }
    state "two" as r_p_two {
      state "y" as r_p_two_y
      [*] --> r_p_two_y
    }
  }
  state r_a_t0 <<fork>>
  state r_p_one_x_t1 <<join>>
  [*] --> r_a
  r_a --> r_a_t0 : fork
  r_a_t0 --> r_p_one_x
  r_a_t0 --> r_p_two_y
  r_p_one_x --> r_p_one_x_t1
  r_p_two_y --> r_p_one_x_t1
  r_p_one_x_t1 --> r_a : join
}
@enduml
)");
    CHECK(lost(d) == R"(region: r/p/one is drawn in its parallel like a substate
region: r/p/two is drawn in its parallel like a substate
)");
}

TEST_CASE("both histories, and a machine that remembers, are drawn") {
    const auto d = hsm::draw::plantuml(drawn::histories());
    CHECK(body(d.text, 7) == R"(state "r" as r {
  state "a" as r_a
  state "m" as r_m {
    state "H" as r_m_memory
    state r_m_start <<choice>>
    state "x" as r_m_x
    state "y" as r_m_y
    state "H h" as r_m_h
    state "H<U+002A> d" as r_m_d
    r_m_memory --> r_m_start
    r_m_start --> r_m_x
    r_m_h --> r_m_x
  }
  [*] --> r_a
  r_a --> r_m_h : h
  r_a --> r_m_d : d
}
@enduml
)");
    CHECK(lost(d) == R"(history: r/m is drawn as a box with the name H, H* or P
history: r/m/h is drawn as a box with the name H, H* or P
history: r/m/d is drawn as a box with the name H, H* or P
)");
}

TEST_CASE("choices and final states are drawn") {
    const auto d = hsm::draw::plantuml(drawn::pseudo());
    CHECK(body(d.text, 7) == R"(state "r" as r {
  state "a" as r_a
  state r_c <<choice>>
  state "f" as r_f
  r_f --> [*]
  [*] --> r_a
  r_a --> r_c : finished
  r_c --> r_a : 1. [is go]
  r_c --> r_f : 2. [else]
}
@enduml
)");
    CHECK(lost(d) == R"(name of a choice: r/c is omitted
final state: r/f is drawn as a box with an arrow to an end symbol
)");
}

TEST_CASE("a state's box lists its hooks, times, reactions and deferrals") {
    const auto d = hsm::draw::plantuml(drawn::inner());
    CHECK(body(d.text, 7) == R"(state "r" as r {
  state "a" as r_a
    r_a : enter <U+002F> shout
    r_a : update
    r_a : at least 200 ms
    r_a : holds until released
    r_a : every 1 s <U+002F> shout
    r_a : hit [is go] <U+002F> shout
    r_a : later <U+002F> defer
  [*] --> r_a
  r_a --> r_a : after 1.5 ms [is go]
  r_a --> r_a : always [Ready]
}
@enduml
)");
    CHECK(lost(d) == R"()");
}

TEST_CASE("the text begins with the settings of the drawing") {
    CHECK(test::head(hsm::draw::plantuml(drawn::labels()).text, 7) == R"(@startuml
hide empty description
skinparam state {
  BackgroundColor #f3f6fa
  BorderColor #6e7781
  ArrowColor #6e7781
}
)");
}
