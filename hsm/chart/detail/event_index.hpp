/// The events that the transitions of a chart wait for, and their columns: a column of a program table belongs to one event or to a range of values.
#pragma once

#include <hsm/chart/detail/rows.hpp>
#include <hsm/chart/detail/table.hpp>
#include <hsm/op/detail/chart_head.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hsm::detail {

struct event_index : chart_head {
    table<event_key> events;             ///< sorted, see find_event
    table<std::uint32_t> on_any_event;   ///< transitions on any_event, in the order in which they are tried
    table<event_ref> event_refs;         ///< the same, as hooks receive them
    table<name_node> names;              ///< of each event, if has_event_names
    table<named_event> named;            ///< the same as objects of named events
    table<std::uint16_t> events_by_name; ///< a hash table, see make_name_table
    std::size_t longest_name = 0;
    table<value_row> values;            ///< of the types whose values can be events: by type and value
    table<event_column> column_table;   ///< by the id of the event type, within the mask
    table<event_column> types;          ///< of all events, by name; equal types of several modules are one
    table<std::uint32_t> event_columns; ///< by the number of the event
    table<std::uint16_t> column_events; ///< the event of a column; no_index: none
    table<column_row> more_columns;     ///< of events with several values: by event
    bool has_prefixes = false;          ///< some transition handles all names with a prefix
    bool has_event_names = false;       ///< because of has_prefixes, or because a hook takes a named event: each event's object has its name

    /// Returns an event as hooks receive it. A name without an object of its own gets the object of the chart.
    event_ref event_at(std::uint16_t number, const void* payload) const {
        if (event_refs[number].type->is_name) return name_at(number, payload);
        auto event = event_refs[number];
        event.object = payload;
        return event;
    }
    event_ref name_at(std::uint16_t number, const void* payload) const;
    /// Returns whether a queue must store that object with the event: not for a name without further data.
    bool stores_payload(std::uint16_t number, const void* payload) const { return !event_refs[number].type->is_name || stores_name(number, payload); }
    bool stores_name(std::uint16_t number, const void* payload) const;
    /// Returns the event as a queue must store it.
    event_ref storable_event(const event_ref& event, std::uint16_t number) const;
    std::uint16_t find_event(const event_ref& event) const; ///< no_index if no transition waits for it
    std::uint16_t find_name(std::string_view name) const;   ///< of a named event
    std::uint16_t look_up_name(std::string_view name, bool beginnings_only) const;
    /// Returns 0 if no transition waits for it.
    std::uint32_t column_for(const event_ref& event) const {
        const auto column = find_column(event);
        return column_events[column] == no_index ? 0 : column; // an enumeration also has columns for values between its events
    }
    /// Returns the same, or a column in which no row has a program.
    std::uint32_t find_column(const event_ref& event) const {
        const auto& column = columns[atomic_load<order::relaxed>(event.type->id) & column_mask];
        const auto offset = static_cast<std::uint64_t>(event.value) - static_cast<std::uint64_t>(column.first_value);
        if (column.type == event.type && offset < column.count) [[likely]]
            return column.first + static_cast<std::uint32_t>(offset);
        return search_column(event);
    }
    std::uint32_t search_column(const event_ref& event) const; ///< the same, slowly
    /// Returns the rows of handled values that overlap `i.first` to `i.last`, in order; the first can begin before it, the last can end after it.
    std::span<const value_row> values_among(const event_type& type, const event_interval& i) const;
    std::size_t first_more_column(std::uint16_t event) const;
    /// Visits all columns of an event.
    template <class Visit> void each_column(std::uint16_t event, const Visit& visit) const {
        visit(event_columns[event]);
        auto c = first_more_column(event);
        for (; c < more_columns.size() && more_columns[c].event == event; ++c) visit(more_columns[c].column);
    }
    const event_column* column_of(const event_type& type) const; ///< null if no transition waits for any of that type
    const event_column* type_like(const event_type& type) const; ///< the same, slowly
};

/// Returns the number of the type, from 1; assigned at the first call. Each module with a copy of the library counts separately.
std::uint32_t event_type_id(const event_type& type);

/// Sorts events in the order of find_event, and removes duplicates. Equal types must be one object.
void sort_events(std::vector<event_key>& events, const std::vector<const event_type*>& types);

/// Builds the hash table of the named events: open addressing, at most half full.
void make_name_table(event_index& chart);

} // namespace hsm::detail
