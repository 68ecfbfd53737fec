// expect: a guard is a callable or a member pointer that returns bool
// A condition is known by an int; a truth value is none, and no guard either.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).when(3);
#else
    a.to(b).when(true);
#endif
}
