// expect: a guard takes const Context&
// What finds a time out only looks, as a guard does.

#include <hsm/hsm.hpp>

struct hero {
    float health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.min_duration([](const hero& h) { return h.health; });
#else
    a.min_duration([](hero& h) { return h.health--; });
#endif
}
