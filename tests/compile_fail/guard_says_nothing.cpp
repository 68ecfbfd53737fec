// expect: a guard returns bool
// A guard that answers nothing.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).when([](const hero&) { return true; });
#else
    a.to(b).when([](const hero&) {});
#endif
}
