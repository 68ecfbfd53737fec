// expect: HSM-002 at root/m: the machine has no substates
// at most: 1024
// A machine that cannot go anywhere.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
#ifdef HSM_CORRECTED
    root.add_fsm("m").add("x");
#else
    root.add_fsm("m");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
