// expect: an update returns nothing or the next state
// The same mistake, with a generic lambda.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_update([](auto& h) { h.health = 1; });
#else
    a.on_update([](auto& h) { return h.health; });
#endif
}
