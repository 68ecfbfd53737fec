// expect: hsm: an alternative of this variant cannot be copied: pass it with std::move
// at most: 25 lines
// An lvalue variant that can only be moved.

#include <hsm/hsm.hpp>

#include <memory>
#include <utility>
#include <variant>

struct hero {};
struct letter {
    std::unique_ptr<int> number;
};

int main() {
    auto root = hsm::make_fsm<hero>("hero");
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    std::variant<letter> event;
#ifdef HSM_CORRECTED
    agent.process(std::move(event));
#else
    agent.process(event);
#endif
}
