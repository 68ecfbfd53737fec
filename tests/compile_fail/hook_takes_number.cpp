// expect: a hook cannot take a parameter of this type
// Where should the number come from?

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](hero& h) { h.health -= 1; });
#else
    a.on_enter([](hero& h, int damage) { h.health -= damage; });
#endif
}
