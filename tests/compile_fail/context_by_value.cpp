// expect: take the context by reference
// The hook would change a copy.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](hero& h) { h.health = 0; });
#else
    a.on_enter([](hero h) { h.health = 0; });
#endif
}
