// expect: a batch hook takes hsm::batch<Context>&, and optionally the elapsed time
// expect: it must be callable as const
// A counter in the hook itself: several threads may run it at once.

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>

struct sheep {
    int age = 0;
};

int main() {
    auto root = hsm::make_fsm<sheep>("sheep");
    root->add("graze");
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd herd{chart};
#ifdef HSM_CORRECTED
    herd.on_update("graze", [](hsm::batch<sheep>& some) {
        for (sheep& s : some) ++s.age;
    });
#else
    herd.on_update("graze", [count = 0](hsm::batch<sheep>& some) mutable {
        for (sheep& s : some) s.age = ++count;
    });
#endif
}
