// expect: call .on<Event>() before a guard or action that takes the event
// The same mistake, with an enumerator.

#include <hsm/hsm.hpp>

struct hero {
    int health = 3;
};

enum class input { jump };

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<input::jump>().when([](const hero&, input i) { return i == input::jump; });
#else
    a.to(b).when([](const hero&, input i) { return i == input::jump; }).on<input::jump>();
#endif
}
