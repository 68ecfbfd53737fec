// expect: an event is taken by value or as const Event&
// An event is not the hook's to change.

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
    a.on<hit>().then([](hero&, hit e) { e.damage = 0; });
#else
    a.on<hit>().then([](hero&, hit&& e) { e.damage = 0; });
#endif
}
