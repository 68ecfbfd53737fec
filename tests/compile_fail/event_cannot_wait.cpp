// expect: this event can be neither copied nor moved, so it cannot be queued
// A queue has no place for it.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct blow {
    blow() = default;
    blow(const blow&) = delete;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    root->add("a").on<blow>();
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    const blow b;
#ifdef HSM_CORRECTED
    agent.process(b);
#else
    agent.post(b);
#endif
}
