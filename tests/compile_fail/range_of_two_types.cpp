// expect: hsm: a range goes from one byte to another, or between two values of one enumeration
// at most: 25 lines
// A range from a byte to an enumerator.

#include <hsm/hsm.hpp>

struct reader {};
enum class key { up, down };

int main() {
    auto root = hsm::make_fsm<reader>("reader");
#ifdef HSM_CORRECTED
    root->add("a").on(hsm::range(key::up, key::down));
#else
    root->add("a").on(hsm::range('a', key::down));
#endif
}
