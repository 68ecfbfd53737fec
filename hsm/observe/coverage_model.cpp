#include <hsm/observe/detail/coverage_model.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace hsm::detail {

namespace {
std::uint32_t number_or_none(const view_handle& h) { return h ? h.number() : no_fact; }
} // namespace

std::vector<std::uint32_t> rows_of_events(const chart_view& chart) {
    std::vector<std::uint32_t> rows(chart.events().size(), no_fact);
    for (const auto t : chart.transitions())
        if (t.event() && rows[t.event().number()] == no_fact) rows[t.event().number()] = t.number();
    return rows;
}

coverage_model::coverage_model(const chart_view& chart) : chart_(chart), event_rows_(rows_of_events(chart)), guard_count_(chart.guards().size()) {
    groups_.assign(chart.condition_groups().size(), no_fact);
    group_owners_.assign(groups_.size(), no_fact);
    for (const auto s : chart.states()) {
        superstates_.push_back(number_or_none(s.superstate()));
        last_.push_back(s.last());
    }
    for (const auto t : chart.transitions()) {
        first_rows_.push_back(t.same_as().number());
        levels_.push_back(number_or_none(t.level()));
        moves_.push_back(t.role() == transition_role::ordinary && !t.is_internal() && !t.defers());
        if (t.defers()) deferrals_.push_back(t.number());
        number_groups(t);
    }
}

/// Equal groups of all rows of one defined transition get the same number.
void coverage_model::number_groups(const transition_view& t) {
    const auto own = t.conditions(), first = t.same_as().conditions();
    for (std::size_t i = 0; i < own.size(); ++i) {
        auto& number = groups_[own[i].number()];
        if (number != no_fact) continue;
        number = static_cast<std::uint32_t>(guard_count_) + first[i].number();
        group_owners_[own[i].number()] = t.number();
    }
}

std::uint32_t coverage_model::deferral(std::uint32_t leaf, std::uint32_t event_row) const {
    std::uint32_t found = no_fact;
    for (const auto row : deferrals_) {
        const auto t = chart_.transition(row);
        if (event_rows_[t.event().number()] != event_row || !contains(t.source().number(), leaf)) continue;
        if (found == no_fact || chart_.transition(found).source().depth() < t.source().depth()) found = row;
    }
    return found;
}

coverage_model::keys coverage_model::state_items() const {
    keys all;
    for (const auto s : chart_.states())
        if (s.kind() != state_kind::history) all.push_back(coverage_key(s.number()));
    return all;
}

coverage_model::keys coverage_model::transition_items() const {
    keys all;
    for (std::uint32_t row = 0; row < first_rows_.size(); ++row)
        if (first_rows_[row] == row && !chart_.transition(row).is_hidden()) all.push_back(coverage_key(row));
    return all;
}

coverage_model::keys coverage_model::guard_items() const {
    keys all;
    const auto add = [&](std::uint32_t number) {
        all.push_back(coverage_key(number, 0));
        all.push_back(coverage_key(number, 1));
    };
    for (std::uint32_t g = 0; g < guard_count_; ++g)
        if (!chart_.guard(g).is_hidden()) add(g);
    for (std::uint32_t g = 0; g < groups_.size(); ++g)
        if (groups_[g] == guard_count_ + g) add(groups_[g]);
    return all;
}

namespace {
bool is_unguarded(const transition_view& t) { return t.guards().empty() && t.conditions().empty() && t.joined().empty() && t.excluded().empty(); }

bool holds_somewhere(state_view s) {
    while (s && !s.holds()) s = s.superstate();
    return static_cast<bool>(s);
}

/// Returns whether the transition always fires as soon as its source is active. One that stays inside its source is tried only once.
bool exits_immediately(const transition_view& t, trigger_kind by) {
    return t.role() == transition_role::ordinary && t.trigger() == by && is_unguarded(t) && !t.is_internal() && t.level() != t.source();
}
} // namespace

bool coverage_model::is_end(std::uint32_t leaf) const {
    const auto s = chart_.state(leaf);
    return s.kind() == state_kind::final && s.superstate() == chart_.root();
}

bool coverage_model::goes_on(std::uint32_t machine) const {
    const auto s = chart_.state(machine);
    return std::ranges::any_of(s.transitions(), [&](const auto& t) { return moves(t.number()) && t.level() == s; });
}

/// Returns false if a transition of the leaf always follows at once.
bool coverage_model::rests(std::uint32_t leaf) const {
    const auto s = chart_.state(leaf);
    if (s.kind() == state_kind::choice) return false;
    if (holds_somewhere(s)) return true;
    if (s.kind() == state_kind::final)
        return goes_on(s.superstate().number()) ||
               std::ranges::none_of(s.superstate().transitions(), [](const auto& t) { return exits_immediately(t, trigger_kind::completion); });
    return !s.is_transient() || std::ranges::none_of(s.transitions(), [](const auto& t) { return exits_immediately(t, trigger_kind::poll); });
}

bool coverage_model::waits(std::uint32_t leaf, std::uint32_t event_row) const {
    for (auto at = chart_.state(leaf); at; at = at.superstate())
        for (const auto t : at.transitions())
            if (t.event() && this->event_row(t.event()) == event_row) return true;
    return false;
}

/// Returns the event items of the innermost states.
coverage_model::keys coverage_model::event_items() const {
    keys all;
    for (const auto s : chart_.states()) {
        if (!s.substates().empty() || s.kind() == state_kind::history || is_end(s.number()) || !rests(s.number())) continue;
        std::set<std::uint32_t> events;
        for (auto at = s; at; at = at.superstate())
            for (const auto t : at.transitions())
                // records contain the actual event, never any_event
                if (t.event() && t.event().type_name() != event_type_of<any_event_type>.name) events.insert(event_row(t.event()));
        for (const auto e : events) all.push_back(coverage_key(s.number(), e));
    }
    return all;
}

coverage_model::keys coverage_model::make(coverage_kind kind) const {
    switch (kind) {
    case coverage_kind::states: return state_items();
    case coverage_kind::transitions: return transition_items();
    case coverage_kind::guards: return guard_items();
    case coverage_kind::pairs: return possible_pairs(*this);
    case coverage_kind::events: break;
    }
    return event_items();
}

const coverage_model::keys& coverage_model::items(coverage_kind kind) const {
    const auto k = static_cast<std::size_t>(kind);
    if (!made_[k]) items_[k] = make(kind);
    made_[k] = true;
    return items_[k];
}

bool coverage_model::is_item(coverage_kind kind, std::uint64_t key) const { return std::ranges::binary_search(items(kind), key); }

bool coverage_model::is_known(coverage_kind kind, std::uint64_t key) const {
    if (kind != coverage_kind::events) return is_item(kind, key);
    const auto event = second_of(key);
    const bool waited_for = event < row_count() && chart_.transition(event).event() && event_row(chart_.transition(event).event()) == event;
    return first_of(key) < state_count() && (event == record::no_number || waited_for);
}

} // namespace hsm::detail
