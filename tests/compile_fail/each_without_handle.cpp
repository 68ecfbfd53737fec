// expect: each calls f(hsm::agent_id, Context&)
// The context alone.

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
    herd.each([](hsm::agent_id, sheep& s) { ++s.age; });
#else
    herd.each([](sheep& s) { ++s.age; });
#endif
}
