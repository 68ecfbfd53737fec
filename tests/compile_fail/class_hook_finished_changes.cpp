// expect: a guard takes const Context&
// finished is a question.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    bool finished(hero& h) const { return --h.health == 0; }
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    bool finished(const hero& h) const { return h.health == 0; }
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}
