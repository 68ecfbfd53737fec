// expect: derive the root from hsm::fsm
// A state without substates cannot be compiled.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

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
