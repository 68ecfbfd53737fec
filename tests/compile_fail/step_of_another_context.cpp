// expect: take the step as hsm::step<Context>&, of this machine's context
// The step of another machine.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct weapon {};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](hero&, hsm::step<hero>& s) { s.finish(); });
#else
    a.on_enter([](hero&, hsm::step<weapon>& s) { s.finish(); });
#endif
}
