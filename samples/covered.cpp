// Coverage of a door: a test that does not use the key, and the report of what it missed.

#include <hsm/hsm.hpp>
#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/coverage_error.hpp>
#include <hsm/observe/coverage_report.hpp>

#include "expect.hpp"

#include <string>

struct push {};
struct turn_key {};

struct door {
    bool has_key = true;
};

hsm::chart<door> make_door() {
    auto root = hsm::make_fsm<door>("door");
    auto& open = root->add("open");
    auto& closed = root->add("closed");
    auto& locked = root->add("locked");
    open.to(closed).on<push>();
    closed.to(open).on<push>();
    closed.to(locked).on<turn_key>().when(hsm::named("has key", &door::has_key));
    locked.to(closed).on<turn_key>();
    return hsm::compile(std::move(root));
}

/// Opens and closes the door.
void push_twice(const hsm::chart<door>& chart, hsm::coverage& seen) {
    door d;
    hsm::instance agent{chart, d};
    const auto watched = seen.watch(agent);
    agent.start();
    agent.process(push{});
    agent.process(push{});
}

void lock_and_unlock(const hsm::chart<door>& chart, hsm::coverage& seen) {
    door d;
    hsm::instance agent{chart, d};
    const auto watched = seen.watch(agent);
    agent.start();
    agent.process(push{});
    d.has_key = false;
    agent.process(turn_key{});
    d.has_key = true;
    agent.process(turn_key{});
    agent.process(turn_key{});
}

std::string shares(const hsm::coverage& seen) {
    const auto of = [&](hsm::coverage_kind kind) {
        return std::to_string(seen.share(kind).seen) + "/" + std::to_string(seen.share(kind).all);
    };
    return of(hsm::coverage_kind::states) + " " + of(hsm::coverage_kind::transitions) + " " +
           of(hsm::coverage_kind::guards);
}

int main() {
    const auto chart = make_door();
    // [watch]
    hsm::coverage seen(chart);
    {
        door d;
        hsm::instance agent{chart, d};
        const auto watched = seen.watch(agent); // until `watched` is destroyed
        agent.start();
        agent.process(push{});
    }
    push_twice(chart, seen); // another instance; any number of them can be watched
    // [/watch]
    expect("states, transitions, guards", shares(seen), "3/4 2/4 0/2");

    // [missing]
    std::string missing;
    for (const auto& item : seen.missing()) missing += item.text + "; ";
    // [/missing]
    expect("missing", missing,
           "door/locked; closed -> locked on turn_key [has key]; locked -> closed on turn_key; "
           "has key of closed -> locked on turn_key [has key]: no; has key of closed -> locked on turn_key [has key]: "
           "yes; ");

    std::string message = "enough";
    try {
        // [require]
        hsm::require(seen, {.states = 1, .transitions = 0.9}); // or require(seen, 0.9): states, transitions and guards
        // [/require]
    } catch (const hsm::coverage_error& e) {
        message = e.problem().substr(0, e.problem().find('\n'));
    }
    expect("too little", message,
           "coverage of \"door\": states: 75.0 % (3 of 4), required: 100.0 %; transitions: 50.0 % (2 of 4), required: "
           "90.0 %");

    // [merge]
    hsm::coverage other(chart); // from another thread
    lock_and_unlock(chart, other);
    std::string file;
    hsm::string_sink to(file); // or hsm::file_sink to("door.coverage"), in another program
    other.save(to);

    hsm::memory_source from(file);
    seen.load(from); // or, in the same program: seen.merge(other)
    // [/merge]
    expect("with the other test", shares(seen), "4/4 4/4 2/2");
    hsm::require(seen, 1);
}
