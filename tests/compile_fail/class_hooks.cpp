// Classes of states whose members look like hooks.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

// case: class_hook_data
// expect: a member with such a name must be a non-static member function
// enter is the name of a hook.
struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    bool enter = false;
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    bool entered = false;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}

// case: class_hook_finished_changes
// expect: guards, scores and delays take const Context&
// finished is a question.
struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    bool finished(hero& h) const { return --h.health == 0; }
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    bool finished(const hero& h) const { return h.health == 0; }
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}

// case: class_hook_near_miss
// expect: hsm: on_enter takes the context, but is not a hook: the hook is named enter
// at most: 25 lines
// A node's hook by the name of the word for lambdas.
struct knight {
    int life = 3;
};

struct guarding : hsm::state<knight> {
    guarding() : state("guarding") {}
#ifdef HSM_CORRECTED
    void enter(knight& h) const { --h.life; }
#else
    void on_enter(knight& h) const { --h.life; }
#endif
};

int main() {
    auto root = hsm::make_fsm<knight>("knight");
    root->add<guarding>();
}

// case: class_hook_not_const
// expect: the hooks of a node must be const
// One node serves all agents.
struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    void enter(hero& h) { h.health = ++count; }
    int count = 0;
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    void enter(hero& h) const { h.health = count; }
    int count = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}

// case: class_hook_other_context
// expect: but not the machine's Context&
// The hook is written for another context.
struct weapon {};
struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    void enter(weapon&) const {}
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    void enter(hero&) const {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}

// case: class_hook_overloaded
// expect: the member exit cannot be used as a hook: it is private, overloaded or a template
// Which of the two?
struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    void exit(hero&) const {}
    void exit(hero&, hsm::step<hero>&) const {}
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    void exit(hero&, hsm::step<hero>&) const {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}

// case: class_hook_private
// expect: the member enter cannot be used as a hook: it is private, overloaded or a template
// A private hook cannot be called.
struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}

private:
    void enter(hero&) const {}
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    void enter(hero&) const {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}

// case: class_hook_static
// expect: a member with such a name must be a non-static member function
// A static function is no hook of its object.
struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    static void enter(hero&) {}
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    void enter(hero&) const {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}

// case: class_hook_template
// expect: the member update cannot be used as a hook: it is private, overloaded or a template
// What should it be instantiated with?
struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    template <class C> void update(C&) const {}
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    void update(hero&) const {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}

// case: class_hook_update_returns_number
// expect: an update returns nothing or the next state
// A number is no state.
struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    int update(hero&) const { return 1; }
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    void update(hero&) const {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}
