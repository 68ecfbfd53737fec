// expect: hsm: a variant is treated as the event that it holds: wait for that event, or derive a class from the variant
// at most: 25 lines
// A transition that waits for a variant.

#include <hsm/hsm.hpp>

#include <variant>

struct hero {};
struct press {};
struct hit {};

int main() {
    auto root = hsm::make_fsm<hero>("hero");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<press>();
#else
    a.to(b).on<std::variant<press, hit>>();
#endif
}
