#include <hsm/chart/detail/event_index.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace hsm::detail {

namespace {

/// Identifies an event among those of its type, and sorts them. Only named events have names; the events of a prefix directly follow the prefix.
using identity = std::pair<std::string_view, std::int64_t>;

identity identity_of(const event_type* type, std::int64_t value, std::string_view name) { return {type->is_name ? name : std::string_view(), value}; }

identity identity_of_key(const event_key& key) {
    return identity_of(key.type, key.value, key.names.empty() ? std::string_view(key.name) : std::string_view(key.names.front().text));
}

/// By type, then by identity. Not inline, because std::sort would contain many copies of it.
struct order_of_events {
    const std::map<const event_type*, std::size_t>& ranks;
    HSM_NOINLINE bool operator()(const event_key* a, const event_key* b) const {
        const auto first = ranks.at(a->type), second = ranks.at(b->type);
        return first != second ? first < second : identity_of_key(*a) < identity_of_key(*b);
    }
};

constexpr std::int64_t all_that_begin_so = 1;

std::size_t hash_of(std::string_view name) { return std::hash<std::string_view>()(name); }

} // namespace

std::uint32_t event_type_id(const event_type& type) {
    static std::atomic<std::uint32_t> last = 0;
    const atomic_view id(type.id);
    if (const auto known = id.load<order::relaxed>()) return known;
    std::uint32_t none = 0; // another thread or module may set it first
    const auto next = ++last;
    return id.compare_exchange_strong<order::relaxed, order::relaxed>(none, next) ? next : none;
}

void sort_events(std::vector<event_key>& events, const std::vector<const event_type*>& types) {
    std::map<const event_type*, std::size_t> ranks;
    for (const auto* type : types) ranks.emplace(type, ranks.size());
    std::vector<event_key*> order;
    for (auto& event : events) order.push_back(&event);
    std::ranges::sort(order, order_of_events{ranks});
    std::vector<event_key> sorted;
    for (auto* const event : order)
        if (sorted.empty() || !(sorted.back() == *event)) sorted.push_back(std::move(*event));
    sorted.shrink_to_fit();
    events = std::move(sorted);
}

void make_name_table(event_index& chart) {
    std::size_t names = 0;
    for (const auto& e : chart.event_refs)
        if (e.type->is_name) chart.longest_name = std::max(chart.longest_name, e.name.size()), ++names;
    if (names == 0) return;
    chart.events_by_name.assign(std::bit_ceil(2 * names), no_index);
    const auto mask = chart.events_by_name.size() - 1;
    for (std::size_t e = 0; e < chart.event_refs.size(); ++e) { // the check can count more events than are possible
        if (!chart.event_refs[e].type->is_name) continue;
        auto place = hash_of(chart.event_refs[e].name);
        while (chart.events_by_name[place & mask] != no_index) ++place;
        chart.events_by_name[place & mask] = static_cast<std::uint16_t>(e);
    }
}

std::uint16_t event_index::find_event(const event_ref& event) const {
    const auto* const known = column_of(*event.type);
    if (!known) return no_index;
    if (known->type->is_name) return find_name(event.name);
    if (const auto row = values_among(*known->type, {event.value, event.value}); !row.empty()) return row.front().event;
    const auto found = std::partition_point(events.begin() + known->first_event, events.end(),
                                            [&](const auto& e) { return e.type == known->type && e.value < event.value; });
    const bool is = found != events.end() && found->type == known->type && found->value == event.value;
    return is ? static_cast<std::uint16_t>(found - events.begin()) : no_index;
}

/// Returns the event with that name, or with the longest expected prefix of it.
std::uint16_t event_index::find_name(std::string_view name) const {
    auto found = look_up_name(name, false);
    while (found == no_index && has_prefixes && !name.empty()) {
        const auto dot = name.rfind('.');
        name = name.substr(0, dot == name.npos ? 0 : dot);
        found = look_up_name(name, true);
    }
    return found;
}

/// Finds a name before the prefix with the same text. A text longer than all names is not looked up, so that the total time for a name is not its
/// length times the number of its dots.
std::uint16_t event_index::look_up_name(std::string_view name, bool beginnings_only) const {
    if (name.size() > longest_name) return no_index;
    auto found = no_index;
    for (auto place = hash_of(name);; ++place) {
        const auto event = events_by_name[place & (events_by_name.size() - 1)];
        if (event == no_index) return found;
        if (event_refs[event].name != name) continue;
        if (event_refs[event].value == all_that_begin_so)
            found = event;
        else if (!beginnings_only)
            return event;
    }
}

event_ref event_index::name_at(std::uint16_t number, const void* payload) const {
    auto event = event_refs[number];
    event.object = payload;
    const auto* const object = static_cast<const named_event*>(payload);
    if (object && !object->name().empty()) {
        event.name = object->name();
        event.value = 0;
    } else if (has_event_names) {
        event.object = &named[number];
    }
    return event;
}

bool event_index::stores_name(std::uint16_t number, const void* payload) const {
    const auto* const object = static_cast<const named_event*>(payload);
    return object && (object->data() || (has_event_names && !object->name().empty() && object->name() != event_refs[number].name));
}

event_ref event_index::storable_event(const event_ref& event, std::uint16_t number) const {
    auto stored_form = event;
    if (has_event_names && event.type->is_name && number != no_index && !event.construct && stores_payload(number, event.object))
        stored_form.construct = &copy_event<named_event>;
    return stored_form;
}

std::uint32_t event_index::search_column(const event_ref& event) const {
    const auto* const column = column_of(*event.type);
    if (!column) return 0;
    const auto offset = static_cast<std::uint64_t>(event.value) - static_cast<std::uint64_t>(column->first_value);
    if (offset < column->count) return column->first + static_cast<std::uint32_t>(offset);
    if (!column->listed) return 0;
    const auto number = find_event(event);
    return number == no_index ? 0 : event_columns[number];
}

std::span<const value_row> event_index::values_among(const event_type& type, const event_interval& i) const {
    const auto begin = std::ranges::lower_bound(values, &type, {}, &value_row::type);
    const auto end = std::ranges::upper_bound(begin, values.end(), &type, {}, &value_row::type);
    const auto first = std::ranges::lower_bound(begin, end, i.first, {}, &value_row::last);
    const auto last = std::ranges::upper_bound(first, end, i.last, {}, &value_row::first);
    return {first, last};
}

std::size_t event_index::first_more_column(std::uint16_t event) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(more_columns, event, {}, &column_row::event) - more_columns.begin());
}

const event_column* event_index::column_of(const event_type& type) const {
    const auto& column = columns[atomic_view(type.id).load<order::relaxed>() & column_mask];
    if (column.type == &type) return &column;
    return type.module == module ? nullptr : type_like(type);
}

const event_column* event_index::type_like(const event_type& type) const {
    const auto first = std::ranges::lower_bound(types, type.name, {}, [](const event_column& c) { return c.type->name; });
    for (auto c = first; c != types.end() && c->type->name == type.name; ++c)
        if (same_type(*c->type, type)) return &*c;
    return nullptr;
}

} // namespace hsm::detail
