// expect: a member with such a name must be a member function
// finished is the name of a hook.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct wrong {
    bool finished = false;
};
struct right {
    bool done = false;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>("a");
#else
    root->add<wrong>("a");
#endif
}
