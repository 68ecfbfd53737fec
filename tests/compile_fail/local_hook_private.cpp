// expect: the member enter cannot be used as a hook: it is private, overloaded or a template
// A private hook cannot be called.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct wrong {
    wrong() {}

private:
    void enter(hero&) {}
};
struct right {
    void enter(hero&) {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>("a");
#else
    root->add<wrong>("a");
#endif
}
