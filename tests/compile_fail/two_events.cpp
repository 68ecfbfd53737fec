// expect: a transition has one event
// One transition waits for one event.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct hit {
    int damage = 0;
};
struct hug {};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<hit>();
    a.to(b).on<hug>();
#else
    a.to(b).on<hit>().on<hug>();
#endif
}
