// expect: the member update cannot be used as a hook: it is private, overloaded or a template
// What should it be instantiated with?

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}
    template <class C> void update(C&) const {}
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
