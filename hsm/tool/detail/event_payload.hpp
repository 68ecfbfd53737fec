/// Builds the payload of an event from fields such as damage=3.
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

/// Returns the payload as bytes of an image. Without fields, it is a default value of the event's class, or all zeros. Throws command_error if the
/// class does not have one of the fields, or if its fields are unknown.
std::vector<std::byte> payload_of(event_view event, const chart_base& chart, const std::vector<written_field>& fields);
/// Returns the data of a named event: an object, or the value of the field `data` if it is the only field and contains JSON.
event_data data_of(const std::vector<written_field>& fields);

} // namespace hsm::detail::tool
