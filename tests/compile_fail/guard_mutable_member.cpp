// expect: a member function used as a guard must be const
// A guard that could change the context.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct archer {
    bool aim() { return true; }
    bool aims() const { return true; }
};

int main() {
    auto root = hsm::make_fsm<archer>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).when(&archer::aims);
#else
    a.to(b).when(&archer::aim);
#endif
}
