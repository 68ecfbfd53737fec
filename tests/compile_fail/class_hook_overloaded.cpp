// expect: the member exit cannot be used as a hook: it is private, overloaded or a template
// Which of the two?

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    void exit(hero&) const {}
    void exit(hero&, hsm::step<hero>&) const {}
};
struct right : hsm::state<hero> {
    right() : state("right") {}
    void exit(hero&, hsm::step<hero>&) const {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>();
#else
    root->add<wrong>();
#endif
}
