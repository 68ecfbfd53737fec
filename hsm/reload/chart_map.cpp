#include <hsm/reload/detail/chart_map.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/reload/reload_error.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

namespace {

constexpr auto none = saved_names::unknown;

/// The number of the edit; nothing if there is none.
const std::size_t* find_edit(const chart_map::edits& all, std::size_t part) {
    const auto found = all.find(part);
    return found == all.end() ? nullptr : &found->second;
}

mapped_part edited(std::size_t to) { return {to, to == none ? reload_rule::dropped : reload_rule::edited}; }
mapped_part found_by_name(std::size_t to, bool is_same) {
    return to == none ? mapped_part() : mapped_part{to, is_same ? reload_rule::same_name : reload_rule::renamed};
}

/// Returns a name that does not exist in the new chart.
template <class Exists> std::string missing_name(std::string name, Exists exists) {
    do name += chart_map::missing;
    while (exists(name));
    return name;
}

/// The only state of the chart with this class or enumerator; no_index if there is none, or several.
index with_identity(const chart_core& core, const state_base& like) {
    auto found = no_index;
    for (index s = 0; s < row_count(core.states); ++s) {
        const auto& node = *core.states[s].node;
        const bool is_same = (like.class_tag() && same_tag(like.class_tag(), node.class_tag())) || (like.id() && like.id() == node.id());
        if (is_same && found != no_index) return no_index;
        if (is_same) found = s;
    }
    return found;
}

/// The substate with that name; no_index if there is none.
index substate(const chart_core& core, index outer, std::string_view name, bool former) {
    for (const auto& inner : core.states[outer].node->substates()) {
        const auto& names = inner->former_names();
        if (former ? std::ranges::find(names, name) != names.end() : inner->name() == name) return static_cast<index>(inner->number());
    }
    return no_index;
}

} // namespace

chart_map::chart_map(const chart_base& old_chart, const chart_base& new_chart)
    : from(old_chart), to(new_chart), old_layout(before()), new_layout(after()) {
    old_layout.refer_to_objects();
    new_layout.refer_to_objects();
}

void chart_map::add(owned<reload_converter> converter) {
    is_stale_ = true;
    converters.push_back(std::move(converter));
}

void chart_map::find_all() {
    if (!is_stale_) return;
    auto paths = old_names().states, event_names = old_names().events, condition_names = old_names().conditions, local_names = old_names().locals;
    find_states(paths);
    find_events(event_names);
    find_conditions(condition_names);
    find_locals(local_names);
    names = std::make_unique<saved_names>(old_names(), std::move(paths), std::move(event_names), std::move(condition_names), std::move(local_names));
    is_stale_ = false;
}

log_plan chart_map::plan_in_log() const {
    std::vector<std::uint64_t> numbers{converters.size(), runs_hooks};
    for (const auto* const parts : {&states, &events, &conditions, &locals})
        for (const auto& each : *parts) numbers.push_back(std::uint64_t(each.to) << 8 | static_cast<std::uint64_t>(each.rule));
    return {from.fingerprint(), to.fingerprint(), checksum_of_bytes({}, std::as_bytes(std::span(numbers)))};
}

bool chart_map::is_identity() const {
    const auto keep_places = [](const std::vector<mapped_part>& parts) {
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (parts[i].to != i || parts[i].rule != reload_rule::same_name) return false;
        return true;
    };
    return from.layout() == to.layout() && keep_places(states) && keep_places(events) && keep_places(conditions) && keep_places(locals);
}

void chart_map::edit(std::string_view part, const std::string_view* wanted) {
    const auto refuse = [](const chart_core& core, std::string_view name, std::vector<std::string> known) {
        throw reload_error({code::reload_unknown_part, core.root->path(), fmt::format("the chart has no state, event or condition \"{}\"", name),
                            suggestion(name, {known.begin(), known.end()})});
    };
    const auto add = [&](edits& all, std::size_t number, const std::vector<std::string>& known, const auto& find) {
        const auto target = wanted ? find(*wanted) : none;
        if (wanted && target == none) refuse(after(), *wanted, known);
        all[number] = target;
        is_stale_ = true;
    };
    const auto state = [](const saved_names& in, std::string_view name) {
        const auto found = in.find_state(name);
        return found.is_all ? std::size_t(found.state) : none;
    };
    if (const auto s = state(old_names(), part); s != none)
        return add(state_edits, s, new_names().states, [&](std::string_view name) { return state(new_names(), name); });
    const auto condition = [](const saved_names& in, std::string_view name) {
        const auto found = in.find_condition(name);
        return found == 0 ? none : found; // bit 0 is derived from the active states
    };
    if (const auto c = condition(old_names(), part); c != none)
        return add(condition_edits, c, new_names().conditions, [&](std::string_view name) { return condition(new_names(), name); });
    if (const auto e = old_names().find_event(part); e != none)
        return add(event_edits, e, new_names().events, [&](std::string_view name) { return new_names().find_event(name); });
    refuse(before(), part, old_names().states);
}

const reload_converter* chart_map::converter_of(const local_type& type, const local_type& wanted) const {
    for (const auto& each : converters)
        if (each->old_local && each->new_local && same_type(*each->old_local, type) && same_type(*each->new_local, wanted))
            return same_type(type, wanted) ? nullptr : each.get();
    return nullptr;
}

const reload_converter* chart_map::converter_of(const event_type& type, const event_type& wanted) const {
    for (const auto& each : converters)
        if (each->old_event && each->new_event && same_type(*each->old_event, type) && same_type(*each->new_event, wanted))
            return same_type(type, wanted) ? nullptr : each.get();
    return nullptr;
}

mapped_part chart_map::find_state(index s) const {
    const auto& row = before().states[s];
    const mapped_part outer = row.superstate == no_index ? mapped_part() : states[row.superstate];
    if (const auto* const to_state = find_edit(state_edits, s); to_state && *to_state != none)
        return edited(*to_state);
    else if (to_state)
        return {s == 0 ? 0 : outer.to, reload_rule::dropped};
    if (s == 0) return {0, before().root->name() == after().root->name() ? reload_rule::same_name : reload_rule::renamed};
    if (outer.is_exact())
        for (const bool former : {false, true})
            if (const auto found = substate(after(), static_cast<index>(outer.to), row.node->name(), former); found != no_index)
                return {found, former && outer.rule == reload_rule::same_name ? reload_rule::renamed : outer.rule};
    if (outer.rule != reload_rule::dropped && with_identity(before(), *row.node) == s)
        if (const auto found = with_identity(after(), *row.node); found != no_index) return {found, reload_rule::same_id};
    return {outer.to, outer.rule == reload_rule::dropped ? reload_rule::dropped : reload_rule::replaced};
}

void chart_map::find_states(std::vector<std::string>& paths) {
    states.clear();
    const auto exists = [&](const std::string& path) { return new_names().find_state(path).is_all; };
    for (index s = 0; s < row_count(before().states); ++s) {
        states.push_back(find_state(s));
        const auto& part = states.back();
        const auto& row = before().states[s];
        if (part.is_exact() || s == 0)
            paths[s] = new_names().states[part.to];
        else // names of replaced states begin with the path of the state that replaces them
            paths[s] = missing_name((states[row.superstate].is_exact() ? new_names().states[part.to] : paths[row.superstate]) + '/' +
                                        std::string(row.node->name()),
                                    exists);
    }
}

void chart_map::find_events(std::vector<std::string>& found) {
    events.clear();
    for (std::size_t e = 0; e < found.size(); ++e) {
        const auto& type = *before().events[e].type;
        const auto number = new_names().find_event(found[e]);
        auto part = found_by_name(number, number != none && new_names().events[number] == found[e]);
        const auto& wanted = after().events;
        const auto becomes = [&](std::size_t n) { return same_type(*wanted[n].type, type) || (wanted[n].type->is_name && type.is_name); };
        for (std::size_t n = wanted.size(); n-- > 0 && !(part.is_exact() && becomes(part.to));)
            if (converter_of(type, *wanted[n].type)) part = {n, reload_rule::edited};
        if (const auto* const to_event = find_edit(event_edits, e)) part = edited(*to_event);
        const bool fits = part.is_exact() && (becomes(part.to) || converter_of(type, *wanted[part.to].type));
        if (!fits) part = {};
        found[e] = fits ? new_names().events[part.to]
                        : missing_name(found[e], [&](const std::string& name) { return new_names().find_event(name) != none; });
        events.push_back(part);
    }
}

void chart_map::find_conditions(std::vector<std::string>& found) {
    conditions.clear();
    for (std::size_t c = 0; c < found.size(); ++c) {
        const auto number = new_names().find_condition(found[c]);
        auto part = found_by_name(number, number != none && new_names().conditions[number] == found[c]);
        if (const auto* const to_condition = find_edit(condition_edits, c)) part = edited(*to_condition);
        found[c] = part.is_exact() ? new_names().conditions[part.to]
                                   : missing_name(found[c], [&](const std::string& name) { return new_names().find_condition(name) != none; });
        conditions.push_back(part);
    }
}

void chart_map::find_locals(std::vector<std::string>& found) {
    locals.assign(before().locals.size(), {});
    std::vector<bool> is_taken(after().locals.size());
    const auto find = [&](const auto& may_become, reload_rule rule) {
        for (index s = 0; s < row_count(before().states); ++s) {
            const auto &span = before().states[s].locals, &inner = after().states[states[s].to].locals;
            for (auto l = span.first; states[s].is_exact() && l < span.first + span.count; ++l)
                for (auto n = inner.first; !locals[l].is_exact() && n < inner.first + inner.count; ++n)
                    if (!is_taken[n] && may_become(before().locals[l].prototype->type(), after().locals[n].prototype->type()))
                        locals[l] = {n, rule}, is_taken[n] = true;
        }
    };
    find([](const local_type& type, const local_type& wanted) { return same_type(type, wanted); }, reload_rule::same_name);
    find([&](const local_type& type, const local_type& wanted) { return converter_of(type, wanted) != nullptr; }, reload_rule::edited);
    for (std::size_t l = 0; l < found.size(); ++l) found[l] = locals[l].is_exact() ? new_names().locals[locals[l].to] : found[l] + missing;
}

} // namespace hsm::detail
