// expect: deleted
// The second name would be a bool.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    a.to(root->add("b")).when(hsm::all("IsRun", "IsAttack"));
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
#ifdef HSM_CORRECTED
    agent.set("IsRun");
    agent.set("IsAttack", h.health > 1);
#else
    agent.set("IsRun", "IsAttack");
#endif
}
