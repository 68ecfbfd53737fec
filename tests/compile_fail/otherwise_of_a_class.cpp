// expect: hsm: otherwise() takes a byte type or an enumeration
// All other objects of a class.

#include <hsm/hsm.hpp>

struct reader {};
struct press {};

int main() {
    auto root = hsm::make_fsm<reader>("reader");
#ifdef HSM_CORRECTED
    root->add("a").on(hsm::otherwise<unsigned char>());
#else
    root->add("a").on(hsm::otherwise<press>());
#endif
}
