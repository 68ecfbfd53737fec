// expect: an event is taken by value or as const Event&
// An event is not its own member's to change either.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct hit {
    int damage = 0;
    void soften() { damage = 0; }
    void tell(hero& h) const { h.health -= damage; }
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on<hit>().then(&hit::tell);
#else
    a.on<hit>().then(&hit::soften);
#endif
}
