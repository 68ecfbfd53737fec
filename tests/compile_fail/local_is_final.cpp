// expect: cannot be a final class
// The hooks of a final class cannot be found.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct swing final {
    void enter(hero&) {}
};
struct open_swing {
    void enter(hero&) {}
};

int main() {
#ifdef HSM_CORRECTED
    hsm::make_fsm<hero>("root")->add<open_swing>("a");
#else
    hsm::make_fsm<hero>("root")->add<swing>("a");
#endif
}
