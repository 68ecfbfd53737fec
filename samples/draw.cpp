// A chart as a picture: with the active states of a machine, with the parts that a test has missed, and as a tree.

#include <hsm/draw/dot.hpp>
#include <hsm/draw/mermaid.hpp>
#include <hsm/draw/svg.hpp>
#include <hsm/draw/text.hpp>
#include <hsm/hsm.hpp>
#include <hsm/observe/coverage.hpp>
#include <hsm/observe/highlights.hpp>

#include "expect.hpp"

#include <chrono>
#include <fstream>
#include <string>

using namespace std::chrono_literals;

struct push {};
struct turn_key {};

struct door {
    bool has_key = false;
};

auto make_door() {
    auto root = hsm::make_fsm<door>("door");
    auto& locked = root->add("locked");
    auto& unlocked = root->add_fsm("unlocked");
    auto& closed = unlocked.add("closed");
    auto& open = unlocked.add("open");
    locked.to(unlocked).on<turn_key>().when(hsm::named("has key", &door::has_key));
    closed.to(open).on<push>();
    open.to(closed).on<push>();
    open.to(closed).after(5s);
    closed.to(locked).on<turn_key>();
    return hsm::compile(std::move(root));
}

int main() {
    const auto chart = make_door();
    door front{.has_key = true};
    hsm::instance agent{chart, front};
    hsm::coverage seen(chart);
    const auto attached = seen.watch(agent);
    agent.start();
    agent.process(turn_key{});

    // [picture]
    std::ofstream("door.dot") << hsm::draw::dot(chart).text;
    if (hsm::draw::can_render()) std::ofstream("door.svg") << hsm::draw::svg(chart); // if Graphviz is installed
    // [/picture]

    // [active]
    const auto now = hsm::draw::text(chart, {.highlight = hsm::draw::active(chart, agent.leaves())});
    // [/active]
    expect("now", now.text, R"(▶ door
│  ● → locked
├─ locked
│     → unlocked  turn_key [has key]
└─ ▶ unlocked
   │  ● → closed
   ├─ ▶ closed
   │     → open  push
   │     → locked  turn_key
   └─ open
         → closed  after 5 s
         → closed  push
)");

    // [coverage]
    const auto tested = hsm::draw::dot(chart, {.highlight = hsm::highlights_of(seen)});
    // [/coverage]
    expect("missing", tested.text.find("class=\"state missing\"") == std::string::npos ? "nothing" : "open", "open");

    // [losses]
    const auto m = hsm::draw::mermaid(chart, {.highlight = hsm::draw::active(chart, agent.leaves())});
    for (const auto& loss : m.losses) std::printf("%s\n", loss.text.c_str());
    // [/losses]
    expect("lost in Mermaid", m.losses.at(0).text,
           "highlighted superstate: door has a word in its title instead of a color");
}
