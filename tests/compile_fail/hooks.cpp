// Hooks and actions.

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

// case: batch_hook_mutable
// expect: a batch hook takes hsm::batch<Context>&, and optionally the elapsed time
// expect: it must be callable as const
// A counter in the hook itself: several threads may run it at once.
struct sheep {
    int age = 0;
};

int main() {
    auto root = hsm::make_fsm<sheep>("sheep");
    root->add("graze");
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd herd{chart};
#ifdef HSM_CORRECTED
    herd.on_update("graze", [](hsm::batch<sheep>& some) {
        for (sheep& s : some) ++s.age;
    });
#else
    herd.on_update("graze", [count = 0](hsm::batch<sheep>& some) mutable {
        for (sheep& s : some) s.age = ++count;
    });
#endif
}

// case: each_without_handle
// expect: each calls f(hsm::agent_id, Context&)
// The context alone.
struct sheep {
    int age = 0;
};

int main() {
    auto root = hsm::make_fsm<sheep>("sheep");
    root->add("graze");
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd herd{chart};
#ifdef HSM_CORRECTED
    herd.each([](hsm::agent_id, sheep& s) { ++s.age; });
#else
    herd.each([](sheep& s) { ++s.age; });
#endif
}

// case: generic_two_parameters
// expect: In a generic lambda with several parameters, write their types
// `auto` would be the step, not the elapsed time.
struct knight {
    double life = 3;
    template <class T> void heal(T) {
        life += 1;
    }
};

int main() {
    auto root = hsm::make_fsm<knight>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_update([](knight& h, float seconds) { h.heal(seconds); });
    a.on_exit([](auto& h, hsm::step<knight>& here) { h.heal(here.time_in_state()); });
#else
    a.on_update([](auto& h, auto seconds) { h.heal(seconds); });
#endif
}

// case: generic_update_returns_number
// expect: an update returns nothing or the next state
// The same mistake, with a generic lambda.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_update([](auto& h) { h.health = 1; });
#else
    a.on_update([](auto& h) { return h.health; });
#endif
}

// case: hook_takes_number
// expect: a hook cannot take a parameter of this type
// Where should the number come from?
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](hero& h) { h.health -= 1; });
#else
    a.on_enter([](hero& h, int damage) { h.health -= damage; });
#endif
}

// case: hook_too_many_parameters
// expect: a hook takes fewer than 16 parameters
// One parameter too many.
template <int> struct part {};

template <int... N> void takes(hero&, part<N>&...) {}

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter(takes<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13>);
#else
    a.on_enter(takes<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14>);
#endif
}

// case: mutable_action
// expect: a hook must be callable as const
// An action that counts in its captures.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).then([n = 1](hero& h) { h.health += n; });
#else
    a.to(b).then([n = 0](hero& h) mutable { h.health = ++n; });
#endif
}

// case: mutable_hook
// expect: a hook must be callable as const
// A mutable lambda has nowhere to keep its changes.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_update([n = 1](hero& h) { h.health += n; });
#else
    a.on_update([n = 0](hero& h) mutable { h.health = ++n; });
#endif
}

// case: on_change_signature
// expect: on_change takes a const callable
// An on_change hook receives the old and the new state.
int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->on_change([](hero&, hsm::state_ref, hsm::state_ref, hsm::reason) {});
#else
    root->on_change([](hero&) {});
#endif
}

// case: step_member
// expect: a member of hsm::step cannot be a hook
// A step is there for a call; it has no hooks of its own.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](hsm::step<hero>& s) { s.finish(); });
#else
    a.on_enter(&hsm::step<hero>::finish);
#endif
}

// case: update_returns_number
// expect: an update returns nothing or the next state
// A number is no state.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_update([](hero&) {});
#else
    a.on_update([](hero&) { return 1; });
#endif
}
