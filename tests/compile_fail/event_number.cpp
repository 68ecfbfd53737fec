// expect: hsm: this is not an event: an event is an object of a class, an enumerator, a byte (char, unsigned char), or a name
// at most: 25 lines
// A number as an event.

#include <hsm/hsm.hpp>

struct hero {};
struct press {
    int key = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("hero");
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
#ifdef HSM_CORRECTED
    agent.process(press{42});
#else
    agent.process(42);
#endif
}
