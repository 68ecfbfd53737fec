// expect: HSM-013 at root/end: a final state cannot have transitions or reactions
// at most: 1024
// A final state is not left.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& end = root.add_final("end");
#ifdef HSM_CORRECTED
    a.to(end);
#else
    end.to(a);
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
