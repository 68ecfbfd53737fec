// expect: a hook must be callable as const
// An action that counts in its captures.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).then([n = 1](hero& h) { h.health += n; });
#else
    a.to(b).then([n = 0](hero& h) mutable { h.health = ++n; });
#endif
}
