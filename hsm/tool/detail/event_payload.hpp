/// The payload of an event from fields as people write them: damage=3.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/define/event_data.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace hsm::detail::tool {

struct written_field {
    std::string name, value;
};

/// As it stands in an image. Without fields it is what the class makes of itself, or all zeros. Throws command_error: it has no such field, or nobody
/// knows its fields.
std::vector<std::byte> payload_of(event_view event, const chart_base& chart, const std::vector<written_field>& fields);
/// The same of a named event: an object, or, if `data` is the only field and JSON, that.
event_data data_of(const std::vector<written_field>& fields);
/// The column of an event in the chart.
std::uint32_t column_of(event_view event, const chart_base& chart);

} // namespace hsm::detail::tool
