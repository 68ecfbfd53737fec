/// What a machine has done, as a test expects it: a recorder's records are consumed one after the other, and what does not fit is thrown.
///
///     hsm::recorder seen(1'000);
///     auto attached = agent.attach(seen);
///     agent.process(hit{});
///     hsm::expect(seen).event("hit").takes("idle", "fight").exits("idle").enters("fight").enters("slash").nothing_else();
///
/// Exits and entries are never passed over: each has to be expected, in its order. Records of other kinds are passed over until the one
/// comes that a word names; but of its own kind it has to be the next. So a test names what it is about, and misses no state.
///
/// The next expect(seen) goes on behind what this one has consumed. States are named as in code: by path, enumerator, class or reference.
/// Of a recorder of several agents, or lanes, each is expected by itself: hsm::expect(seen, agent). In the thread of the recorder. A name
/// that is not in the chart throws state_error.
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

/// what(): what was expected, what stands there, and what comes before and behind it, in lines. A test framework prints it.
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

    // What becomes of states.
    expectation& exits(const state_key& state);
    expectation& enters(const state_key& state);
    expectation& arrives(const state_key& leaf); ///< a transition, or a region of it, ends there
    expectation& updates(const state_key& state);
    expectation& finishes(const state_key& state);
    expectation& holds(const state_key& state); ///< something waits until it may be left
    expectation& releases(const state_key& state);

    // Transitions. The reason: any, if it is none.
    expectation& takes(const state_key& from, const state_key& to, reason why = reason::none);
    expectation& reacts(const state_key& source, reason why = reason::none); ///< without a target
    expectation& acts(std::string_view label = {});                          ///< an action; without a label: any
    expectation& asks(std::string_view label, bool answer);                  ///< a guard
    expectation& asks(bool answer);                                          ///< a guard, or a group of conditions

    // Events: by their name ("hit", "game::hit", "press of key"), or by what is processed.
    expectation& event(std::string_view name);
    expectation& defers(std::string_view name);
    expectation& recalls(std::string_view name);
    expectation& drops(std::string_view name); ///< for whatever reason
    expectation& drops_request();
    template <class E> expectation& event() { return event_like(detail::key_of_type<E>()); }

    // Calls, conditions, errors.
    expectation& call(call_kind kind);
    expectation& ends(result outcome); ///< the call
    expectation& throws();             ///< it ends with an exception
    expectation& changes(std::string_view condition, bool to);

    /// No exit, no entry, and nothing of a kind that this expectation has named.
    void nothing_else();

private:
    class search;

    expectation& of_state(record_kind kind, const state_key& state, std::string_view word);
    expectation& of_event(record_kind kind, std::string_view name, std::string_view word);
    expectation& event_like(const event_key& event);

    search* search_;
};

/// Of records that were lost before it throws unmet_expectation; before the recorder was attached, usage_error (HSM-206).
inline expectation expect(recorder& of, std::uint32_t agent = 0) { return {of, agent}; }

} // namespace hsm
