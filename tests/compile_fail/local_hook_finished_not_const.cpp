// expect: finished() must be const
// finished is a question.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

struct wrong {
    bool finished() { return ++count > 3; }
    int count = 0;
};
struct right {
    bool finished() const { return count > 3; }
    int count = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<right>("a");
#else
    root->add<wrong>("a");
#endif
}
