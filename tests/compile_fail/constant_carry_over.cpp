// expect: hsm: no time in constant charts
// at most: 1024
// There is no clock in a constant instance.

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
    a.to(b).carry_over();
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
