/// Returns an event of a constant chart as a key of definitions at run time, with its name.
#pragma once

#include <hsm/constant/detail/rows.hpp>
#include <hsm/define/event.hpp>

#include <string>

namespace hsm::detail {

template <class Chart> event_key event_key_of(const constant_event_row& e) {
    constexpr auto& tables = Chart::tables;
    const auto& type = *tables.types[e.type].type.address;
    const auto first = tables.values.begin() + e.values.first;
    if (e.values.count > 1 || first->first != first->last) return key_of_intervals(type, {first, first + e.values.count}, e.others);
    const auto name = tables.text(e.name);
    return name.empty() ? key_of_value(type, first->first) : event_key{&type, first->first, std::string(name)};
}

} // namespace hsm::detail
