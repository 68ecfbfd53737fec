// expect: several_states_of_the_chart_are_named_so
// A name that is the end of two paths.

#include <hsm/constant/constant_instance.hpp>

struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    root.add_fsm("a").add("idle");
    root.add_fsm("b").add("idle");
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
#ifdef HSM_CORRECTED
    return agent.is_in("b/idle");
#else
    return agent.is_in("idle");
#endif
}
