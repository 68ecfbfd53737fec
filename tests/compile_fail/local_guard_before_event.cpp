// expect: call .on<Event>() before a guard or action that takes the event or a local
// What the guard takes is a local here; but that can only be told once the event is known.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct hit {};

struct combo {
    int hits = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add<combo>("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<hit>().when([](const hero&, const combo& c) { return c.hits > 1; });
#else
    a.to(b).when([](const hero&, const combo& c) { return c.hits > 1; }).on<hit>();
#endif
}
