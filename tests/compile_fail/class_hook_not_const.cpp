// expect: the hooks of a node must be const
// One node serves all agents.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

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
