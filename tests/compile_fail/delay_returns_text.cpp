// expect: hsm: a delay is a duration, or seconds as a floating-point number
// A time is written down or found out; a name is none.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.to(a).after([](const hero& h) { return 0.5 * h.health; });
#else
    a.to(a).after([](const hero&) { return "soon"; });
#endif
}
