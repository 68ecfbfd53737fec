// Durations and elapsed time.

#include <hsm/hsm.hpp>

#include <chrono>

// case: after_without_unit
// expect: hsm: a time needs a unit: 16ms (with <chrono> and its literals), or seconds as in 0.016f
// at most: 25 lines
// Three what?
struct hero {};

int main() {
    auto root = hsm::make_fsm<hero>("hero");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).after(3.0);
#else
    a.to(b).after(3);
#endif
}

// case: delay_changes_context
// expect: guards, scores and delays take const Context&
// What finds a time out only looks, as a guard does.
struct hero {
    float health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.min_duration([](const hero& h) { return h.health; });
#else
    a.min_duration([](hero& h) { return h.health--; });
#endif
}

// case: delay_returns_text
// expect: hsm: a delay is a duration, or seconds as a floating-point number
// A time is written down or found out; a name is none.
struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.to(a).after([](const hero& h) { return 0.5 * h.health; });
#else
    a.to(a).after([](const hero&) { return "soon"; });
#endif
}

// case: elapsed_in_enter
// expect: only an update takes the elapsed time
// Nothing has elapsed when a state is entered.
struct hero {
    int health = 3;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on_update([](hero&, float dt) { (void)dt; });
#else
    a.on_enter([](hero&, float dt) { (void)dt; });
#endif
}

// case: tick_without_unit
// expect: hsm: a time needs a unit: 16ms (with <chrono> and its literals), or seconds as in 0.016f
// at most: 25 lines
// Sixteen what?
struct hero {};

int main() {
    using namespace std::chrono_literals;
    auto root = hsm::make_fsm<hero>("hero");
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
#ifdef HSM_CORRECTED
    agent.tick(16ms);
#else
    agent.tick(16);
#endif
}
