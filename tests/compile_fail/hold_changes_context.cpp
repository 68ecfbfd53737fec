// expect: a guard takes const Context&
// What a state holds until is a guard.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.hold_until([](const hero& h, hsm::state_ref target) { return h.health > 0 || target.name() == "dead"; });
#else
    a.hold_until([](hero& h, hsm::state_ref) { return --h.health > 0; });
#endif
}
