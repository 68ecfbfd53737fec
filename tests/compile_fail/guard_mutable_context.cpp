// expect: a guard takes const Context&
// A guard that could change what it decides upon.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).when([](const hero& h) { return h.health == 0; });
#else
    a.to(b).when([](hero& h) { return h.health == 0; });
#endif
}
