// A door: two states, one event that opens and closes it, one that requires a key first.

// [program]
#include <hsm/hsm.hpp>

#include <cstdio>

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
    return hsm::compile(std::move(root)); // checks the definition
}

int main() {
    const auto chart = make_door(); // immutable, shared by any number of instances
    door front;
    hsm::instance agent{chart, front};
    agent.start(); // enters "locked"
    if (agent.process(push{}) != hsm::result::unhandled) return 1;
    if (agent.process(turn_key{}) != hsm::result::guarded) return 1; // no key
    front.has_key = true;
    agent.process(turn_key{});                 // "locked" to "closed"
    agent.process(push{});                     // prints "creak"
    std::puts(agent.current().path().c_str()); // prints "door/open"
    return agent.current().path() == "door/open" ? 0 : 1;
}
// [/program]
