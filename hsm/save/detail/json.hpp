/// Reads and writes JSON text.
#pragma once

#include <hsm/save/detail/datum.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::detail {

/// Texts that are not UTF-8 become objects: { "hex": "c3" }. Throws save_error (HSM-361) if a name is not UTF-8.
std::string write_json(const datum& d);

/// Each datum has its position. Throws save_error: HSM-361 for invalid JSON; HSM-362 for duplicate names, or if the text is too large or too deep.
datum read_json(std::string_view text, std::size_t most_bytes, std::size_t most_depth);

} // namespace hsm::detail
