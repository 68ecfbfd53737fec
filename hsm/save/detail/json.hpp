/// JSON text and what it says.
#pragma once

#include <hsm/save/detail/datum.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::detail {

/// Texts that are not UTF-8 become objects: { "hex": "c3" }. Throws save_error (HSM-361) for a name that is not.
std::string write_json(const datum& d);

/// Each datum knows its place. Throws save_error: HSM-361 it is not JSON; HSM-362 a name is there twice, or it is too large or too deep.
datum read_json(std::string_view text, std::size_t most_bytes, std::size_t most_depth);

} // namespace hsm::detail
