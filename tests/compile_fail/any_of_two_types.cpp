// expect: hsm: the events of any(...) are bytes, or values of one enumeration, or ranges of these
// Bytes beside enumerators.

#include <hsm/hsm.hpp>

struct reader {};
enum class key { up, down };

int main() {
    auto root = hsm::make_fsm<reader>("reader");
#ifdef HSM_CORRECTED
    root->add("a").on(hsm::any('a', hsm::range('0', '9')));
#else
    root->add("a").on(hsm::any('a', hsm::range(key::up, key::down)));
#endif
}
