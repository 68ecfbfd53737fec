// expect: the member enter cannot be used as a hook: it is private, overloaded or a template
// A private hook cannot be called.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct wrong : hsm::state<hero> {
    wrong() : state("wrong") {}

private:
    void enter(hero&) const {}
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
