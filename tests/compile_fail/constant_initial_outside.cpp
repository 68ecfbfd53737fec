// expect: HSM-005 at root/m: initial names
// expect: 'root/a', which is not below it
// at most: 1024
// An initial state outside its machine.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    [[maybe_unused]] auto& a = root.add("a");
    auto& m = root.add_fsm("m");
    [[maybe_unused]] auto& x = m.add("x");
#ifdef HSM_CORRECTED
    m.initial(x);
#else
    m.initial(a);
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
