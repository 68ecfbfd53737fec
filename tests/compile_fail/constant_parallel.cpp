// expect: hsm: a constant chart has no regions
// at most: 1024
// One region.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    root.add("a");
#ifdef HSM_CORRECTED
    root.add("p");
#else
    root.add_parallel("p");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
