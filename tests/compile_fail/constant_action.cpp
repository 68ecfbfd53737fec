// expect: hsm: constant charts: no captures, step, locals in actions; events after .on
// at most: 1024
// What the action takes is not known yet.

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
    b.to(a).template on<press>().then([](lamp& l, const press& p) { l.lit = p.hard; });
#else
    b.to(a).then([](lamp& l, const press& p) { l.lit = p.hard; }).template on<press>();
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
