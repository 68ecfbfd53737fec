// expect: hsm: the states of a constant chart do not hold
// at most: 1024
// States are left when a transition fires.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
#ifdef HSM_CORRECTED
    a.to(b);
#else
    a.hold();
    a.to(b);
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
