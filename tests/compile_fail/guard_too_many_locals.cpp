// expect: a guard takes at most 16 locals in all its parts
// One local too many.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

template <int> struct part {};

template <int N> bool holds(const part<N>&) {
    return true;
}

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
    const auto nine = hsm::all(holds<0>, holds<1>, holds<2>, holds<3>, holds<4>, holds<5>, holds<6>, holds<7>, holds<8>);
#ifdef HSM_CORRECTED
    a.to(b).when(hsm::all(nine, hsm::any(holds<9>, holds<10>, holds<11>, holds<12>, holds<13>, holds<14>, holds<15>)));
#else
    a.to(b).when(hsm::all(nine, hsm::any(holds<9>, holds<10>, holds<11>, holds<12>, holds<13>, holds<14>, holds<15>, holds<16>)));
#endif
}
