// expect: hsm: the compiler cannot evaluate this definition of a constant chart
// A definition that asks for something at run time.

#include <hsm/constant/constant_instance.hpp>

struct lamp {};
struct press {};

#ifdef HSM_CORRECTED
constexpr int level() { return 3; }
#else
int level();
#endif

constexpr auto chart = hsm::constant_chart<lamp>([](hsm::constant_fsm<lamp>& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    if (level() > 2) a.to(b).on<press>();
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
}
