/// Documents of sessions as JSON text. Uses event_data, so that saving needs no other library. Integers that a double cannot represent are written as
/// {"#integer":"…"}.
#pragma once

#include <hsm/save/detail/datum.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::detail::scxml {

using tree = hsm::detail::datum; ///< `datum` is a <data> in this namespace

std::string write_session_json(const tree& d);
/// Throws save_error: HSM-361, invalid JSON; HSM-362, too large.
tree read_session_json(std::string_view text, std::size_t most_bytes);

} // namespace hsm::detail::scxml
