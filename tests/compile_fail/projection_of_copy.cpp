// expect: take the context by reference
// The way leads into a copy, which is gone then.

#include <hsm/hsm.hpp>

struct weapon {
    int sharpness = 0;
};
struct knight {
    weapon sword;
};
struct weapon_machine : hsm::fsm<weapon> {
    weapon_machine() : fsm("weapon") { add("sheathed"); }
};

int main() {
    auto root = hsm::make_fsm<knight>("root");
#ifdef HSM_CORRECTED
    root->add<weapon_machine>([](auto& k) -> weapon& { return k.sword; });
#else
    root->add<weapon_machine>([](auto k) -> weapon& { return k.sword; });
#endif
}
