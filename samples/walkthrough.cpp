// s0 ... s211, step by step: the code of docs/tutorial/walkthrough.md, with checks.

#include <hsm/hsm.hpp>

#include "expect.hpp"

#include <string>
#include <utility>

// [context]
struct world {
    bool c0 = false, c1 = false, c11 = false; // can s0, s1, s11 be entered?
    bool jump = false;                        // can s11 be exited to s211?
    std::string trace;                        // the steps since the last call of take
};
// [/context]

// [talking]
/// Adds hooks that write E, U or X and the name of the state when it is entered, updated or exited.
template <class State> State& talking(State& state) {
    const auto say = [name = std::string(state.name())](char what) {
        return
            [token = std::string(1, what) + " " + name](world& w) { w.trace += (w.trace.empty() ? "" : ", ") + token; };
    };
    state.on_enter(say('E')).on_update(say('U')).on_exit(say('X'));
    return state;
}
// [/talking]

// [tree]
struct tree {
    hsm::owned<hsm::fsm<world>> root = hsm::make_fsm<world>("root");
    hsm::fsm<world>& s0 = root->add_fsm("s0");
    hsm::fsm<world>& s1 = s0.add_fsm("s1");
    hsm::state<world>& s11 = s1.add("s11");
    hsm::fsm<world>& s2 = s0.add_fsm("s2");
    hsm::fsm<world>& s21 = s2.add_fsm("s21");
    hsm::state<world>& s211 = s21.add("s211");

    tree() {
        talking(*root), talking(s0), talking(s1), talking(s11), talking(s2), talking(s21), talking(s211);
        root->dispatch(s0).when(hsm::named("c0", &world::c0)); // entering root continues to s0, if c0
        s0.dispatch(s1).when(hsm::named("c1", &world::c1));
        s1.dispatch(s11).when(hsm::named("c11", &world::c11));
        s2.dispatch(s21); // entering s2 always continues to s21
        s21.dispatch(s211);
    }
};
// [/tree]

/// Returns the trace of the last call, and clears it.
std::string take(world& w) { return std::exchange(w.trace, ""); }

// [polled]
void polled() {
    tree t;
    t.s11.to(t.s211).when(hsm::named("jump", &world::jump)); // the only transition
    const auto chart = hsm::compile(std::move(t.root));

    world w;
    hsm::instance agent{chart, w};
    agent.start();
    expect("start", take(w), "E root");
    agent.tick();
    expect("tick", take(w), "U root");
    w.c0 = true;
    agent.tick();
    expect("tick, c0", take(w), "U root, E s0, U s0");
    w.c1 = true;
    agent.tick();
    expect("tick, c1", take(w), "U root, U s0, E s1, U s1");
    w.c11 = true;
    agent.tick();
    expect("tick, c11", take(w), "U root, U s0, U s1, E s11, U s11");
    agent.tick();
    expect("tick", take(w), "U root, U s0, U s1, U s11");
    w.jump = true;
    agent.tick();
    expect("tick, jump", take(w), "U root, U s0, X s11, X s1, E s2, E s21, E s211, U s2, U s21, U s211");
    expect("where are we?", agent.current().path(), "root/s0/s2/s21/s211");
    agent.stop();
    expect("stop", take(w), "X s211, X s21, X s2, X s0, X root");
}
// [/polled]

// [event]
struct jump {};

void by_event() {
    tree t;
    t.s11.to(t.s211).on<jump>(); // the same transition, triggered by an event
    const auto chart = hsm::compile(std::move(t.root));

    world w;
    w.c0 = w.c1 = w.c11 = true;
    hsm::instance agent{chart, w};
    agent.start();
    expect("start, c0 c1 c11", take(w), "E root, E s0, E s1, E s11");
    agent.process(jump{});
    expect("process(jump)", take(w), "X s11, X s1, E s2, E s21, E s211");
    agent.tick();
    expect("tick", take(w), "U root, U s0, U s2, U s21, U s211");
}
// [/event]

// [four]
void with_four_objects() {
    tree t; // s2 -> s21 and s21 -> s211 are its dispatch choices
    t.s11.to(t.s1).when(hsm::named("jump", &world::jump));
    t.s1.to(t.s2).when(hsm::named("jump", &world::jump));
    const auto chart = hsm::compile(std::move(t.root));

    world w;
    w.c0 = w.c1 = w.c11 = true;
    hsm::instance agent{chart, w};
    agent.start();
    take(w);
    w.jump = true;
    agent.tick();
    expect("tick, jump", take(w), "U root, U s0, X s11, X s1, E s2, E s21, E s211, U s2, U s21, U s211");
}
// [/four]

// [all at once]
void all_at_once() {
    tree t;
    const auto chart = hsm::compile(std::move(t.root));
    world w;
    hsm::instance agent{chart, w};
    agent.start();
    take(w);
    w.c0 = w.c1 = w.c11 = true;
    agent.tick();
    expect("tick, c0 c1 c11", take(w), "U root, E s0, E s1, E s11, U s0, U s1, U s11");
}
// [/all at once]

int main() {
    std::puts("polled");
    polled();
    std::puts("\nby event");
    by_event();
    std::puts("\nwith four objects");
    with_four_objects();
    std::puts("\nall conditions at once");
    all_at_once();
}
