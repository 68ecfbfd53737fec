// expect: there_is_no_such_state_in_the_chart
// at most: 1024
// A misspelt name in a question.

#include <hsm/constant/constant_instance.hpp>

struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    root.add("a");
    root.add("b");
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
#ifdef HSM_CORRECTED
    return agent.is_in("b");
#else
    return agent.is_in("bb");
#endif
}
