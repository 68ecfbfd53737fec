// expect: HSM-031
// expect: a transition waits for a range of events whose last value is less than the first
// A range the wrong way round.

#include <hsm/constant/constant_instance.hpp>

struct reader {
    int letters = 0;
};

constexpr auto chart = hsm::constant_chart<reader>([](hsm::constant_fsm<reader>& root) {
#ifdef HSM_CORRECTED
    root.add("a").on(hsm::range('a', 'z'));
#else
    root.add("a").on(hsm::range('z', 'a'));
#endif
});

int main() {
    reader r;
    hsm::constant_instance<chart> agent(r);
    agent.start();
    agent.process('b');
}
