// expect: a hook takes fewer than 16 parameters
// One parameter too many.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

template <int> struct part {};

template <int... N> void takes(hero&, part<N>&...) {}

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_enter(takes<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13>);
#else
    a.on_enter(takes<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14>);
#endif
}
