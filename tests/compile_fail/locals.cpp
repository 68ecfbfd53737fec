// Locals of states.

#include <hsm/hsm.hpp>

#include <memory>

struct hero {
    int health = 3;
};

// case: local_by_value
// expect: take a local by reference
// The hook would change a copy of the local.
struct swing {
    int count = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    a.local<swing>();
#ifdef HSM_CORRECTED
    a.on_update([](hero&, swing& s) { ++s.count; });
#else
    a.on_update([](hero&, swing s) { ++s.count; });
#endif
}

// case: local_hook_data
// expect: a member with such a name must be a non-static member function
// finished is the name of a hook.
struct wrong {
    bool finished = false;
};
struct right {
    bool done = false;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>("a");
#else
    root->add<wrong>("a");
#endif
}

// case: local_hook_elapsed_in_exit
// expect: only an update takes the elapsed time
// Nothing has elapsed when a state is left.
struct wrong {
    void exit(hero&, float) {}
};
struct right {
    void update(hero&, float) {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>("a");
#else
    root->add<wrong>("a");
#endif
}

// case: local_hook_finished_not_const
// expect: finished() must be const
// finished is a question.
struct wrong {
    bool finished() { return ++count > 3; }
    int count = 0;
};
struct right {
    bool finished() const { return count > 3; }
    int count = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>("a");
#else
    root->add<wrong>("a");
#endif
}

// case: local_hook_finished_says_nothing
// expect: finished() returns bool
// finished is a question, so it has an answer.
struct wrong {
    void finished() const {}
};
struct right {
    bool finished() const { return true; }
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>("a");
#else
    root->add<wrong>("a");
#endif
}

// case: local_hook_near_miss
// expect: hsm: Update takes the context, but is not a hook: the hook is named update
// at most: 25 lines
// A local's hook in another engine's spelling.
struct knight {
    int life = 3;
};

struct swing {
    float left = 1;
#ifdef HSM_CORRECTED
    void update(knight&, float dt) { left -= dt; }
#else
    void Update(knight&, float dt) { left -= dt; }
#endif
};

int main() {
    auto root = hsm::make_fsm<knight>("knight");
    root->add<swing>("swing");
}

// case: local_hook_private
// expect: the member enter cannot be used as a hook: it is private, overloaded or a template
// A private hook cannot be called.
struct wrong {
    wrong() {}

private:
    void enter(hero&) {}
};
struct right {
    void enter(hero&) {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>("a");
#else
    root->add<wrong>("a");
#endif
}

// case: local_is_a_node
// expect: this class is a state, not a local
// A node belongs into the tree.
struct attack : hsm::state<hero> {
    attack() : state("attack") {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<attack>();
#else
    root->local<attack>();
#endif
}

// case: local_is_final
// expect: cannot be a final class
// The hooks of a final class cannot be found.
struct swing final {
    void enter(hero&) {}
};
struct open_swing {
    void enter(hero&) {}
};

int main() {
#ifdef HSM_CORRECTED
    hsm::make_fsm<hero>("root")->add<open_swing>("a");
#else
    hsm::make_fsm<hero>("root")->add<swing>("a");
#endif
}

// case: local_not_braced
// expect: cannot be constructed as T{args...}
// Braces do not narrow.
struct swing {
    float wind_up;
};

int main() {
#ifdef HSM_CORRECTED
    hsm::make_fsm<hero>("root")->add<swing>("a", 0.4f);
#else
    double wind_up = 0.5;
    hsm::make_fsm<hero>("root")->add<swing>("a", wind_up);
#endif
}

// case: local_not_copyable
// expect: a local must be copyable
// A local that cannot be copied cannot be created for each activation.
struct swing {
    std::unique_ptr<int> target;
};
struct pointing {
    int* target = nullptr;
};

int main() {
#ifdef HSM_CORRECTED
    hsm::make_fsm<hero>("root")->add<pointing>("a");
#else
    hsm::make_fsm<hero>("root")->add<swing>("a");
#endif
}
