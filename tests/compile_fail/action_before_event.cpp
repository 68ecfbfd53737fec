// expect: call .on<Event>() before a guard or action that takes the event
// The event must be known before its action.

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
    a.to(b).on<hit>().then([](hero& h, const hit& e) { h.health -= e.damage; });
#else
    a.to(b).then([](hero& h, const hit& e) { h.health -= e.damage; }).on<hit>();
#endif
}
