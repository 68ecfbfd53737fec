// A door: two states, one event that opens and closes it, one that asks for a key first.

#include <hsm/hsm.hpp>

#include "expect.hpp"

// [door]
struct door {
    bool has_key = false;
};
struct push {};
struct turn_key {};

auto make_door() {
    auto root = hsm::make_fsm<door>("door");
    auto& locked = root->add("locked");
    auto& closed = root->add("closed");
    auto& open = root->add("open").on_enter([](door&) { std::puts("creak"); });
    locked.to(closed).on<turn_key>().when(&door::has_key);
    closed.to(open).on<push>();
    open.to(closed).on<push>();
    return hsm::compile(std::move(root));
}
// [/door]

int main() {
    const auto chart = make_door();
    door front;
    hsm::instance agent{chart, front};
    agent.start();
    expect("start", agent.current().path(), "door/locked");
    expect("push a locked door", to_string(agent.process(push{})), "unhandled");
    expect("turn, without the key", to_string(agent.process(turn_key{})), "guarded");
    front.has_key = true;
    expect("turn, with it", to_string(agent.process(turn_key{})), "taken");
    agent.process(push{});
    expect("push", agent.current().path(), "door/open");
}
