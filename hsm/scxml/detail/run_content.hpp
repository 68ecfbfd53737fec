/// Executable content and conditions as hooks and guards of a chart.
#pragma once

#include <hsm/define/detail/erased.hpp>
#include <hsm/scxml/context.hpp>
#include <hsm/scxml/detail/document.hpp>

#include <memory>

namespace hsm::detail::scxml {

/// From the context of a machine to the part that is SCXML's.
using find_context = hsm::scxml::context& (*)(void* context);

/// What the hooks and guards of a document have in common.
struct content_owner {
    const document* of = nullptr; ///< which lives as long as the tree
    find_context find = nullptr;
};

op_parts content_hook(std::shared_ptr<const block> content, content_owner owner, origin at);
guard condition_guard(condition c, content_owner owner, origin at);
/// Of a transition on events, in front of its condition: shows the event to the data model, and holds if that is said.
guard event_guard(content_owner owner, bool holds);
/// Of a final state: what its done.state event brings along.
op_parts done_data_hook(const payload& data, const state_base& s, content_owner owner);
/// At the root, in front of all others: what begins with the machine, and what ends with it.
/// Late binding: at the first entry.
op_parts bind_hook(const state_base& s, content_owner owner);
op_parts begin_hook(content_owner owner);
op_parts end_hook(content_owner owner);
/// Of a state with <invoke>: when it is entered, and, after all its other exits, when it is left.
op_parts invoke_hook(const state_base& s, content_owner owner, std::string label);
op_parts cancel_hook(const state_base& s, content_owner owner);
/// At the root, when a macrostep is complete: what has been entered and not been left invokes.
op_parts invoking_hook(content_owner owner);
/// At the root, behind that: the next macrostep of a plain instance has all its steps again.
op_parts macrostep_hook(content_owner owner);
/// At the root: events whose time has come.
op_parts delivery_hook(content_owner owner);

/// What content_hook was given; null if it is another hook.
const block* content_of(const hook& h);
const condition* condition_of(const guard& g);
bool is_event_guard(const guard& g);
bool is_of_document(const hook& h); ///< a begin, an end, a delivery

std::string to_string(const condition& c); ///< "In('a') && !In('b')"
std::string label_of(const block& content);

} // namespace hsm::detail::scxml
