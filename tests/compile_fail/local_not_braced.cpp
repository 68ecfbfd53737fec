// expect: cannot be constructed as T{args...}
// Braces do not narrow.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct swing {
    float wind_up;
};

int main() {
#ifdef HSM_CORRECTED
    hsm::make_fsm<hero>("root")->add<swing>("a", 0.4f);
#else
    double wind_up = 0.5;
    hsm::make_fsm<hero>("root")->add<swing>("a", wind_up);
#endif
}
