/// Executable content and conditions as hooks and guards of a chart.
#pragma once

#include <hsm/define/detail/erased.hpp>
#include <hsm/scxml/context.hpp>
#include <hsm/scxml/detail/document.hpp>

#include <memory>

namespace hsm::detail::scxml {

/// The common data of a document's hooks and guards.
struct content_owner {
    const document* of = nullptr; ///< lives as long as the tree
    find_context find = nullptr;
};

bound_op content_hook(std::shared_ptr<const block> content, content_owner owner, origin at);
guard condition_guard(condition c, content_owner owner, origin at);
/// The first guard of a transition with an event: sets `_event` in the data model. Returns `holds`.
guard event_guard(content_owner owner, bool holds);
/// For a final state: adds data to its done.state event.
bound_op done_data_hook(const payload& data, const state_base& s, content_owner owner);
/// First hooks of the root, at the beginning and the end of the machine. bind_hook is for late binding, at the first entry.
bound_op bind_hook(const state_base& s, content_owner owner);
bound_op begin_hook(content_owner owner);
bound_op end_hook(content_owner owner);
/// For a state with <invoke>: on entry, and after all its other exit hooks.
bound_op invoke_hook(const state_base& s, content_owner owner, std::string label);
bound_op cancel_hook(const state_base& s, content_owner owner);
/// For the root, when a macrostep is complete: starts the invocations of states that were entered and not exited.
bound_op invoking_hook(content_owner owner);
/// For the root, after that: resets the steps for the next macrostep of an instance without a session.
bound_op macrostep_hook(content_owner owner);
/// For the root: delivers delayed events that are due.
bound_op delivery_hook(content_owner owner);

/// Returns the content of a content_hook, or null for another hook.
const block* content_of(const hook& h);
const condition* condition_of(const guard& g);
bool is_event_guard(const guard& g);
bool is_of_document(const hook& h); ///< whether it was added by the loader: a begin, end or delivery

std::string to_string(const condition& c); ///< "In('a') && !In('b')"
std::string label_of(const block& content);

} // namespace hsm::detail::scxml
