// expect: take a local by reference
// The hook would change a copy of the local.

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
    a.local<swing>();
#ifdef HSM_CORRECTED
    a.on_update([](hero&, swing& s) { ++s.count; });
#else
    a.on_update([](hero&, swing s) { ++s.count; });
#endif
}
