// expect: an update returns nothing or the next state
// A number is no state.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    int update(hero&) const { return 1; }
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    void update(hero&) const {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}
