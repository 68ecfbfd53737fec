// Events and ranges of events.

#include <hsm/hsm.hpp>

#include <memory>
#include <utility>
#include <variant>

struct hero {
    int health = 3;
};

// case: action_before_event
// expect: call .on<Event>() before a guard or action that takes the event
// The event must be known before its action.
struct hit {
    int damage = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<hit>().then([](hero& h, const hit& e) { h.health -= e.damage; });
#else
    a.to(b).then([](hero& h, const hit& e) { h.health -= e.damage; }).on<hit>();
#endif
}

// case: any_of_two_types
// expect: hsm: the events of any(...) are bytes, or values of one enumeration, or ranges of these
// Bytes beside enumerators.
struct reader {};
enum class key { up, down };

int main() {
    auto root = hsm::make_fsm<reader>("reader");
#ifdef HSM_CORRECTED
    root->add("a").on(hsm::any('a', hsm::range('0', '9')));
#else
    root->add("a").on(hsm::any('a', hsm::range(key::up, key::down)));
#endif
}

// case: enumerator_without_name
// expect: this value is not a named enumerator
// A value without a name cannot name a state.
enum class pose { idle };

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<pose::idle>();
#else
    root->add<static_cast<pose>(7)>();
#endif
}

// case: enumerator_without_name_in_namespace
// expect: this value is not a named enumerator
// The same, in a namespace.
namespace game {
enum class pose { idle };
}

int main() {
    auto root = hsm::make_fsm<hero>("root");
#ifdef HSM_CORRECTED
    root->add<game::pose::idle>();
#else
    root->add<static_cast<game::pose>(7)>();
#endif
}

// case: event_by_rvalue
// expect: an event is taken by value or as const Event&
// An event is not the hook's to change.
struct hit {
    int damage = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on<hit>().then([](hero&, hit e) { e.damage = 0; });
#else
    a.on<hit>().then([](hero&, hit&& e) { e.damage = 0; });
#endif
}

// case: event_cannot_wait
// expect: this event can be neither copied nor moved, so it cannot be queued
// A queue has no place for it.
struct blow {
    blow() = default;
    blow(const blow&) = delete;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    root->add("a").on<blow>();
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    const blow b;
#ifdef HSM_CORRECTED
    agent.process(b);
#else
    agent.post(b);
#endif
}

// case: event_list
// expect: hsm: a list in braces is not an event
// at most: 25 lines
// Two names would otherwise be the begin and the end of one name.
int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.to(root->add("b")).on(hsm::any("f", "g"));
#else
    a.to(root->add("b")).on({"f", "g"});
#endif
}

// case: event_member_mutable
// expect: an event is taken by value or as const Event&
// An event is not its own member's to change either.
struct hit {
    int damage = 0;
    void soften() { damage = 0; }
    void tell(hero& h) const { h.health -= damage; }
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on<hit>().then(&hit::tell);
#else
    a.on<hit>().then(&hit::soften);
#endif
}

// case: event_mutable
// expect: an event is taken by value or as const Event&
// An event is not the hook's to change.
struct hit {
    int damage = 0;
};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
#ifdef HSM_CORRECTED
    a.on<hit>().then([](hero&, hit e) { e.damage = 0; });
#else
    a.on<hit>().then([](hero&, hit& e) { e.damage = 0; });
#endif
}

// case: event_not_copyable
// expect: this event cannot be copied: pass it with std::move
// What cannot be copied must be moved into the queue.
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

// case: event_number
// expect: hsm: this is not an event: an event is an object of a class, an enumerator, a byte (char, unsigned char), or a name
// at most: 25 lines
// A number as an event.
struct knight {};
struct press {
    int key = 0;
};

int main() {
    auto root = hsm::make_fsm<knight>("knight");
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    knight h;
    hsm::instance agent{chart, h};
#ifdef HSM_CORRECTED
    agent.process(press{42});
#else
    agent.process(42);
#endif
}

// case: event_of_enumeration
// expect: hsm: name a value of the enumeration
// at most: 25 lines
// An enumeration where an enumerator is meant.
struct knight {};
enum class input { up, down };

int main() {
    auto root = hsm::make_fsm<knight>("knight");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<input::up>();
#else
    a.to(b).on<input>();
#endif
}

// case: event_pointer
// expect: hsm: this type is not an event: an event is a class (without const, & and *)
// at most: 25 lines
// A pointer as an event.
struct knight {};
struct press {};

int main() {
    auto root = hsm::make_fsm<knight>("knight");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<press>();
#else
    a.to(b).on<press*>();
#endif
}

// case: event_variant_nested
// expect: hsm: a variant is treated as the event that it holds: each alternative must be a class, an enumeration or a byte, not a variant, a number or text
// at most: 25 lines
// A variant in a variant.
struct knight {};
struct press {};
struct hit {};

int main() {
    auto root = hsm::make_fsm<knight>("knight");
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    knight h;
    hsm::instance agent{chart, h};
#ifdef HSM_CORRECTED
    agent.process(std::variant<press, hit>());
#else
    agent.process(std::variant<press, std::variant<hit>>());
#endif
}

// case: event_variant_not_copyable
// expect: hsm: an alternative of this variant cannot be copied: pass the variant with std::move
// at most: 25 lines
// An lvalue variant that can only be moved.
struct knight {};
struct letter {
    std::unique_ptr<int> number;
};

int main() {
    auto root = hsm::make_fsm<knight>("knight");
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    knight h;
    hsm::instance agent{chart, h};
    std::variant<letter> event;
#ifdef HSM_CORRECTED
    agent.process(std::move(event));
#else
    agent.process(event);
#endif
}

// case: event_variant_waited_for
// expect: hsm: a variant is treated as the event that it holds: wait for that event, or derive a class from the variant
// at most: 25 lines
// A transition that waits for a variant.
struct knight {};
struct press {};
struct hit {};

int main() {
    auto root = hsm::make_fsm<knight>("knight");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<press>();
#else
    a.to(b).on<std::variant<press, hit>>();
#endif
}

// case: otherwise_of_a_class
// expect: hsm: otherwise() takes a byte type or an enumeration
// All other objects of a class.
struct reader {};
struct press {};

int main() {
    auto root = hsm::make_fsm<reader>("reader");
#ifdef HSM_CORRECTED
    root->add("a").on(hsm::otherwise<unsigned char>());
#else
    root->add("a").on(hsm::otherwise<press>());
#endif
}

// case: range_of_another_event
// expect: hsm: a transition has one event: write a separate transition for each event
// A range besides the event.
struct reader {};
struct press {};

int main() {
    auto root = hsm::make_fsm<reader>("reader");
#ifdef HSM_CORRECTED
    root->add("a").on(hsm::range('a', 'z'));
#else
    root->add("a").on<press>().on(hsm::range('a', 'z'));
#endif
}

// case: range_of_two_types
// expect: hsm: a range goes from one byte to another, or between two values of one enumeration
// at most: 25 lines
// A range from a byte to an enumerator.
struct reader {};
enum class key { up, down };

int main() {
    auto root = hsm::make_fsm<reader>("reader");
#ifdef HSM_CORRECTED
    root->add("a").on(hsm::range(key::up, key::down));
#else
    root->add("a").on(hsm::range('a', key::down));
#endif
}

// case: two_events
// expect: a transition has one event
// One transition waits for one event.
struct hit {
    int damage = 0;
};
struct hug {};

int main() {
    auto root = hsm::make_fsm<hero>("root");
    auto& a = root->add("a");
    auto& b = root->add("b");
#ifdef HSM_CORRECTED
    a.to(b).on<hit>();
    a.to(b).on<hug>();
#else
    a.to(b).on<hit>().on<hug>();
#endif
}
