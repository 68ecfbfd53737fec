// expect: but not the machine's Context&
// A hook of another machine.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct weapon {
    int sharpness = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](hero& h) { h.health = 1; });
#else
    a.on_enter([](weapon& w) { w.sharpness = 1; });
#endif
}
