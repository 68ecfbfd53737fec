// expect: hsm: constant charts: no captures, step or locals in hooks
// at most: 1024
// A capture would have to lie somewhere.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](lamp& l) { l.lit = true; });
#else
    a.on_enter([lit = true](lamp& l) { l.lit = lit; });
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
