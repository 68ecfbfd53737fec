// expect: take the context by reference
// What on_change writes would be lost.

#include <hsm/hsm.hpp>

struct hero {
    int changes = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    root->add("a");
#ifdef HSM_CORRECTED
    root->on_change([](auto& h, hsm::state_ref, auto, hsm::reason) { ++h.changes; });
    root->on_change([](hsm::state_ref, hsm::state_ref, hsm::reason) {});
#else
    root->on_change([](auto h, hsm::state_ref, auto, hsm::reason) { ++h.changes; });
#endif
}
