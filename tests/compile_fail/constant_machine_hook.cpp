// expect: hsm: constant charts: no captures, step or locals in hooks
// at most: 1024
// The hooks of machines are no different.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {
    bool hard = false;
};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).template on<press>();
#ifdef HSM_CORRECTED
    root.add_fsm("m").on_exit([](lamp& l) { l.lit = true; }).add("inner");
#else
    root.add_fsm("m").on_exit([lit = true](lamp& l) { l.lit = lit; }).add("inner");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
