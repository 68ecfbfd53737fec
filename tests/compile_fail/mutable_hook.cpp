// expect: a hook must be callable as const
// A mutable lambda has nowhere to keep its changes.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_update([n = 1](hero& h) { h.health += n; });
#else
    a.on_update([n = 0](hero& h) mutable { h.health = ++n; });
#endif
}
