#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/compile/detail/tables.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>

namespace hsm::detail {

namespace {

/// The place where the values of a key begin or end. Values up to the highest possible one have no end.
struct cut {
    std::int64_t at;
    std::uint32_t key;
    bool begins;
};

std::vector<cut> cuts_of(const std::vector<event_key>& keys) {
    std::vector<cut> cuts;
    for (std::uint32_t k = 0; k < keys.size(); ++k)
        for (const auto& i : values_of(keys[k])) {
            cuts.push_back({i.first, k, true});
            if (i.last != INT64_MAX) cuts.push_back({i.last + 1, k, false});
        }
    std::ranges::sort(cuts, {}, [](const cut& c) { return std::tuple(c.at, c.key, c.begins); });
    return cuts;
}

/// Returns the name of a key with exactly these values. If there is none: the name of the keys of all other events if only these match; otherwise a
/// name made from the values.
std::string class_name(const std::vector<event_key>& waiting, const event_type& type, const std::vector<event_interval>& values) {
    const event_key* only_others = &waiting.front();
    for (const auto& key : waiting) {
        if (values_of(key) == values) return key.name;
        if (!key.others) only_others = nullptr;
    }
    return only_others ? only_others->name : key_of_intervals(type, values, false).name;
}

void add(std::vector<event_interval>& to, const event_interval& i) {
    if (!to.empty() && to.back().last != INT64_MAX && to.back().last + 1 == i.first)
        to.back().last = i.last;
    else
        to.push_back(i);
}

} // namespace

std::vector<event_interval> values_of(const event_key& key) {
    return key.values.empty() ? std::vector<event_interval>{{key.value, key.value}} : key.values;
}

std::vector<event_key> event_classes(const std::vector<event_key>& waited_for) {
    const auto cuts = cuts_of(waited_for);
    std::map<std::vector<std::uint32_t>, std::vector<event_interval>> classes; // by the keys that match
    std::multiset<std::uint32_t> waiting;                                      // the values of a key may overlap
    for (std::size_t c = 0; c < cuts.size(); ++c) {
        if (cuts[c].begins)
            waiting.insert(cuts[c].key);
        else
            waiting.erase(waiting.find(cuts[c].key));
        const bool more_here = c + 1 < cuts.size() && cuts[c + 1].at == cuts[c].at;
        if (waiting.empty() || more_here) continue;
        std::vector<std::uint32_t> who(waiting.begin(), waiting.end());
        who.erase(std::unique(who.begin(), who.end()), who.end());
        add(classes[who], {cuts[c].at, c + 1 < cuts.size() ? cuts[c + 1].at - 1 : INT64_MAX});
    }
    std::vector<event_key> events;
    for (auto& [who, values] : classes) {
        std::vector<event_key> keys;
        for (const auto k : who) keys.push_back(waited_for[k]);
        const bool one = values.size() == 1 && values.front().first == values.front().last;
        auto name = class_name(keys, *keys.front().type, values);
        const auto first = values.front().first;
        events.push_back({keys.front().type, first, std::move(name), one ? std::vector<event_interval>() : std::move(values), false});
    }
    std::ranges::sort(events, {}, &event_key::value);
    return events;
}

namespace {

/// Adds the type, or returns an equal one.
const event_type* add_type(chart_core& core, const event_type& type) {
    if (const auto* const known = core.type_like(type)) return known->type;
    const auto at = std::ranges::upper_bound(core.types, type.name, {}, [](const event_column& c) { return c.type->name; });
    core.types.insert(at, event_column{&type});
    return &type;
}

bool is_several(const event_key& key) { return !key.values.empty(); }
bool has_several_names(const event_key& key) { return !key.names.empty(); }

/// Remembers names, because most are used by many transitions.
class known_names {
public:
    /// Returns whether a single name or prefix was seen before. The key must outlive this object.
    bool has(const event_key& key) {
        if (!key.type->is_name || key.names.size() > 1 || is_several(key)) return false;
        const bool single = key.names.empty();
        const std::string_view text = single ? key.name : key.names.front().text;
        return !(single || !key.names.front().prefix ? names_ : beginnings_).insert(text).second;
    }

private:
    std::unordered_set<std::string_view> names_, beginnings_;
};

/// Replaces keys of several names by each name and each prefix.
void make_names(chart_core& core, std::vector<event_key>& keys, std::vector<const event_type*>& order) {
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (!has_several_names(keys[k])) continue;
        const auto names = std::move(keys[k].names);
        const auto* const type = keys[k].type;
        core.has_prefixes |= std::ranges::any_of(names, &name_pattern::prefix);
        for (std::size_t n = 0; n < names.size(); ++n) {
            auto single = names[n].prefix ? key_of_names({names[n]}) : key_of_name(names[n].text);
            single.value = names[n].prefix;
            single.type = type;
            if (n == 0)
                keys[k] = std::move(single);
            else
                keys.push_back(std::move(single)), order.push_back(type);
        }
    }
}

/// Adds the events that match the pattern: a name, or all with that prefix.
void add_names(const chart_core& core, const name_pattern& n, const event_type& type, std::vector<std::uint16_t>& to) {
    const auto first = core.events.begin() + core.column_of(type)->first_event;
    const auto last = std::partition_point(first, core.events.end(), [&](const auto& e) { return e.type == first->type; });
    const auto text_of = [](const event_key& e) { return e.names.empty() ? std::string_view(e.name) : std::string_view(e.names.front().text); };
    const auto at = [&](std::string_view text) { return std::partition_point(first, last, [&](const auto& e) { return text_of(e) < text; }); };
    const auto add = [&](const event_key* from, const event_key* end) {
        for (; from != end; ++from) to.push_back(static_cast<std::uint16_t>(from - core.events.begin()));
    };
    if (n.prefix && n.text.empty()) return add(first, last);
    auto end = at(n.text);
    const auto begin = end;
    while (end != last && text_of(*end) == n.text && (n.prefix || end->names.empty())) ++end;
    add(begin, end);
    if (n.prefix) add(at(n.text + '.'), at(n.text + '/')); // '/' is the character after '.'
}

/// Returns the key of all values that no other transition waits for.
event_key every_value_of(const event_type& type) {
    const bool is_byte = same_type(type, event_type_of<unsigned char>);
    return key_of_intervals(type, {is_byte ? event_interval{0, 255} : event_interval{}}, true);
}

/// Returns whether a guard or action takes the event.
bool takes_event(const transition_spec& t) {
    const auto takes = [](const auto& h) { return h.needs().event; };
    return std::ranges::any_of(t.guards, takes) || std::ranges::any_of(t.actions, takes);
}

/// Replaces the keys of types with ranges of values by classes of values that no transition distinguishes.
void make_classes(chart_core& core, std::vector<event_key>& keys, const std::vector<const event_type*>& order) {
    std::vector<const event_type*> types;
    for (const auto& key : keys)
        if (is_several(key) && std::ranges::find(types, key.type) == types.end()) types.push_back(key.type);
    for (const auto* type : types) {
        const auto first = std::stable_partition(keys.begin(), keys.end(), [&](const auto& key) { return key.type != type; });
        const auto classes = event_classes({first, keys.end()});
        keys.erase(first, keys.end());
        keys.insert(keys.end(), classes.begin(), classes.end());
    }
    sort_events(keys, order);
    for (std::size_t e = 0; e < keys.size(); ++e) // the check can count more events than are possible
        if (std::ranges::find(types, keys[e].type) != types.end())
            for (const auto& i : values_of(keys[e])) core.values.push_back({keys[e].type, i.first, i.last, static_cast<std::uint16_t>(e)});
    std::ranges::sort(core.values, [](const auto& a, const auto& b) { return a.type != b.type ? std::less<>()(a.type, b.type) : a.first < b.first; });
}

/// Makes the smallest table that separates the ids of all types. Types of different modules can have the same id; one of them is then looked up by
/// its name.
class type_numbers {
public:
    explicit type_numbers(chart_core& core) : core_(core) {}

    void run() {
        std::vector<std::uint32_t> ids;
        for (const auto& c : core_.types) ids.push_back(event_type_id(*c.type));
        const auto last = ids.empty() ? 0 : std::ranges::max(ids);
        std::uint32_t size = 1;
        while (size <= last && !are_distinct(ids, size - 1)) size *= 2;
        core_.column_table.assign(size, {});
        core_.module = core_.types.empty() ? &detail::this_module : core_.types[0].type->module;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            auto& place = core_.column_table[ids[i] & (size - 1)];
            if (place.type || core_.types[i].type->module != core_.module) core_.module = nullptr;
            if (!place.type) place = core_.types[i];
        }
        core_.columns = core_.column_table.data();
        core_.column_mask = size - 1;
    }

private:
    static bool are_distinct(const std::vector<std::uint32_t>& ids, std::uint32_t mask) {
        std::vector<std::uint32_t> places;
        for (const auto id : ids) places.push_back(id & mask);
        std::ranges::sort(places);
        return std::ranges::adjacent_find(places) == places.end();
    }

    chart_core& core_;
};

/// The lowest and the highest value that keys name.
struct extent {
    std::int64_t first = INT64_MAX;
    std::int64_t last = INT64_MIN;
    bool whole = true; ///< no key is open-ended

    void cover(const event_interval& i) {
        whole = whole && i.first != INT64_MIN && i.last != INT64_MAX;
        for (const auto value : {i.first, i.last})
            if (value != INT64_MIN && value != INT64_MAX) first = std::min(first, value), last = std::max(last, value);
    }
    bool empty() const { return first > last; }
    std::uint64_t distance() const { return static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first); }
};

/// Assigns consecutive columns to the events of one type.
class type_columns {
public:
    type_columns(chart_core& core, const span_of& events) : core_(core), events_(events), type_(*core.events[events.first].type) {}

    void run() {
        extent values;
        for (auto e = events_.first; e < events_.first + events_.count; ++e)
            for (const auto& i : values_of(core_.events[e])) values.cover(i);
        const auto few = 4 * events_.count + (core_.values_among(type_, {}).empty() ? 64 : 1024);
        if (values.first >= 0 && values.last >= 0 && static_cast<std::uint64_t>(values.last) < few)
            values.first = 0; // most enumerations begin with 0
        const bool dense = !type_.is_name && !values.empty() && values.distance() < few;
        const auto count = dense ? static_cast<std::uint32_t>(values.distance() + 1) : 0;
        auto end = core_.row_width + count;
        for (auto e = events_.first; e < events_.first + events_.count; ++e) {
            if (dense) add_values(e, values);
            if (core_.event_columns[e] == 0) core_.event_columns[e] = end++;
        }
        *const_cast<event_column*>(core_.type_like(type_)) = {
            &type_, values.empty() ? 0 : values.first, count, core_.row_width, !dense || !values.whole, static_cast<std::uint16_t>(events_.first)};
        core_.row_width = end;
    }

private:
    void add_values(std::uint32_t e, const extent& table) {
        for (const auto& i : values_of(core_.events[e]))
            for (auto value = std::max(i.first, table.first); value <= std::min(i.last, table.last); ++value) {
                const auto column =
                    core_.row_width + static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(table.first));
                if (core_.event_columns[e] == 0)
                    core_.event_columns[e] = column;
                else
                    core_.more_columns.push_back({static_cast<std::uint16_t>(e), column});
            }
    }

    chart_core& core_;
    span_of events_;
    const event_type& type_;
};

} // namespace

void collect_events(chart_core& core, const outline& o) {
    std::vector<event_key> events;
    known_names known;
    std::vector<const event_type*> order; // in the order of first use, which is the same in every program
    std::set<const event_type*> known_types;
    const auto add_key = [&](const event_key& event) {
        core.has_event_objects |= event.type->destroy != nullptr;
        core.event_size = std::max(core.event_size, event.type->size);
        core.event_alignment = std::max(core.event_alignment, event.type->alignment);
        if (known.has(event)) return;
        events.push_back(event);
        events.back().type = add_type(core, *event.type);
        order.push_back(events.back().type);
    };
    for (const auto& t : o.transitions) {
        const auto& event = t.spec->event;
        if (!event) continue;
        core.has_event_names |= event.type->is_name && takes_event(*t.spec);
        add_key(event);
    }
    const auto every_name = key_of_names(std::vector{name_pattern{{}, true}});
    if (std::ranges::any_of(events, is_any_event)) { // queues then accept every name, and every value of the known types
        for (std::size_t e = 0, count = events.size(); e < count; ++e)
            if (const auto& type = *events[e].type; type.value && known_types.insert(&type).second) add_key(every_value_of(type));
        add_key(every_name);
    }
    make_names(core, events, order);
    core.has_event_names |= core.has_prefixes;
    if (std::ranges::any_of(events, is_several))
        make_classes(core, events, order);
    else
        sort_events(events, order);
    core.events = std::move(events);
    for (auto e = core.events.size(); e-- > 0;)
        const_cast<event_column*>(core.type_like(*core.events[e].type))->first_event = static_cast<std::uint16_t>(e);
    for (const auto& e : core.events) {
        std::string_view name;
        if (e.type->is_name) name = e.names.empty() ? std::string_view(e.name) : std::string_view(e.names.front().text);
        core.event_refs.push_back({e.type, e.value, name, nullptr, nullptr});
        if (core.has_event_names) core.names.push_back({name});
    }
    make_name_table(core);
    core.named.reserve(core.names.size()); // pointers to moved elements would become invalid
    for (const auto& n : core.names) core.named.emplace_back(n);
    core.column_table.resize(1);
    core.columns = core.column_table.data();
    core.module = nullptr; // until type_numbers sets it
}

std::vector<std::uint16_t> events_of(const chart_core& core, const event_key& key) {
    if (!key) return {no_index};
    if (!is_several(key) && !has_several_names(key)) return {core.find_event({key.type, key.value, key.name})};
    std::vector<std::uint16_t> events;
    for (const auto& n : key.names) add_names(core, n, *key.type, events);
    for (const auto& i : key.values)
        for (const auto& row : core.values_among(*core.column_of(*key.type)->type, i)) events.push_back(row.event);
    std::ranges::sort(events);
    events.erase(std::unique(events.begin(), events.end()), events.end());
    return events;
}

/// Assigns a column to each class and each name, and a range of columns to each enumeration, unless its values are far apart. The type with the most
/// events comes first.
void add_columns(chart_core& core) {
    core.event_columns.resize(core.events.size());
    std::vector<span_of> types; // events of one type are consecutive
    for (std::uint32_t e = 0; e < core.events.size(); ++e) {
        if (e == 0 || core.events[e].type != core.events[e - 1].type) types.push_back({e, 0});
        ++types.back().count;
    }
    if (!types.empty()) std::swap(types.front(), *std::ranges::max_element(types, {}, &span_of::count));
    for (const auto& events : types) type_columns(core, events).run();
    std::ranges::sort(core.more_columns, {}, [](const column_row& c) { return std::pair(c.event, c.column); });
    if (!types.empty()) {
        core.main_type = core.events[types.front().first].type;
        const auto& column = *core.type_like(*core.main_type);
        core.main_count = column.first_value == 0 ? column.count : 0;
    }
    type_numbers(core).run();
    core.column_events.resize(core.row_width, no_index);
    for (std::uint16_t e = 0; e < row_count(core.events); ++e) core.each_column(e, [&](auto column) { core.column_events[column] = e; });
}

} // namespace hsm::detail
