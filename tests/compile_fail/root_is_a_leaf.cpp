// expect: a root is a machine
// A state without substates cannot be a root.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

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
