// expect: take the context by reference
// As in a chart that is made at run time.

#include <hsm/constant/constant_chart.hpp>
#include <hsm/constant/constant_instance.hpp>

struct hero {
    int health = 3;
};

constexpr auto chart = hsm::constant_chart<hero>([](auto& root) {
    auto& a = root.add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](auto& h) { h.health = 0; });
#else
    a.on_enter([](auto h) { h.health = 0; });
#endif
});

int main() {
    hero h;
    hsm::constant_instance<chart> agent(h);
    agent.start();
}
