/// Checks the behavior of a machine in tests: consumes a recorder's records one by one, and throws if a record does not match.
///
///     hsm::recorder seen(1'000);
///     auto attached = agent.attach(seen);
///     agent.process(hit{});
///     hsm::expect(seen).event("hit").takes("idle", "fight").exits("idle").enters("fight").enters("slash").nothing_else();
///
/// Exits and entries are never skipped: expect each of them, in order. Records of other kinds are skipped until the first record of the expected
/// kind. That record must match. So a test names only the kinds that it checks, and misses no state change.
///
/// The next expect(seen) continues after the records that the previous expectation consumed. Name states as in code: by path, enumerator, class or
/// reference. If a recorder has several agents or channels, check each separately: hsm::expect(seen, agent). Call these functions in the recorder's
/// thread. A name that is not in the chart throws state_error.
#pragma once

#include <hsm/define/event.hpp>
#include <hsm/define/state_key.hpp>
#include <hsm/observe/recorder.hpp>
#include <hsm/op/result.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hsm {

/// Thrown if a record does not match. The message lists the expected record, the actual one, and the records around the actual one, one per line.
class unmet_expectation : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class expectation {
public:
    expectation(recorder& of, std::uint32_t agent);
    expectation(const expectation&) = delete;
    expectation& operator=(const expectation&) = delete;
    ~expectation();

    // States.
    expectation& exits(const state_key& state);
    expectation& enters(const state_key& state);
    expectation& arrives(const state_key& leaf); ///< a transition ends in this leaf, in one region
    expectation& updates(const state_key& state);
    expectation& finishes(const state_key& state);
    expectation& holds(const state_key& state); ///< a transition waits until the state can be exited
    expectation& releases(const state_key& state);

    // Transitions. reason::none matches any reason.
    expectation& takes(const state_key& from, const state_key& to, reason why = reason::none);
    expectation& reacts(const state_key& source, reason why = reason::none); ///< a transition without a target
    expectation& acts(std::string_view label = {});                          ///< an action; an empty label matches any
    expectation& asks(std::string_view label, bool answer);                  ///< a guard
    expectation& asks(bool answer);                                          ///< a guard, or a group of conditions

    // Events: by name ("hit", "game::hit", "press of key"), or by type.
    expectation& event(std::string_view name);
    expectation& defers(std::string_view name);
    expectation& recalls(std::string_view name);
    expectation& drops(std::string_view name); ///< for any reason
    expectation& drops_request();
    template <class E> expectation& event() { return event_like(detail::key_of_type<E>()); }

    // Calls, conditions, errors.
    expectation& call(call_kind kind);
    expectation& ends(result outcome); ///< the result of the call
    expectation& throws();             ///< the call ends with an exception
    expectation& changes(std::string_view condition, bool to);

    /// Checks that there is no further exit or entry, and no further record of a kind that this expectation has named.
    void nothing_else();

private:
    class search;

    expectation& of_state(record_kind kind, const state_key& state, std::string_view word);
    expectation& of_event(record_kind kind, std::string_view name, std::string_view word);
    expectation& event_like(const event_key& event);

    search* search_;
};

/// Begins an expectation. Throws unmet_expectation if records were lost before they were checked; usage_error (HSM-206) if the recorder was never
/// attached.
inline expectation expect(recorder& of, std::uint32_t agent = 0) { return {of, agent}; }

} // namespace hsm
