// expect: this value is not a named enumerator
// A value without a name cannot name a state.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

enum class pose { idle };

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<pose::idle>();
#else
    root->add<static_cast<pose>(7)>();
#endif
}
