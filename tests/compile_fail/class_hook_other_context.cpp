// expect: but not the machine's Context&
// The hook is written for another context.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct weapon {};
struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    void enter(weapon&) const {}
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    void enter(hero&) const {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}
