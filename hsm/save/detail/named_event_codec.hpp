/// How names that wait, and what they bring along, stand in images and documents.
#pragma once

#include <hsm/save/serialize.hpp>

namespace hsm::detail {

extern const value_codec codec_of_names;

/// The chart knows its name, and it brings nothing along: in an image it has no fields.
inline bool says_nothing(const named_event& event) { return event.name().empty() && !event.data(); }

} // namespace hsm::detail
