// expect: finished() returns bool
// finished is a question, so it has an answer.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct wrong {
    void finished() const {}
};
struct right {
    bool finished() const { return true; }
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>("a");
#else
    root->add<wrong>("a");
#endif
}
