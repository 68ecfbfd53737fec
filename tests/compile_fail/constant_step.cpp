// expect: hsm: constant charts: no captures, step or locals in hooks
// at most: 1024
// There is no step.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](lamp&) {});
#else
    a.on_enter([](lamp&, hsm::step<lamp>&) {});
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
