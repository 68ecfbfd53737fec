// expect: hsm: this type is not an event: an event is a class, without const, & and *
// at most: 25 lines
// A pointer as an event.

#include <hsm/hsm.hpp>

struct hero {};
struct press {};

int main() {
    auto root = hsm::make_fsm<hero>("hero");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<press>();
#else
    a.to(b).on<press*>();
#endif
}
