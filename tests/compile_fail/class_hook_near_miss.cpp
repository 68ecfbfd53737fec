// expect: hsm: on_enter takes the context, but is not a hook: the hook is named enter
// at most: 25 lines
// A node's hook by the name of the word for lambdas.

#include <hsm/hsm.hpp>

struct hero {
    int life = 3;
};

struct guarding : hsm::state<hero> {
    guarding() : state("guarding") {}
#ifdef HSM_CORRECTED
    void enter(hero& h) const { --h.life; }
#else
    void on_enter(hero& h) const { --h.life; }
#endif
};

int main() {
    auto root = hsm::make_fsm<hero>("hero");
    root->add<guarding>();
}
