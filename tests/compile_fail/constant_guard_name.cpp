// expect: hsm: constant charts: no captures, locals, names in guards
// at most: 1024
// There are no condition bits.

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
    b.to(a).when(&lamp::lit);
#else
    b.to(a).when("IsLit");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}
