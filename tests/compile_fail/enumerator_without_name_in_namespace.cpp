// expect: this value is not a named enumerator
// The same, in a namespace.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

namespace game {
enum class pose { idle };
}

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<game::pose::idle>();
#else
    root->add<static_cast<game::pose>(7)>();
#endif
}
