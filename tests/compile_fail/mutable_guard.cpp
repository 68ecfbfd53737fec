// expect: a hook must be callable as const
// A guard that changes itself.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).when([n = 4](const hero&) { return n > 3; });
#else
    a.to(b).when([n = 0](const hero&) mutable { return ++n > 3; });
#endif
}
