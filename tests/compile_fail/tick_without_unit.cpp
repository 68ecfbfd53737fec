// expect: hsm: a time needs a unit: 16ms (with <chrono> and its literals), or seconds as in 0.016f
// at most: 25 lines
// Sixteen what?

#include <hsm/hsm.hpp>

#include <chrono>

struct hero {};

int main() {
    using namespace std::chrono_literals;
    auto root = hsm::make_fsm<hero>("hero");
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
#ifdef HSM_CORRECTED
    agent.tick(16ms);
#else
    agent.tick(16);
#endif
}
