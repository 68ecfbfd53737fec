// expect: hsm: a transition has one event: write a separate transition for each event
// A range besides the event.

#include <hsm/hsm.hpp>

struct reader {};
struct press {};

int main() {
    auto root = hsm::make_fsm<reader>("reader");
#ifdef HSM_CORRECTED
    root->add("a").on(hsm::range('a', 'z'));
#else
    root->add("a").on<press>().on(hsm::range('a', 'z'));
#endif
}
