// expect: a member with such a name must be a member function, and not a static one
// A static function is no hook of its object.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    static void enter(hero&) {}
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
