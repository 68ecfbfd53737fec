// expect: take the context by reference
// The hook would change a copy: `auto` deduces no reference.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](auto& h) { h.health = 0; }).on_exit([](auto&& h) { h.health = 0; });
#else
    a.on_enter([](auto h) { h.health = 0; });
#endif
}
