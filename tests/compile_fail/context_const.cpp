// expect: name a context without const and &
// Whether a hook may change the context is said by the hook.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
#ifdef HSM_CORRECTED
    auto root = hsm::make_fsm<hero>("root");
#else
    auto root = hsm::make_fsm<const hero>("root");
#endif
    root->add("a");
}
