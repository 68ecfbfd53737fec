#include <hsm/chart/detail/chart_core.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>
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
    std::ranges::sort(events, {}, [&](const auto& e) { return std::pair(ranks.at(e.type), identity_of_key(e)); });
    events.erase(std::unique(events.begin(), events.end()), events.end());
    events.shrink_to_fit();
}

void make_name_table(chart_core& core) {
    std::size_t names = 0;
    for (const auto& e : core.event_refs)
        if (e.type->is_name) core.longest_name = std::max(core.longest_name, e.name.size()), ++names;
    if (names == 0) return;
    core.events_by_name.assign(std::bit_ceil(2 * names), no_index);
    const auto mask = core.events_by_name.size() - 1;
    for (std::size_t e = 0; e < core.event_refs.size(); ++e) { // the check can count more events than are possible
        if (!core.event_refs[e].type->is_name) continue;
        auto place = hash_of(core.event_refs[e].name);
        while (core.events_by_name[place & mask] != no_index) ++place;
        core.events_by_name[place & mask] = static_cast<std::uint16_t>(e);
    }
}

std::uint16_t chart_core::find_event(const event_ref& event) const {
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
std::uint16_t chart_core::find_name(std::string_view name) const {
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
std::uint16_t chart_core::look_up_name(std::string_view name, bool beginnings_only) const {
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

event_ref chart_core::name_at(std::uint16_t number, const void* payload) const {
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

bool chart_core::raises(std::uint16_t number, const void* payload) const {
    if (number == no_index || !event_refs[number].type->is_name) return false;
    const auto name = name_at(number, payload).name;
    const std::string_view error = options.guard_error;
    return (options.done_events && name.starts_with("done.state.")) || (!error.empty() && name == error);
}

bool chart_core::stores_name(std::uint16_t number, const void* payload) const {
    const auto* const object = static_cast<const named_event*>(payload);
    return object && (object->data() || (has_event_names && !object->name().empty() && object->name() != event_refs[number].name));
}

event_ref chart_core::storable_event(const event_ref& event, std::uint16_t number) const {
    auto stored_form = event;
    if (has_event_names && event.type->is_name && number != no_index && !event.construct && stores_payload(number, event.object))
        stored_form.construct = &copy_event<named_event>;
    return stored_form;
}

std::uint32_t chart_core::find_column(const event_ref& event) const {
    const auto* const column = column_of(*event.type);
    if (!column) return 0;
    const auto offset = static_cast<std::uint64_t>(event.value) - static_cast<std::uint64_t>(column->first_value);
    if (offset < column->count) return column->first + static_cast<std::uint32_t>(offset);
    if (!column->listed) return 0;
    const auto number = find_event(event);
    return number == no_index ? 0 : event_columns[number];
}

std::uint32_t chart_core::column_for(const event_ref& event) const {
    const auto column = find_column(event);
    return column_events[column] == no_index ? 0 : column; // an enumeration also has columns for values between its events
}

std::span<const value_row> chart_core::values_among(const event_type& type, const event_interval& i) const {
    const auto begin = std::ranges::lower_bound(values, &type, {}, &value_row::type);
    const auto end = std::ranges::upper_bound(begin, values.end(), &type, {}, &value_row::type);
    const auto first = std::ranges::lower_bound(begin, end, i.first, {}, &value_row::last);
    const auto last = std::ranges::upper_bound(first, end, i.last, {}, &value_row::first);
    return {first, last};
}

std::size_t chart_core::first_more_column(std::uint16_t event) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(more_columns, event, {}, &column_row::event) - more_columns.begin());
}

const event_column* chart_core::column_of(const event_type& type) const {
    const auto& column = columns[atomic_view(type.id).load<order::relaxed>() & column_mask];
    if (column.type == &type) return &column;
    return type.module == module ? nullptr : type_like(type);
}

const event_column* chart_core::type_like(const event_type& type) const {
    const auto first = std::ranges::lower_bound(types, type.name, {}, [](const event_column& c) { return c.type->name; });
    for (auto c = first; c != types.end() && c->type->name == type.name; ++c)
        if (same_type(*c->type, type)) return &*c;
    return nullptr;
}

std::uint32_t chart_core::find_condition(const condition_key& key) const {
    if (!key.name.empty()) {
        const auto found = std::ranges::lower_bound(conditions_by_name, key.name, {}, [&](auto number) { return conditions[number]; });
        return found != conditions_by_name.end() && conditions[*found] == key.name ? *found : no_condition;
    }
    const bool of_another = key.spec && (index_of(*key.spec->owner) == no_index || (key.spec->number == 0 && key.spec->index != 0));
    const auto number = key.spec ? key.spec->number : static_cast<std::uint32_t>(key.index);
    return of_another || number >= conditions.size() ? no_condition : number;
}

program chart_core::program_for(index leaf, std::uint32_t column) const {
    const auto first = entries.begin() + states[leaf].programs.first;
    const auto last = first + states[leaf].programs.count;
    const auto found = std::lower_bound(first, last, column, [](const row_entry& e, std::uint32_t c) { return e.column < c; });
    return found != last && found->column == column ? found->at : 0;
}

/// Prefers the identical type; equal types of other modules come second.
const local_row* chart_core::find_local(index from, const local_type& type) const {
    const auto nearest = [&](auto is_meant) -> const local_row* {
        for (auto s = from; s != no_index; s = states[s].superstate)
            for (auto i = states[s].locals.first; i < states[s].locals.first + states[s].locals.count; ++i)
                if (is_meant(*locals[i].type)) return &locals[i];
        return nullptr;
    };
    if (const auto* const found = nearest([&](const local_type& each) { return &each == &type; })) return found;
    return nearest([&](const local_type& each) { return same_type(each, type); });
}

index chart_core::toward(index outer, index inner) const {
    while (states[inner].superstate != outer) inner = states[inner].superstate;
    return inner;
}

void* chart_core::context_of(index s, void* root_context) const {
    const auto& row = states[s];
    auto* const outer = row.superstate == no_index ? root_context : context_of(row.superstate, root_context);
    const auto& way = row.node->projection();
    return way ? way.call()(way.self(), outer) : outer;
}

namespace {

/// From the worst to the best.
enum class match { none, end, whole, whole_below_root };

/// Returns whether the path is the end of the state's path.
match match_path(const state_base& state, std::string_view path) {
    const auto* s = &state;
    for (;; s = s->superstate()) {
        const auto slash = path.rfind('/');
        if (!s || s->name() != path.substr(slash == path.npos ? 0 : slash + 1)) return match::none;
        if (slash == path.npos) break;
        path = path.substr(0, slash);
    }
    if (!s->superstate()) return match::whole;
    return s->superstate()->superstate() ? match::end : match::whole_below_root;
}

/// Calls `visit(state)` with all states that the key can mean.
template <class Visit> void each_named(const chart_core& core, const state_key& key, const Visit& visit) {
    if (key.id || key.by_class) {
        const target_spec wanted(key);
        for (index s = 0; s < row_count(core.states); ++s)
            if (bears(*core.states[s].node, wanted)) visit(s, match::end);
    } else if (!key.path.empty()) {
        const auto name = key.path.substr(key.path.rfind('/') + 1);
        const auto name_of = [&](index s) { return core.states[s].node->name(); };
        for (auto s = std::ranges::lower_bound(core.by_name, name, {}, name_of); s != core.by_name.end() && name_of(*s) == name; ++s)
            if (const auto found = match_path(*core.states[*s].node, key.path); found != match::none) visit(*s, found);
    }
}

} // namespace

chart_core::found_state chart_core::find(const state_key& key) const {
    if (key.node) return {index_of(*key.node), false};
    found_state best;
    auto how = match::none;
    each_named(*this, key, [&](index s, match found) {
        if (found == how) best.ambiguous = true;
        if (found > how) best = {s, false};
        how = std::max(how, found);
    });
    return best;
}

std::vector<index> chart_core::named_by(const state_key& key) const {
    std::vector<index> all;
    each_named(*this, key, [&](index s, match) { all.push_back(s); });
    return all;
}

void add_user(const chart_core* core) noexcept {
    if (core) atomic_view(core->owner->users).fetch_add<order::relaxed>(1);
}

void remove_user(const chart_core* core) noexcept {
    if (core && atomic_view(core->owner->users).fetch_sub<order::acquire_release>(1) == 1) delete core->owner;
}

} // namespace hsm::detail
