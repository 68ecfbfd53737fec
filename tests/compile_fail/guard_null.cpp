// expect: hsm: a guard is a callable or a member pointer that returns bool
// A null pointer is no condition's name.

#include <hsm/hsm.hpp>

struct lamp {
    bool lit = false;
};

int main() {
    auto root = hsm::make_fsm<lamp>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.to(a).when(&lamp::lit);
#else
    a.to(a).when(nullptr);
#endif
}
