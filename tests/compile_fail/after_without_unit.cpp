// expect: hsm: a time needs a unit: 16ms (with <chrono> and its literals), or seconds as in 0.016f
// at most: 25 lines
// Three what?

#include <hsm/hsm.hpp>

struct hero {};

int main() {
    auto root = hsm::make_fsm<hero>("hero");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).after(3.0);
#else
    a.to(b).after(3);
#endif
}
