// expect: only an update takes the elapsed time
// Nothing has elapsed when a state is left.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct wrong {
    void exit(hero&, float) {}
};
struct right {
    void update(hero&, float) {}
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>("a");
#else
    root->add<wrong>("a");
#endif
}
