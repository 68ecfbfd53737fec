// expect: this class is a node
// A node belongs into the tree.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

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
