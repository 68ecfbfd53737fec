// Machines over a part of a context.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

// case: projection_missing
// expect: this machine works on another context: as the first argument, pass the member of the outer
// A machine over a part of the context needs the way to it.
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

// case: projection_of_copy
// expect: take the context by reference
// The way leads into a copy, which is gone then.
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

// case: projection_to_copy
// expect: this machine works on another context: as the first argument, pass the member of the outer
// The way gives a copy.
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
    root->add<weapon_machine>([](knight& k) -> weapon& { return k.sword; });
#else
    root->add<weapon_machine>([](knight& k) { return k.sword; });
#endif
}

// case: projection_wrong
// expect: this machine works on another context: as the first argument, pass the member of the outer
// The way leads to something else.
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
    root->add<weapon_machine>(&knight::health);
#endif
}
