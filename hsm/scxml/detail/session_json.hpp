/// Documents of sessions as JSON text, by way of event_data, so that nothing else is needed to save them. A whole number that a double cannot hold is
/// written as {"#integer":"…"}.
#pragma once

#include <hsm/save/detail/datum.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::detail::scxml {

using tree = hsm::detail::datum; ///< a <data> is called datum here

std::string write_session_json(const tree& d);
/// Throws save_error: HSM-361, it is no JSON; HSM-362, it is too large.
tree read_session_json(std::string_view text, std::size_t most_bytes);

} // namespace hsm::detail::scxml
