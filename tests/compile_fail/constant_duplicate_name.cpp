// expect: HSM-004 at root: more than one substate is named
// expect: 'b'
// at most: 1024
// Two states of one name.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    root.add("a");
    root.add("b");
#ifdef HSM_CORRECTED
    root.add("c");
#else
    root.add("b");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
