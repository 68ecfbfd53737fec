/// Documents of sessions as JSON text in one line. Needs no other library. Integers that a double cannot represent are written as {"#integer":"…"}.
#pragma once

#include <hsm/save/detail/json_value.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::detail::scxml {

using json_value = hsm::detail::json_value; ///< `json_value` is a <data> in this namespace

std::string write_session_json(const json_value& d);
/// Throws save_error: HSM-361, invalid JSON; HSM-362, too large.
json_value read_session_json(std::string_view text, std::size_t most_bytes);

} // namespace hsm::detail::scxml
