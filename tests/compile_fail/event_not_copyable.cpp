// expect: this event cannot be copied: pass it with std::move
// What cannot be copied must be moved into the queue.

#include <hsm/hsm.hpp>

#include <memory>

struct hero {
    int health = 3;
};

struct parcel {
    std::unique_ptr<int> content;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    root->add("a").on<parcel>();
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    parcel p;
#ifdef HSM_CORRECTED
    agent.post(std::move(p));
#else
    agent.post(p);
#endif
}
