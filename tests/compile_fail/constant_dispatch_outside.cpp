// expect: HSM-006 at root/m: dispatch names
// expect: 'root/a', which is not below it
// at most: 1024
// A choice that leads out of its machine.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    root.add("a");
    auto& m = root.add_fsm("m");
    m.add("x");
#ifdef HSM_CORRECTED
    m.dispatch("x");
#else
    m.dispatch("a");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
