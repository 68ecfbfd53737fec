// expect: In a generic lambda with more than one parameter write the types
// `auto` would be the step, not the elapsed time.

#include <hsm/hsm.hpp>

struct hero {
    double life = 3;
    template <class T> void heal(T) {
        life += 1;
    }
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_update([](hero& h, float seconds) { h.heal(seconds); });
    a.on_exit([](auto& h, hsm::step<hero>& here) { h.heal(here.time_in_state()); });
#else
    a.on_update([](auto& h, auto seconds) { h.heal(seconds); });
#endif
}
