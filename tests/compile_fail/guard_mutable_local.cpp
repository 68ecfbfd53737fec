// expect: a guard takes const references
// A guard that could change a local.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct swing {
    int count = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
    a.local<swing>();
#ifdef HSM_CORRECTED
    a.to(b).when([](const swing& s) { return s.count > 3; });
#else
    a.to(b).when([](swing& s) { return ++s.count > 3; });
#endif
}
