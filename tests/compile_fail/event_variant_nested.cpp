// expect: hsm: a variant is treated as the event that it holds: each alternative must be a class, an enumeration or a byte, not a variant, a number or text
// at most: 25 lines
// A variant in a variant.

#include <hsm/hsm.hpp>

#include <variant>

struct hero {};
struct press {};
struct hit {};

int main() {
    auto root = hsm::make_fsm<hero>("hero");
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
#ifdef HSM_CORRECTED
    agent.process(std::variant<press, hit>());
#else
    agent.process(std::variant<press, std::variant<hit>>());
#endif
}
