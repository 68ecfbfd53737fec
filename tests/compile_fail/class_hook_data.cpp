// expect: a member with such a name must be a member function
// enter is the name of a hook.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    bool enter = false;
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    bool entered = false;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}
