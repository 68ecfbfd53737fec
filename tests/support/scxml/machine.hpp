/// From an SCXML document to a definition with the same meaning.
///
/// States are named by their ids. Raised events are named events that go through the internal queue; transitions are written down
/// once for each event that their descriptors match. What SCXML says of done.state events is said by the enter hooks of finals.
#pragma once

#include <hsm/chart/options.hpp>
#include <hsm/define/fsm.hpp>
#include <tests/support/scxml/document.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace scxml {

/// The context. Whoever runs the machine says here how it is asked what is active.
struct session {
    std::function<bool(const hsm::state_base&)> is_active;
};

inline constexpr hsm::compile_options rules{.order = hsm::decision_order::substate_first, .remember_finals = true};

/// Outside: the names of the events that will come from there. Throws document_error.
hsm::owned<hsm::fsm<session>> make_machine(const node& document, const std::vector<std::string>& outside);

/// Does a descriptor, or a list of them, match that event? An exact name, or one that begins with it and goes on with a dot.
bool matches(const std::vector<std::string>& descriptors, std::string_view event);

} // namespace scxml
