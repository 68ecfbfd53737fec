// expect: a guard takes no step
// A guard that could act.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).when([](const hero&) { return true; });
#else
    a.to(b).when([](const hero&, hsm::step<hero>& s) { return s.event_name() == "x"; });
#endif
}
