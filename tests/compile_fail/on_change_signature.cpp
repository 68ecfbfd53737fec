// expect: on_change takes a const callable
// on_change is told where from and where to.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->on_change([](hero&, hsm::state_ref, hsm::state_ref, hsm::reason) {});
#else
    root->on_change([](hero&) {});
#endif
}
