// expect: hsm: updates of constant charts return nothing
// at most: 1024
// An update that names the next state.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
#ifdef HSM_CORRECTED
    a.on_update([](lamp&) {});
#else
    a.on_update([](lamp&) { return key::on; });
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
