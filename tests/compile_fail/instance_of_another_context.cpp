// expect: hsm: the chart is compiled for another context
// at most: 25 lines
// A machine for heroes over a villain.

#include <hsm/hsm.hpp>

struct hero {};
struct villain {};
#ifdef HSM_CORRECTED
using driven = hero;
#else
using driven = villain;
#endif

int main() {
    auto root = hsm::make_fsm<hero>("hero");
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    driven d;
    hsm::instance agent{chart, d};
}
