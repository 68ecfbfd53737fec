// expect: hsm: name a value of the enumeration
// at most: 25 lines
// An enumeration where an enumerator is meant.

#include <hsm/hsm.hpp>

struct hero {};
enum class input { up, down };

int main() {
    auto root = hsm::make_fsm<hero>("hero");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<input::up>();
#else
    a.to(b).on<input>();
#endif
}
