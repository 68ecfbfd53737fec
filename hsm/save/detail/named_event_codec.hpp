/// The form of waiting named events and their data in images and documents.
#pragma once

#include <hsm/save/serialize.hpp>

namespace hsm::detail {

extern const value_codec codec_of_names;

/// Returns whether the event has no data and its name is in the chart. It then has no fields in an image.
inline bool says_nothing(const named_event& event) { return event.name().empty() && !event.data(); }

} // namespace hsm::detail
