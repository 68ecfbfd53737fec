// expect: deleted
// The chart must outlive the instance.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

auto make_chart() {
    auto root = hsm::make_fsm<hero>("root");
    root->add("a");
    return hsm::compile(std::move(root));
}

int main() {
    hero h;
#ifdef HSM_CORRECTED
    const auto chart = make_chart();
    hsm::instance agent{chart, h};
#else
    hsm::instance agent{make_chart(), h};
#endif
}
