// expect: call .on<Event>() before a guard or action that takes the event
// The event must be known before its guard.

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
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<hit>().when([](const hero&, const hit& e) { return e.damage > 1; });
#else
    a.to(b).when([](const hero&, const hit& e) { return e.damage > 1; }).on<hit>();
#endif
}
