// expect: an update returns nothing or the next state
// A number is no state.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_update([](hero&) {});
#else
    a.on_update([](hero&) { return 1; });
#endif
}
