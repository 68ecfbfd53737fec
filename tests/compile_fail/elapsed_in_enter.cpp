// expect: only an update takes the elapsed time
// Nothing has elapsed when a state is entered.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_update([](hero&, float dt) { (void)dt; });
#else
    a.on_enter([](hero&, float dt) { (void)dt; });
#endif
}
