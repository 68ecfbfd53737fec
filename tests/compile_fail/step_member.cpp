// expect: a member of hsm::step cannot be a hook
// A step is there for a call; it has no hooks of its own.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](hsm::step<hero>& s) { s.finish(); });
#else
    a.on_enter(&hsm::step<hero>::finish);
#endif
}
