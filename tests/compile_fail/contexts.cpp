// Contexts: how functions take them, and charts of other contexts.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

// case: compiled_leaf
// expect: derive the root from hsm::fsm
// A state without substates cannot be compiled.
struct idle : hsm::state<hero> {
    idle() : state("idle") {}
};

int main() {
#ifdef HSM_CORRECTED
    auto root = hsm::make_fsm<hero>("root");
    root->add<idle>();
    hsm::compile(std::move(root));
#else
    hsm::compile(hsm::make_owned<idle>());
#endif
}

// case: context_by_value
// expect: take the context by reference
// The hook would change a copy.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](hero& h) { h.health = 0; });
#else
    a.on_enter([](hero h) { h.health = 0; });
#endif
}

// case: context_const
// expect: name a context without const and &
// Whether a hook may change the context is said by the hook.
int main() {
#ifdef HSM_CORRECTED
    auto root = hsm::make_fsm<hero>("root");
#else
    auto root = hsm::make_fsm<const hero>("root");
#endif
    root->add("a");
}

// case: generic_context_by_value
// expect: take the context by reference
// The hook would change a copy: `auto` deduces no reference.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](auto& h) { h.health = 0; }).on_exit([](auto&& h) { h.health = 0; });
#else
    a.on_enter([](auto h) { h.health = 0; });
#endif
}

// case: instance_of_another_context
// expect: hsm: the chart is compiled for another context
// at most: 25 lines
// A machine for heroes over a villain.
struct knight {};
struct villain {};
#ifdef HSM_CORRECTED
using driven = knight;
#else
using driven = villain;
#endif

int main() {
    auto root = hsm::make_fsm<knight>("knight");
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    driven d;
    hsm::instance agent{chart, d};
}

// case: on_change_context_by_value
// expect: take the context by reference
// What on_change writes would be lost.
struct knight {
    int changes = 0;
};

int main() {
    auto root = hsm::make_fsm<knight>("root");
    root->add("a");
#ifdef HSM_CORRECTED
    root->on_change([](auto& h, hsm::state_ref, auto, hsm::reason) { ++h.changes; });
    root->on_change([](hsm::state_ref, hsm::state_ref, hsm::reason) {});
#else
    root->on_change([](auto h, hsm::state_ref, auto, hsm::reason) { ++h.changes; });
#endif
}

// case: other_context
// expect: but not the machine's Context&
// A hook of another machine.
struct weapon {
    int sharpness = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](hero& h) { h.health = 1; });
#else
    a.on_enter([](weapon& w) { w.sharpness = 1; });
#endif
}

// case: root_is_a_leaf
// expect: a root is a machine
// A state without substates cannot be a root.
struct idle : hsm::state<hero> {
    idle() : state("idle") {}
};
struct machine : hsm::fsm<hero> {
    machine() : fsm("machine") { add<idle>(); }
};

int main() {
#ifdef HSM_CORRECTED
    hsm::make_fsm<machine>();
#else
    hsm::make_fsm<idle>();
#endif
}

// case: step_of_another_context
// expect: take the step as hsm::step<Context>&, where Context is this machine's context
// The step of another machine.
struct weapon {};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](hero&, hsm::step<hero>& s) { s.finish(); });
#else
    a.on_enter([](hero&, hsm::step<weapon>& s) { s.finish(); });
#endif
}

// case: temporary_chart
// expect: deleted
// The chart must outlive the instance.
auto make_chart() {
    auto root = hsm::make_fsm<hero>("root");
    root->add("a");
    return hsm::compile(std::move(root));
}

int main() {
    hero h;
#ifdef HSM_CORRECTED
    const auto chart = make_chart();
    hsm::instance agent{chart, h};
#else
    hsm::instance agent{make_chart(), h};
#endif
}
