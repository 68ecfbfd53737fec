/// What the check finds in a definition, and the catalogue of everything it can find.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hsm {

/// Stable numbers: HSM-0xx are errors of a definition, HSM-1xx warnings, HSM-2xx errors of a running machine.
/// docs/errors.md has a chapter for each.
enum class code : std::uint16_t {
    no_root = 1,
    no_substates = 2,
    bad_name = 3,
    duplicate_name = 4,
    initial_outside = 5,
    dispatch_outside = 6,
    unknown_state = 7,
    foreign_state = 8,
    second_initial = 9,
    missing_local = 10,
    duplicate_local = 11,
    no_effect = 12,
    leaves_final = 13,
    updates_final = 14,
    event_and_finished = 15,
    ambiguous_state = 16,
    too_large = 17,
    finished_reaction = 18,
    undecided_choice = 19,
    bad_time = 20,
    contradiction = 21,
    endless_history = 22,
    bad_region = 23,
    never_together = 24,
    condition_twice = 25,
    index_twice = 26,
    bad_condition = 27,

    unreachable = 101,
    shadowed = 102,
    unguarded_cycle = 103,
    pointless_transient = 104,
    pointless_kind = 105,
    pointless_initial = 106,
    root_finished = 107,

    chain = 201,
    not_in_chart = 202,
    lost_event = 203,
    unknown_condition = 204,

    machine_unnamed = 210,
    machine_exists = 211,
    no_machine = 212,
    other_context = 213,
    several_machines = 214,
    machine_gone = 215,
    machine_running = 216,
    manager_closing = 217,
    agent_gone = 220,
    element_taken = 221,
    no_element = 222,
    crowd_parallel = 223,
};

enum class severity : std::uint8_t { error, warning };

struct finding {
    hsm::code code;
    std::string path;    ///< of the state it is about
    std::string problem; ///< what is wrong, a sentence
    std::string hint;    ///< what to do; may be empty

    hsm::severity severity() const;
    std::string to_string() const; ///< "HSM-007 error at character/idle: ...; hint: ..."
};

std::string to_string(code c);                 ///< "HSM-007"
std::string_view title(code c);                ///< "unknown state"
const std::vector<code>& all_codes();          ///< in ascending order
std::string describe(const std::vector<finding>& findings); ///< a line each

} // namespace hsm
