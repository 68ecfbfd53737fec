// expect: template
// at most: 25 lines
// In a lambda that takes auto&, `on<press>` needs the word template; in one that takes the class it does not.

#include <hsm/constant/constant_instance.hpp>

struct lamp {};
struct press {};

#ifdef HSM_CORRECTED
constexpr auto chart = hsm::constant_chart<lamp>([](hsm::constant_fsm<lamp>& root) {
#else
constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
#endif
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).on<press>();
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
}
