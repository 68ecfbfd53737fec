// expect: hsm: a constant chart has no history
// at most: 1024
// History needs memory.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& m = root.add_fsm("m");
    m.add("x");
#ifdef HSM_CORRECTED
    m.add("y");
#else
    m.remembers();
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
