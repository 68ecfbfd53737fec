// expect: once .on<Event>() has named the event
// The same mistake, with a generic lambda.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct hit {
    int damage = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<hit>().when([](const auto&, const auto& e) { return e.damage > 1; });
#else
    a.to(b).when([](const auto&, const auto& e) { return e.damage > 1; }).template on<hit>();
#endif
}
