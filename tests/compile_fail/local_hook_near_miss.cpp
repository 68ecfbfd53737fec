// expect: hsm: Update takes the context, but is not a hook: the hook is named update
// at most: 25 lines
// A local's hook in another engine's spelling.

#include <hsm/hsm.hpp>

struct hero {
    int life = 3;
};

struct swing {
    float left = 1;
#ifdef HSM_CORRECTED
    void update(hero&, float dt) { left -= dt; }
#else
    void Update(hero&, float dt) { left -= dt; }
#endif
};

int main() {
    auto root = hsm::make_fsm<hero>("hero");
    root->add<swing>("swing");
}
