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
    {code::no_root, "there is nothing to compile"},
    {code::no_substates, "a machine, or a parallel, without substates"},
    {code::bad_name, "a name that cannot be part of a path"},
    {code::duplicate_name, "two substates of the same name"},
    {code::initial_outside, "an initial state outside its machine"},
    {code::dispatch_outside, "a dispatch choice outside its machine"},
    {code::unknown_state, "a state that does not exist"},
    {code::foreign_state, "a state of another tree"},
    {code::second_initial, "a second initial state"},
    {code::missing_local, "a hook whose local is not there"},
    {code::duplicate_local, "two locals of the same type in one state"},
    {code::no_effect, "a polled reaction that does nothing"},
    {code::leaves_final, "a transition out of a final state"},
    {code::updates_final, "a final state with an update"},
    {code::event_and_finished, "a transition that waits for an event and for completion"},
    {code::ambiguous_state, "an enumerator that names several states"},
    {code::too_large, "a definition that is too large"},
    {code::finished_reaction, "a reaction that waits for completion"},
    {code::undecided_choice, "a choice that may lead nowhere"},
    {code::bad_time, "a time that cannot be"},
    {code::contradiction, "words that exclude each other"},
    {code::endless_history, "a history state that leads back to itself"},
    {code::bad_region, "a region that cannot be one"},
    {code::never_together, "states that are never active together"},
    {code::condition_twice, "a condition with two indices"},
    {code::index_twice, "an index with two conditions"},
    {code::bad_condition, "a condition that cannot be"},
    {code::too_many_levels, "states that are nested too deeply"},
    {code::more_errors, "more errors than are told"},
    {code::undeclared_condition, "a condition that was not declared"},
    {code::empty_range, "a range of events in which there is none"},
    {code::unstorable_event, "an event that cannot wait"},
    {code::unreachable, "a state that is never entered"},
    {code::shadowed, "a transition that never fires"},
    {code::unguarded_cycle, "transient states in a cycle without guards"},
    {code::pointless_transient, "a transient state without polled transitions"},
    {code::pointless_kind, "a kind without effect"},
    {code::pointless_initial, "an initial state that is never used"},
    {code::root_finished, "a transition on completion of the root"},
    {code::more_warnings, "more warnings than are told"},
    {code::misspelt_condition, "a condition whose name may be misspelt"},
    {code::final_unsaid, "a state of a file that is final because nothing leads out of it"},
    {code::unread_markup, "markup of a document that nothing is made of"},
    {code::never_enabled, "a transition that can never fire"},
    {code::useless_history, "a history state without use"},
    {code::odd_descriptor, "an event descriptor that says less than it seems to"},
    {code::outside_standard, "what the SCXML standard has otherwise"},
    {code::unreadable_script, "an expression or script with a mistake in its syntax"},
    {code::chain, "a chain of transitions that does not end"},
    {code::not_in_chart, "something that is not in the chart"},
    {code::lost_event, "an event that could not be kept"},
    {code::unknown_condition, "a condition that is not in the chart"},
    {code::no_mailbox, "a mailbox that was not asked for"},
    {code::no_chart, "a chart that is not there"},
    {code::bad_option, "an option that cannot be"},
    {code::attached_by_guard, "an observer attached by a guard"},
    {code::session_exists, "a second session of the same id"},
    {code::machine_unnamed, "a machine without a name"},
    {code::machine_exists, "a second machine of the same name"},
    {code::no_machine, "a machine that is not there"},
    {code::other_context, "a machine over another context"},
    {code::several_machines, "several machines over such a context"},
    {code::machine_gone, "a machine that has been removed"},
    {code::machine_running, "a start of what is running"},
    {code::manager_closing, "a machine that is made during shutdown"},
    {code::agent_gone, "an agent that is not there"},
    {code::element_taken, "a second agent over the same element"},
    {code::no_element, "an element that is not in the array"},
    {code::crowd_parallel, "an agent that is added while workers tick"},
    {code::no_place, "an agent for whom there is no place"},
    {code::large_crowd_chart, "a chart with too many states for a crowd"},
    {code::unreadable_file, "a file that cannot be read"},
    {code::large_file, "a file that is too large"},
    {code::bad_encoding, "characters that cannot be read"},
    {code::not_xml, "a text that is not XML"},
    {code::document_type, "a document type"},
    {code::too_deep, "elements that are nested too deeply"},
    {code::unknown_element, "an element that is not known there"},
    {code::stray_text, "text between the elements"},
    {code::unknown_attribute, "an attribute that is not known there"},
    {code::repeated_attribute, "an attribute that is given twice"},
    {code::missing_attribute, "an attribute that is missing"},
    {code::bad_value, "a value that cannot be read"},
    {code::unknown_behaviour, "a name that nobody registered"},
    {code::unknown_event, "an event that nobody declared"},
    {code::unknown_bit, "a bit that nobody declared"},
    {code::other_event, "behaviour for another event"},
    {code::misplaced, "a part that cannot stand there"},
    {code::final_by_itself, "a state without a way out that is more than an end"},
    {code::registered_twice, "a name that is registered twice"},
    {code::unnamed_behaviour, "behaviour without a name"},
    {code::too_many_states, "a file with too many states"},
    {code::long_name, "a name that is too long"},
    {code::too_many_parts, "a file with too many parts"},
    {code::more_problems, "more errors in a file than are reported"},
    {code::misspelt_name, "a name that may be misspelt"},
    {code::not_constant, "what a constant chart cannot have"},
    {code::unreadable_trace, "a trace that cannot be opened or written"},
    {code::not_a_trace, "a file that is no trace"},
    {code::trace_version, "a trace of another version"},
    {code::broken_trace, "a trace that contradicts itself"},
    {code::large_trace, "a trace whose names are too large"},

    {code::broken_coverage, "a file of coverage that cannot be read or written"},
    {code::other_coverage, "coverage of another chart"},
    {code::low_coverage, "less coverage than is asked for"},
    {code::unsaveable, "a class that cannot be saved"},
    {code::small_image, "no room for an image"},
    {code::not_an_image, "not an image"},
    {code::other_image, "an image of another chart"},
    {code::broken_image, "a broken image"},
    {code::no_room_for_image, "no room for what waits in an image"},
    {code::not_a_document, "not a document"},
    {code::broken_document, "a broken document"},
    {code::changed_chart, "a document of another chart"},
    {code::too_many_steps, "a call that uses too many steps"},
    {code::not_a_log, "not a log"},
    {code::broken_log, "a broken log"},
    {code::other_log, "a log of other machines"},
    {code::no_drawing, "nothing to draw"},
    {code::no_graphviz, "Graphviz cannot be run"},
    {code::failed_graphviz, "Graphviz has failed"},
    {code::not_scxml, "a file that is no SCXML document"},
    {code::needs_data_model, "a document that needs a data model"},
    {code::unknown_data_model, "a data model that nobody has given"},
    {code::not_supported, "a part of SCXML that is not supported"},
    {code::bad_include, "a file that is not included"},
    {code::duplicate_id, "an id that is used twice"},
    {code::inexpressible, "what SCXML has no words for"},
};

} // namespace

std::string to_string(code c) { return fmt::format("HSM-{:03}", static_cast<int>(c)); }

std::string_view title(code c) {
    const auto found = std::ranges::find(catalogue, c, &entry::code);
    return found == std::end(catalogue) ? "a code that is not in the catalogue" : found->title;
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
