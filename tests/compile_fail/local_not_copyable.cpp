// expect: a local must be copyable
// What cannot be copied cannot start each activation anew.

#include <hsm/hsm.hpp>

#include <memory>

struct hero {
    int health = 3;
};

struct swing {
    std::unique_ptr<int> target;
};
struct pointing {
    int* target = nullptr;
};

int main() {
#ifdef HSM_CORRECTED
    hsm::make_fsm<hero>("root")->add<pointing>("a");
#else
    hsm::make_fsm<hero>("root")->add<swing>("a");
#endif
}
