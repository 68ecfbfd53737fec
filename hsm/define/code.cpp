#include <hsm/define/code.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <iterator>

namespace hsm {

namespace {

struct entry {
    hsm::code code;
    std::string_view title;
};

constexpr entry catalogue[] = {
    {code::no_root, "Empty definition"},
    {code::no_substates, "Machine without substates"},
    {code::bad_name, "Invalid state name"},
    {code::duplicate_name, "Duplicate state name"},
    {code::initial_outside, "Initial state outside its machine"},
    {code::dispatch_outside, "Dispatch choice outside its machine"},
    {code::unknown_state, "Unknown state"},
    {code::foreign_state, "State of another tree"},
    {code::second_initial, "Second initial state"},
    {code::missing_local, "Missing local"},
    {code::duplicate_local, "Duplicate local"},
    {code::no_effect, "Polled reaction without an action"},
    {code::leaves_final, "Transition out of a final state"},
    {code::updates_final, "Final state with an update"},
    {code::event_and_finished, "Event and completion in one transition"},
    {code::ambiguous_state, "Ambiguous enumerator"},
    {code::too_large, "Oversized definition"},
    {code::finished_reaction, "Reaction that waits for completion"},
    {code::undecided_choice, "Choice without an unconditional branch"},
    {code::bad_time, "Invalid time"},
    {code::contradiction, "Conflicting options"},
    {code::endless_history, "Cycle of history states"},
    {code::bad_region, "Invalid region"},
    {code::never_together, "Mutually exclusive states"},
    {code::condition_twice, "Condition with two indices"},
    {code::index_twice, "Index with two conditions"},
    {code::bad_condition, "Invalid condition"},
    {code::too_many_levels, "Excessive nesting of states"},
    {code::more_errors, "Unlisted errors"},
    {code::undeclared_condition, "Undeclared condition"},
    {code::empty_range, "Empty range of events"},
    {code::unstorable_event, "Event that cannot be stored"},
    {code::bad_score, "Invalid score"},
    {code::unreachable, "Unreachable state"},
    {code::shadowed, "Transition that never fires"},
    {code::unguarded_cycle, "Cycle of transient states"},
    {code::pointless_transient, "Transient state without polled transitions"},
    {code::pointless_kind, "Option without effect"},
    {code::pointless_initial, "Unused initial state"},
    {code::root_finished, "Transition on completion of the root"},
    {code::more_warnings, "Unlisted warnings"},
    {code::misspelt_condition, "Possibly misspelt condition"},
    {code::final_unsaid, "Implicit final state"},
    {code::unread_markup, "Ignored markup"},
    {code::never_enabled, "Transition that is never enabled"},
    {code::useless_history, "Useless history state"},
    {code::odd_descriptor, "Misleading event descriptor"},
    {code::outside_standard, "Deviation from the SCXML standard"},
    {code::unreadable_script, "Syntax error in a script"},
    {code::chain, "Endless chain of transitions"},
    {code::not_in_chart, "Unknown or ambiguous state"},
    {code::lost_event, "Lost event"},
    {code::unknown_condition, "Unknown condition"},
    {code::no_mailbox, "Missing mailbox"},
    {code::no_chart, "Empty chart"},
    {code::bad_option, "Invalid option"},
    {code::attached_by_guard, "Observer attached by a guard"},
    {code::session_exists, "Duplicate session id"},
    {code::machine_unnamed, "Unnamed machine"},
    {code::machine_exists, "Duplicate machine name"},
    {code::no_machine, "Unknown machine"},
    {code::other_context, "Context of another type"},
    {code::several_machines, "Ambiguous context type"},
    {code::machine_gone, "Removed machine"},
    {code::machine_running, "Start of a running machine"},
    {code::manager_closing, "Machine created during shutdown or reload"},
    {code::agent_gone, "Unknown agent"},
    {code::element_taken, "Second agent of an element"},
    {code::no_element, "Unknown array element"},
    {code::crowd_parallel, "Agent added during a parallel tick"},
    {code::no_place, "Exhausted agent handles"},
    {code::large_crowd_chart, "Too many states for a crowd"},
    {code::unreadable_file, "Unreadable file"},
    {code::large_file, "Oversized file"},
    {code::bad_encoding, "Unreadable characters"},
    {code::not_xml, "Invalid XML"},
    {code::document_type, "Unsupported document type"},
    {code::too_deep, "Excessive nesting of elements"},
    {code::unknown_element, "Unknown element"},
    {code::stray_text, "Text between elements"},
    {code::unknown_attribute, "Unknown attribute"},
    {code::repeated_attribute, "Repeated attribute"},
    {code::missing_attribute, "Missing attribute"},
    {code::bad_value, "Invalid value"},
    {code::unknown_behaviour, "Unregistered name"},
    {code::unknown_event, "Undeclared event"},
    {code::unknown_bit, "Undeclared bit"},
    {code::other_event, "Behavior for another event"},
    {code::misplaced, "Misplaced part"},
    {code::final_by_itself, "Contradictory final state"},
    {code::registered_twice, "Duplicate registration"},
    {code::unnamed_behaviour, "Unnamed behavior"},
    {code::too_many_states, "Too many states in a file"},
    {code::long_name, "Oversized name"},
    {code::too_many_parts, "Too many parts in a file"},
    {code::more_problems, "Unlisted errors in a file"},
    {code::misspelt_name, "Possibly misspelt name"},
    {code::not_constant, "Unsupported feature in a constant chart"},
    {code::unreadable_trace, "Inaccessible trace"},
    {code::not_a_trace, "Missing trace header"},
    {code::trace_version, "Trace of another version"},
    {code::broken_trace, "Broken trace"},
    {code::large_trace, "Oversized trace"},

    {code::broken_coverage, "Unusable coverage file"},
    {code::other_coverage, "Coverage of another chart"},
    {code::low_coverage, "Insufficient coverage"},
    {code::unsaveable, "Class that cannot be saved"},
    {code::small_image, "Insufficient buffer for an image"},
    {code::not_an_image, "Unknown image format"},
    {code::other_image, "Image of another chart"},
    {code::broken_image, "Broken image"},
    {code::no_room_for_image, "Insufficient queues for saved events"},
    {code::not_a_document, "Unknown document format"},
    {code::broken_document, "Broken document"},
    {code::changed_chart, "Document of another chart"},
    {code::too_many_steps, "Too many steps"},
    {code::not_a_log, "Unknown log format"},
    {code::broken_log, "Broken log"},
    {code::other_log, "Log of other machines"},
    {code::no_drawing, "Unknown part to draw"},
    {code::no_graphviz, "Missing Graphviz"},
    {code::failed_graphviz, "Graphviz failure"},
    {code::missing_plan, "Missing reload plan"},
    {code::not_scxml, "Missing scxml element"},
    {code::needs_data_model, "Missing data model"},
    {code::unknown_data_model, "Unknown data model"},
    {code::not_supported, "Unsupported SCXML feature"},
    {code::bad_include, "Failed include"},
    {code::duplicate_id, "Duplicate id"},
    {code::inexpressible, "Part that SCXML cannot express"},
    {code::cannot_listen, "Address of the live page in use"},
    {code::open_elsewhere, "Open reading on a network"},
    {code::bad_machine_name, "Invalid name for a listed machine"},
    {code::not_listed, "Machine that is not listed"},
    {code::not_offered, "Command that a machine does not offer"},
    {code::unreachable_page, "Live page that does not answer"},
    {code::refused_request, "Request that a live page refuses"},
    {code::reload_other_chart, "Reload plan for another chart"},
    {code::reload_unknown_part, "Unknown part in a reload plan"},
    {code::reload_never_together, "Reload to states that are never active together"},
    {code::reload_of_agent, "Reload of an agent of a crowd"},
    {code::reload_of_session, "Impossible reload of a session"},
    {code::ranks_differ, "Ranks that differ"},
    {code::global_id_exists, "Global id in use"},
    {code::failed_rank, "Failure on another rank"},
    {code::no_rank, "Unknown rank"},
    {code::failed_checkpoint, "Unusable checkpoint file"},
    {code::broken_checkpoint, "Broken checkpoint"},
    {code::call_in_hook, "Call for a distributed crowd in a hook"},
};

} // namespace

std::string to_string(code c) { return fmt::format("HSM-{:03}", static_cast<int>(c)); }

std::string_view title(code c) {
    const auto found = std::ranges::find(catalogue, c, &entry::code);
    return found == std::end(catalogue) ? "Unknown code" : found->title;
}

const std::vector<code>& all_codes() {
    static const auto codes = [] {
        std::vector<code> all;
        std::ranges::transform(catalogue, std::back_inserter(all), &entry::code);
        return all;
    }();
    return codes;
}

} // namespace hsm
