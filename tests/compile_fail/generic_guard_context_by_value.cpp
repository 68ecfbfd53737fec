// expect: take the context by reference
// A guard with the event, too, would look at a copy.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct hit {
    int damage = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.to(a).on<hit>().when([](const auto& h, auto e) { return h.health > e.damage; });
#else
    a.to(a).on<hit>().when([](auto h, const hit& e) { return h.health > e.damage; });
#endif
}
