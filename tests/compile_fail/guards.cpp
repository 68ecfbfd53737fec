// Guards, and functions that decide like guards.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

// case: enum_guard_before_event
// expect: call .on<Event>() before a guard or action that takes the event
// The same mistake, with an enumerator.
enum class input { jump };

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<input::jump>().when([](const hero&, input i) { return i == input::jump; });
#else
    a.to(b).when([](const hero&, input i) { return i == input::jump; }).on<input::jump>();
#endif
}

// case: generic_guard_before_event
// expect: after .on<Event>()
// The same mistake, with a generic lambda.
struct hit {
    int damage = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<hit>().when([](const auto&, const auto& e) { return e.damage > 1; });
#else
    a.to(b).when([](const auto&, const auto& e) { return e.damage > 1; }).template on<hit>();
#endif
}

// case: generic_guard_context_by_value
// expect: take the context by reference
// A guard with the event, too, would look at a copy.
struct hit {
    int damage = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.to(a).on<hit>().when([](const auto& h, auto e) { return h.health > e.damage; });
#else
    a.to(a).on<hit>().when([](auto h, const hit& e) { return h.health > e.damage; });
#endif
}

// case: guard_before_event
// expect: call .on<Event>() before a guard or action that takes the event
// The event must be known before its guard.
struct hit {
    int damage = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<hit>().when([](const hero&, const hit& e) { return e.damage > 1; });
#else
    a.to(b).when([](const hero&, const hit& e) { return e.damage > 1; }).on<hit>();
#endif
}

// case: guard_is_a_number
// expect: a guard is a callable or a member pointer that returns bool
// A condition is known by an int; a truth value is none, and no guard either.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).when(3);
#else
    a.to(b).when(true);
#endif
}

// case: guard_mutable_context
// expect: guards, scores and delays take const Context&
// A guard that could change what it decides upon.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).when([](const hero& h) { return h.health == 0; });
#else
    a.to(b).when([](hero& h) { return h.health == 0; });
#endif
}

// case: guard_mutable_local
// expect: guards, scores and delays take const references
// A guard that could change a local.
struct swing {
    int count = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
    a.local<swing>();
#ifdef HSM_CORRECTED
    a.to(b).when([](const swing& s) { return s.count > 3; });
#else
    a.to(b).when([](swing& s) { return ++s.count > 3; });
#endif
}

// case: guard_mutable_member
// expect: a member function used as a guard must be const
// A guard that could change the context.
struct archer {
    bool aim() { return true; }
    bool aims() const { return true; }
};

int main() {
    auto root = hsm::make_fsm<archer>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).when(&archer::aims);
#else
    a.to(b).when(&archer::aim);
#endif
}

// case: guard_null
// expect: hsm: a guard is a callable or a member pointer that returns bool
// A null pointer is no condition's name.
struct lamp {
    bool lit = false;
};

int main() {
    auto root = hsm::make_fsm<lamp>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.to(a).when(&lamp::lit);
#else
    a.to(a).when(nullptr);
#endif
}

// case: guard_says_nothing
// expect: a guard returns bool
// A guard that answers nothing.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).when([](const hero&) { return true; });
#else
    a.to(b).when([](const hero&) {});
#endif
}

// case: guard_too_many_locals
// expect: a guard takes at most 16 locals in all its parts
// One local too many.
template <int> struct part {};

template <int N> bool holds(const part<N>&) {
    return true;
}

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
    const auto nine = hsm::all(holds<0>, holds<1>, holds<2>, holds<3>, holds<4>, holds<5>, holds<6>, holds<7>, holds<8>);
#ifdef HSM_CORRECTED
    a.to(b).when(hsm::all(nine, hsm::any(holds<9>, holds<10>, holds<11>, holds<12>, holds<13>, holds<14>, holds<15>)));
#else
    a.to(b).when(hsm::all(nine, hsm::any(holds<9>, holds<10>, holds<11>, holds<12>, holds<13>, holds<14>, holds<15>, holds<16>)));
#endif
}

// case: hold_changes_context
// expect: guards, scores and delays take const Context&
// What a state holds until is a guard.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.hold_until([](const hero& h, hsm::state_ref target) { return h.health > 0 || target.name() == "dead"; });
#else
    a.hold_until([](hero& h, hsm::state_ref) { return --h.health > 0; });
#endif
}

// case: local_guard_before_event
// expect: call .on<Event>() before a guard or action that takes the event or a local
// The parameter of the guard is a local here, but hsm can only decide this when the event is known.
struct hit {};

struct combo {
    int hits = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add<combo>("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<hit>().when([](const hero&, const combo& c) { return c.hits > 1; });
#else
    a.to(b).when([](const hero&, const combo& c) { return c.hits > 1; }).on<hit>();
#endif
}

// case: mutable_guard
// expect: a hook must be callable as const
// A guard that changes itself.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).when([n = 4](const hero&) { return n > 3; });
#else
    a.to(b).when([n = 0](const hero&) mutable { return ++n > 3; });
#endif
}

// case: set_two_conditions
// expect: deleted
// The second name would be a bool.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    a.to(root->add("b")).when(hsm::all("IsRun", "IsAttack"));
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
#ifdef HSM_CORRECTED
    agent.set("IsRun");
    agent.set("IsAttack", h.health > 1);
#else
    agent.set("IsRun", "IsAttack");
#endif
}

// case: scores_in_guard
// expect: only a score takes hsm::scores
// A guard for many agents.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    root->choose(hsm::best).dispatch(a).when([](const hero&) { return true; });
#ifdef HSM_CORRECTED
    root->dispatch(root->add("b")).score([](hsm::scores<hero>& some) { some.set(0, 1); });
#else
    root->dispatch(root->add("b")).when([](hsm::scores<hero>& some) { return some.size() > 0; });
#endif
}

// case: step_in_guard
// expect: guards, scores and delays take no step
// A guard that could act.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).when([](const hero&) { return true; });
#else
    a.to(b).when([](const hero&, hsm::step<hero>& s) { return s.event_name() == "x"; });
#endif
}
