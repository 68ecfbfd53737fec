/// The texts that the server sends, as JSON.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/observe/chart_names.hpp>

#include <string>
#include <string_view>

namespace hsm::inspect::detail {

/// Returns the names of everything in a chart that records refer to, and the structure of its states.
std::string dictionary_of(const chart_view& chart);
/// The same for a chart of which only the names are known.
std::string dictionary_of(const chart_names& names);
/// Returns the name of a chart in requests: the 32 digits of its fingerprint.
std::string key_of(const chart_names& names);

/// Returns the text of an nlohmann::json. Bytes that are not UTF-8 are replaced.
template <class Json> std::string text_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

} // namespace hsm::inspect::detail
