// expect: HSM-007 at root/a: a transition names
// expect: 'bb', but this state does not exist
// at most: 1024
// A misspelt target.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    root.add("b");
#ifdef HSM_CORRECTED
    a.to("b").on(key::on);
#else
    a.to("bb").on(key::on);
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
