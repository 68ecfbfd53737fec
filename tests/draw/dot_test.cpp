// A chart in the language of Graphviz: the exact text of each construct.

#include <hsm/draw/dot.hpp>
#include <tests/draw/constructs.hpp>
#include <tests/draw/texts.hpp>

#include <doctest/doctest.h>

using test::body;

TEST_CASE("an arrow shows trigger, guard, action, priority and force") {
    const auto d = hsm::draw::dot(drawn::labels());
    CHECK(body(d.text, 4) == R"(  subgraph cluster_r {
    label=<<b>r</b>>; labeljust=l; style="rounded,filled"; fillcolor="#f3f6fa"; color="#6e7781"; penwidth=1; margin=10; id="r"; class="state box"; tooltip="r";
    r_start [label="", shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor="#24292f", color="#24292f", id="r_start", class="start"];
    r_a [label=<<b>a</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_a", class="state", tooltip="a"];
    r_b [label=<<b>b</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_b", class="state", tooltip="b"];
    r_start -> r_a;
    r_a -> r_b [label=<&#160;<font color="#24292f">hit</font> <font color="#0550ae">[Armed &amp;&amp; is go]</font> <font color="#116329">/ shout</font>&#160;<br/>&#160;<font color="#57606a">{priority 2, force}</font>&#160;>, class="t0"];
  }
}
)");
    CHECK(d.losses.empty());
}

TEST_CASE("a machine is a box, and arrows begin and end at its border") {
    const auto d = hsm::draw::dot(drawn::nested());
    CHECK(body(d.text, 4) == R"(  subgraph cluster_r {
    label=<<b>r</b>>; labeljust=l; style="rounded,filled"; fillcolor="#f3f6fa"; color="#6e7781"; penwidth=1; margin=10; id="r"; class="state box"; tooltip="r";
    r_start [label="", shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor="#24292f", color="#24292f", id="r_start", class="start"];
    r_a [label=<<b>a</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_a", class="state", tooltip="a"];
    subgraph cluster_r_m {
      label=<<b>m</b>>; labeljust=l; style="rounded,filled"; fillcolor="#e6edf5"; color="#6e7781"; penwidth=1; margin=10; id="r_m"; class="state box"; tooltip="m";
      r_m_start [label="", shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor="#24292f", color="#24292f", id="r_m_start", class="start"];
      r_m_x [label=<<b>x</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_m_x", class="state", tooltip="x"];
      r_m_y [label=<<b>y</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_m_y", class="state", tooltip="y"];
      r_m_start -> r_m_x;
      r_m_x -> r_m_y [label=<&#160;<font color="#24292f">in</font>&#160;>, class="t2"];
      r_m_start -> r_m_y [style=invis];
    }
    r_start -> r_a;
    "label 1" [label=<&#160;<font color="#24292f">to</font>&#160;>, shape=plain, fillcolor=none, fontsize=10, class="label"];
    r_a -> "label 1" [arrowhead=none, class="t0"];
    "label 1" -> r_m_start [lhead=cluster_r_m, class="t0"];
    "label 2" [label=<&#160;<font color="#24292f">from</font>&#160;>, shape=plain, fillcolor=none, fontsize=10, class="label"];
    r_m_y -> "label 2" [ltail=cluster_r_m, arrowhead=none, class="t1"];
    "label 2" -> r_a [class="t1"];
    r_m_x -> r_a [label=<&#160;<font color="#24292f">out</font>&#160;>, class="t3"];
  }
}
)");
    CHECK(d.losses.empty());
}

TEST_CASE("a machine with dispatch choices has a diamond") {
    const auto d = hsm::draw::dot(drawn::dispatching());
    CHECK(body(d.text, 4) == R"(  subgraph cluster_r {
    label=<<b>r</b>>; labeljust=l; style="rounded,filled"; fillcolor="#f3f6fa"; color="#6e7781"; penwidth=1; margin=10; id="r"; class="state box"; tooltip="r";
    r_dispatch [label="", shape=diamond, style=filled, fixedsize=true, width=0.22, height=0.22, color="#24292f", id="r_dispatch", class="dispatch"];
    r_a [label=<<b>a</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_a", class="state", tooltip="a"];
    r_b [label=<<b>b</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_b", class="state", tooltip="b"];
    r_dispatch -> r_a [label=<&#160;<font color="#0550ae">[is go]</font>&#160;>, style=dashed, class="t0"];
    r_dispatch -> r_b [label=<&#160;<font color="#0550ae">[else]</font>&#160;>, style=dashed, class="t1"];
  }
}
)");
    CHECK(d.losses.empty());
}

TEST_CASE("no arrow leads between a box and a state inside it") {
    const auto d = hsm::draw::dot(drawn::any_state());
    CHECK(body(d.text, 4) == R"(  subgraph cluster_r {
    label=<<b>r</b>>; labeljust=l; style="rounded,filled"; fillcolor="#f3f6fa"; color="#6e7781"; penwidth=1; margin=10; id="r"; class="state box"; tooltip="r";
    r_start [label="", shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor="#24292f", color="#24292f", id="r_start", class="start"];
    subgraph cluster_r_m {
      label=<<b>m</b>>; labeljust=l; style="rounded,filled"; fillcolor="#e6edf5"; color="#6e7781"; penwidth=1; margin=10; id="r_m"; class="state box"; tooltip="m";
      r_m_start [label="", shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor="#24292f", color="#24292f", id="r_m_start", class="start"];
      r_m_x [label=<<b>x</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_m_x", class="state", tooltip="x"];
      r_m_y [label=<<b>y</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_m_y", class="state", tooltip="y"];
      r_m_any [label=<<i>any</i>>, style="rounded,filled", fillcolor="#d0d7de", color="#d0d7de", fontsize=10, fontcolor="#57606a", height=0.2, width=0.3, margin="0.06,0.02", id="r_m_any", class="any"];
      r_m_start -> r_m_x;
      r_m_any -> r_m_y [label=<&#160;<font color="#24292f">any</font> <font color="#0550ae">[not in x]</font>&#160;>, class="t0"];
      r_m_x -> r_m_start [label=<&#160;<font color="#24292f">anew</font>&#160;>, class="t2"];
      r_m_start -> r_m_y [style=invis];
    }
    r_m_t1 [label=<again {external}>, style="rounded,filled", fillcolor="white", color="#6e7781", penwidth=1, fontsize=10, height=0.2, margin="0.06,0.02", id="r_m_t1", class="t1"];
    r_start -> r_m_start [lhead=cluster_r_m];
    r_m_y -> r_m_t1 [ltail=cluster_r_m, arrowhead=none, class="t1"];
    r_m_t1 -> r_m_start [lhead=cluster_r_m, class="t1"];
  }
}
)");
    CHECK(d.losses.empty());
}

TEST_CASE("regions, forks and joins are drawn") {
    const auto d = hsm::draw::dot(drawn::regions());
    CHECK(body(d.text, 4) == R"(  subgraph cluster_r {
    label=<<b>r</b>>; labeljust=l; style="rounded,filled"; fillcolor="#f3f6fa"; color="#6e7781"; penwidth=1; margin=10; id="r"; class="state box"; tooltip="r";
    r_start [label="", shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor="#24292f", color="#24292f", id="r_start", class="start"];
    r_a [label=<<b>a</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_a", class="state", tooltip="a"];
    subgraph cluster_r_p {
      label=<<b>p</b>>; labeljust=l; style="rounded,filled"; fillcolor="#e6edf5"; color="#6e7781"; penwidth=1; margin=10; id="r_p"; class="state box"; tooltip="p";
      subgraph cluster_r_p_one {
        label=<<b>one</b>>; labeljust=l; style="rounded,filled,dashed"; fillcolor="#d9e3ef"; color="#6e7781"; penwidth=1; margin=10; id="r_p_one"; class="state box"; tooltip="one";
        r_p_one_start [label="", shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor="#24292f", color="#24292f", id="r_p_one_start", class="start"];
        r_p_one_x [label=<<b>x</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_p_one_x", class="state", tooltip="x"];
        r_p_one_start -> r_p_one_x;
      }
      subgraph cluster_r_p_two {
        label=<<b>two</b>>; labeljust=l; style="rounded,filled,dashed"; fillcolor="#d9e3ef"; color="#6e7781"; penwidth=1; margin=10; id="r_p_two"; class="state box"; tooltip="two";
        r_p_two_start [label="", shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor="#24292f", color="#24292f", id="r_p_two_start", class="start"];
        r_p_two_y [label=<<b>y</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_p_two_y", class="state", tooltip="y"];
        r_p_two_start -> r_p_two_y;
      }
    }
    r_a_t0 [label="", style=filled, fixedsize=true, width=0.6, height=0.06, fillcolor="#24292f", color="#24292f", id="r_a_t0", class="bar t0"];
    r_p_one_x_t1 [label="", style=filled, fixedsize=true, width=0.6, height=0.06, fillcolor="#24292f", color="#24292f", id="r_p_one_x_t1", class="bar t1"];
    r_start -> r_a;
    r_a -> r_a_t0 [label=<&#160;<font color="#24292f">fork</font>&#160;>, arrowhead=none, class="t0"];
    r_a_t0 -> r_p_one_x [class="t0"];
    r_a_t0 -> r_p_two_y [class="t0"];
    r_p_one_x -> r_p_one_x_t1 [arrowhead=none, class="t1"];
    r_p_two_y -> r_p_one_x_t1 [arrowhead=none, class="t1"];
    r_p_one_x_t1 -> r_a [label=<&#160;<font color="#24292f">join</font>&#160;>, class="t1"];
  }
}
)");
    CHECK(d.losses.empty());
}

TEST_CASE("a previous state is drawn as a circle named P") {
    auto r = drawn::root();
    r->add("a");
    r->to(r->add_previous("last")).on("back");
    const auto d = hsm::draw::dot(drawn::done(std::move(r)));
    CHECK(body(d.text, 4).find("r_last [label=\"P\", shape=circle") != std::string::npos);
}

TEST_CASE("both histories, and a machine that remembers, are drawn") {
    const auto d = hsm::draw::dot(drawn::histories());
    CHECK(body(d.text, 4) == R"(  subgraph cluster_r {
    label=<<b>r</b>>; labeljust=l; style="rounded,filled"; fillcolor="#f3f6fa"; color="#6e7781"; penwidth=1; margin=10; id="r"; class="state box"; tooltip="r";
    r_start [label="", shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor="#24292f", color="#24292f", id="r_start", class="start"];
    r_a [label=<<b>a</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_a", class="state", tooltip="a"];
    subgraph cluster_r_m {
      label=<<b>m</b>>; labeljust=l; style="rounded,filled"; fillcolor="#e6edf5"; color="#6e7781"; penwidth=1; margin=10; id="r_m"; class="state box"; tooltip="m";
      r_m_memory [label="H", shape=circle, style=filled, fixedsize=true, width=0.34, height=0.34, id="r_m_memory", class="memory"];
      r_m_start [label="", shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor="#24292f", color="#24292f", id="r_m_start", class="start"];
      r_m_x [label=<<b>x</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_m_x", class="state", tooltip="x"];
      r_m_y [label=<<b>y</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_m_y", class="state", tooltip="y"];
      r_m_h [label="H", shape=circle, style=filled, fixedsize=true, width=0.34, height=0.34, fillcolor="white", color="#6e7781", penwidth=1, id="r_m_h", class="history", tooltip="h"];
      r_m_d [label="H*", shape=circle, style=filled, fixedsize=true, width=0.34, height=0.34, fillcolor="white", color="#6e7781", penwidth=1, id="r_m_d", class="history", tooltip="d"];
      r_m_memory -> r_m_start;
      r_m_start -> r_m_x;
      r_m_h -> r_m_x [class="t2"];
    }
    r_start -> r_a;
    r_a -> r_m_h [label=<&#160;<font color="#24292f">h</font>&#160;>, class="t0"];
    r_a -> r_m_d [label=<&#160;<font color="#24292f">d</font>&#160;>, class="t1"];
  }
}
)");
    CHECK(d.losses.empty());
}

TEST_CASE("choices and final states are drawn") {
    const auto d = hsm::draw::dot(drawn::pseudo());
    CHECK(body(d.text, 4) == R"(  subgraph cluster_r {
    label=<<b>r</b>>; labeljust=l; style="rounded,filled"; fillcolor="#f3f6fa"; color="#6e7781"; penwidth=1; margin=10; id="r"; class="state box"; tooltip="r";
    r_start [label="", shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor="#24292f", color="#24292f", id="r_start", class="start"];
    r_a [label=<<b>a</b>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_a", class="state", tooltip="a"];
    r_c [label=<<b>c</b>>, shape=diamond, style=filled, margin="0.02,0.02", fillcolor="white", color="#6e7781", penwidth=1, id="r_c", class="choice", tooltip="c"];
    r_f [label=<<b>f</b>>, peripheries=2, fillcolor="white", color="#6e7781", penwidth=1, id="r_f", class="state final", tooltip="f"];
    r_start -> r_a;
    r_a -> r_c [label=<&#160;<font color="#24292f">finished</font>&#160;>, class="t0"];
    r_c -> r_a [label=<&#160;<font color="#24292f">1.</font> <font color="#0550ae">[is go]</font>&#160;>, class="t1"];
    r_c -> r_f [label=<&#160;<font color="#24292f">2.</font> <font color="#0550ae">[else]</font>&#160;>, class="t2"];
  }
}
)");
    CHECK(d.losses.empty());
}

TEST_CASE("a state's box lists its hooks, times, reactions and deferrals") {
    const auto d = hsm::draw::dot(drawn::inner());
    CHECK(body(d.text, 4) == R"(  subgraph cluster_r {
    label=<<b>r</b>>; labeljust=l; style="rounded,filled"; fillcolor="#f3f6fa"; color="#6e7781"; penwidth=1; margin=10; id="r"; class="state box"; tooltip="r";
    r_start [label="", shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor="#24292f", color="#24292f", id="r_start", class="start"];
    r_a [label=<<table border="0" cellborder="0" cellspacing="0" cellpadding="1"><tr><td><b>a</b></td></tr><tr><td align="left" balign="left"><font point-size="10" color="#57606a">enter / shout<br align="left"/>update<br align="left"/>at least 200 ms<br align="left"/>holds until released<br align="left"/>every 1 s / shout<br align="left"/>hit [is go] / shout<br align="left"/>later / defer<br align="left"/></font></td></tr></table>>, fillcolor="white", color="#6e7781", penwidth=1, id="r_a", class="state", tooltip="a"];
    r_start -> r_a;
    r_a -> r_a [label=<&#160;<font color="#24292f">after 1.5 ms</font> <font color="#0550ae">[is go]</font>&#160;>, class="t0"];
    r_a -> r_a [label=<&#160;<font color="#24292f">always</font> <font color="#0550ae">[Ready]</font>&#160;>, class="t1"];
  }
}
)");
    CHECK(d.losses.empty());
}

TEST_CASE("the text begins with the settings of the drawing") {
    CHECK(test::head(hsm::draw::dot(drawn::labels()).text, 4) == R"(digraph "r" {
  graph [compound=true, newrank=true, rankdir=TB, nodesep=0.3, ranksep=0.35, pad=0.15, bgcolor="white", fontname="Helvetica,Arial,sans-serif", fontsize=12, fontcolor="#24292f"];
  node [shape=box, style="rounded,filled", color="#6e7781", fillcolor="white", fontname="Helvetica,Arial,sans-serif", fontsize=12, fontcolor="#24292f", height=0.3, margin="0.12,0.05", penwidth=1];
  edge [color="#6e7781", fontname="Helvetica,Arial,sans-serif", fontsize=10, fontcolor="#24292f", arrowsize=0.65];
)");
}
