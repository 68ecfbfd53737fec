// expect: this machine works on another context: first pass how to find it
// A machine over a part of the context needs the way to it.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct weapon {
    int sharpness = 0;
};
struct knight {
    weapon sword;
    int health = 3;
};
struct weapon_machine : hsm::fsm<weapon> {
    weapon_machine() : fsm("weapon") { add("sheathed"); }
};

int main() {
    auto root = hsm::make_fsm<knight>("root");
#ifdef HSM_CORRECTED
    root->add<weapon_machine>(&knight::sword);
#else
    root->add<weapon_machine>();
#endif
}
