/// The catalog of error codes: for definitions, running machines and files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hsm {

/// Stable numbers: HSM-0xx are definition errors, HSM-1xx warnings, HSM-2xx errors of a running machine, HSM-3xx errors of files, coverage, saved
/// data and drawings. docs/reference/errors.md has a section for each.
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
    too_many_levels = 28,
    more_errors = 29,
    undeclared_condition = 30,
    empty_range = 31,
    unstorable_event = 32,

    unreachable = 101,
    shadowed = 102,
    unguarded_cycle = 103,
    pointless_transient = 104,
    pointless_kind = 105,
    pointless_initial = 106,
    root_finished = 107,
    more_warnings = 108,
    misspelt_condition = 109,
    final_unsaid = 110,
    unread_markup = 111,
    never_enabled = 112,
    useless_history = 113,
    odd_descriptor = 114,
    outside_standard = 115,
    unreadable_script = 116,

    chain = 201,
    not_in_chart = 202,
    lost_event = 203,
    unknown_condition = 204,
    no_mailbox = 205,
    no_chart = 206,
    bad_option = 207,
    attached_by_guard = 208,
    session_exists = 209,

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
    no_place = 224,
    large_crowd_chart = 225,

    unreadable_file = 301,
    large_file = 302,
    bad_encoding = 303,
    not_xml = 304,
    document_type = 305,
    too_deep = 306,
    unknown_element = 307,
    stray_text = 308,
    unknown_attribute = 309,
    repeated_attribute = 310,
    missing_attribute = 311,
    bad_value = 312,
    unknown_behaviour = 313,
    unknown_event = 314,
    unknown_bit = 315,
    other_event = 316,
    misplaced = 317,
    final_by_itself = 318,
    registered_twice = 319,
    unnamed_behaviour = 320,
    too_many_states = 321,
    long_name = 322,
    too_many_parts = 323,
    more_problems = 324,
    misspelt_name = 325,
    not_constant = 326,

    unreadable_trace = 331,
    not_a_trace = 332,
    trace_version = 333,
    broken_trace = 334,
    large_trace = 335,

    broken_coverage = 341,
    other_coverage = 342,
    low_coverage = 343,

    unsaveable = 351,
    small_image = 352,
    not_an_image = 353,
    other_image = 354,
    broken_image = 355,
    no_room_for_image = 356,

    not_a_document = 361,
    broken_document = 362,
    changed_chart = 363,
    too_many_steps = 364,

    not_a_log = 371,
    broken_log = 372,
    other_log = 373,

    no_drawing = 381,
    no_graphviz = 382,
    failed_graphviz = 383,

    not_scxml = 391,
    needs_data_model = 392,
    unknown_data_model = 393,
    not_supported = 394,
    bad_include = 395,
    duplicate_id = 396,
    inexpressible = 397,
};

std::string to_string(code c);        ///< "HSM-007"
std::string_view title(code c);       ///< "unknown state"
const std::vector<code>& all_codes(); ///< in ascending order

} // namespace hsm
