/// How names that wait, and what they bring along, stand in images and documents.
#pragma once

#include <hsm/save/serialize.hpp>

namespace hsm::detail {

extern const value_codec codec_of_names;

} // namespace hsm::detail
