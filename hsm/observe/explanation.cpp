#include <hsm/observe/explanation.hpp>

#include <hsm/draw/detail/lines.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <limits>

namespace hsm {

using namespace detail;

namespace {

std::string raw_text_of(const transition_view& t) {
    std::string text(t.source().path());
    if (t.defers()) return fmt::format("{} keeps {}", text, t.event().text());
    bool first = true;
    for (const auto target : t.targets()) text += fmt::format("{}{}", std::exchange(first, false) ? " -> " : ", ", target.path());
    if (t.event()) return fmt::format("{} on {}", text, t.event().text());
    if (t.trigger() == trigger_kind::completion) return text + " when finished";
    return t.timer() ? fmt::format("{} {}", text, option_of(t.timer())) : text;
}

std::string text_of(const state_view& s) { return legible_line(s.path()); }
std::string text_of(const transition_view& t) { return legible_line(raw_text_of(t)); }

std::string text_of(std::string_view what, const guard_view& g, const view_list<guard_view>& list) {
    if (!g.label().empty()) return fmt::format("{} \"{}\"", what, legible_line(g.label()));
    const auto place = g.number() - list[0].number() + 1;
    const auto where = g.where().short_text();
    return where.empty() ? fmt::format("{} {}", what, place) : fmt::format("{} {} ({})", what, place, where);
}

std::string text_of_time(std::int64_t nanoseconds) {
    struct unit {
        std::int64_t size;
        std::string_view name;
    };
    constexpr unit units[] = {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}};
    if (nanoseconds == std::numeric_limits<std::int64_t>::max()) return "ever";
    for (const auto& u : units)
        if (nanoseconds >= u.size) return fmt::format("{} {}", static_cast<double>(nanoseconds) / static_cast<double>(u.size), u.name);
    return fmt::format("{} ns", nanoseconds);
}

/// The text of each kind. Placeholders are fields of the obstacle: {state}, {guard}, {condition}, {transition}, {event}, {time} and {error}.
constexpr struct {
    obstacle_kind kind;
    std::string_view text;
} texts[] = {
    {obstacle_kind::guard, "its {guard} returns false"},
    {obstacle_kind::guard_error, "its {guard} fails: {error}"},
    {obstacle_kind::condition, "{condition}"},
    {obstacle_kind::any_condition, "{condition}"},
    {obstacle_kind::joined, "{state} is not active"},
    {obstacle_kind::excluded, "{state} is active"},
    {obstacle_kind::not_due, "due in {time}"},
    {obstacle_kind::cools_down, "its cooldown ends in {time}"},
    {obstacle_kind::used_up, "it has already fired since {state} was entered, or its timer was canceled"},
    {obstacle_kind::not_finished, "{state} is not finished"},
    {obstacle_kind::asks_event, "its {guard} takes an event, but there is none"},
    {obstacle_kind::not_asked, "its {guard} takes a local of {state}, which is not active"},
    {obstacle_kind::inactive_source, "its source is not active"},
    {obstacle_kind::needs_event, "it waits for {event}"},
    {obstacle_kind::satisfied, "its target is already active"},
    {obstacle_kind::not_scored, "a guard or a score takes a local of {state}, which is not active"},
    {obstacle_kind::no_score, "its score is 0 or invalid"},
    {obstacle_kind::not_chosen, "{transition} is chosen"},
    {obstacle_kind::other_entry, "on entry, {transition} is chosen instead"},
    {obstacle_kind::held_until_released, "{state} holds until it is released"},
    {obstacle_kind::held_by_guard, "{state} holds until its {guard} returns true"},
    {obstacle_kind::held_for, "{state} holds for {time}"},
    {obstacle_kind::lower_priority, "{transition} is already waiting, and has priority"},
    {obstacle_kind::waits_first, "{transition} is already waiting, and comes first"},
    {obstacle_kind::barred, "{transition} comes first, and the target of that transition is already active"},
    {obstacle_kind::goes_first, "{transition} goes first"},
    {obstacle_kind::conflict, "{transition} of another region exits the same states, and goes first"},
    {obstacle_kind::deferral, "{transition} for later"},
};

std::string text_of_literal(const chart_view& chart, const obstacle& o) {
    if (o.condition == 0) return o.wanted ? "its leaf is not finished" : "its leaf is finished";
    return chart.condition(o.condition).text() + (o.wanted ? " is not set" : " is set");
}

std::string text_of_field(const chart_view& chart, const obstacle& o, std::string_view field) {
    if (field == "state") return text_of(chart.state(o.state));
    if (field == "guard")
        return o.kind == obstacle_kind::held_by_guard ? text_of("predicate", chart.guard(o.guard), chart.state(o.state).hold_predicates())
                                                      : text_of("guard", chart.guard(o.guard), chart.guard(o.guard).transition().guards());
    if (field == "condition") return text_of_literal(chart, o);
    if (field == "event") return chart.event(o.event).text();
    if (field == "error") return o.error;
    if (field == "time") return text_of_time(o.left.nanoseconds());
    return o.transition == no_number ? "a request" : text_of(chart.transition(o.transition));
}

std::string filled_in(const chart_view& chart, const obstacle& o, std::string_view text) {
    std::string out;
    for (auto open = text.find('{'); open != text.npos; open = text.find('{')) {
        const auto close = text.find('}', open);
        out += text.substr(0, open);
        out += text_of_field(chart, o, text.substr(open + 1, close - open - 1));
        text.remove_prefix(close + 1);
    }
    return out += text;
}

std::string text_of_obstacle(const chart_view& chart, const obstacle& o) {
    if (o.kind == obstacle_kind::other_entry && o.transition == no_number)
        return fmt::format("its history leads to {}", text_of(chart.state(o.state)));
    const auto way = o.choice == no_number ? std::string() : fmt::format("on entry by {}: ", text_of(chart.transition(o.choice)));
    return way + filled_in(chart, o, std::ranges::find(texts, o.kind, &std::remove_cvref_t<decltype(texts[0])>::kind)->text);
}

/// Returns whether both are conditions of one group, of which one would be sufficient.
bool goes_on(const obstacle& before, const obstacle& o) {
    return o.kind == obstacle_kind::any_condition && before.kind == o.kind && before.group == o.group;
}

std::string text_of_all(const chart_view& chart, const candidate& c) {
    std::string text;
    for (std::size_t i = 0; i < c.obstacles.size(); ++i) {
        if (i > 0) text += goes_on(c.obstacles[i - 1], c.obstacles[i]) ? " and " : "; ";
        text += text_of_obstacle(chart, c.obstacles[i]);
    }
    if (c.unasked > 0) text += fmt::format("; {} guard{} not evaluated", c.unasked, c.unasked == 1 ? "" : "s");
    return text;
}

std::string line_of(const chart_view& chart, const candidate& c) {
    const auto score = c.score > 0 ? fmt::format("; its score is {}", c.score) : std::string();
    return fmt::format("  {}: {}{}\n", text_of(chart.transition(c.transition)), c.taken() ? "taken" : text_of_all(chart, c), score);
}

std::string text_of_thing(const chart_view& chart, const waiting_item& w) {
    switch (w.kind) {
    case waiting_item::event: return "pending: " + text_of(chart.transition(w.transition_number));
    case waiting_item::request: return "pending: a request for " + text_of(chart.state(w.state));
    case waiting_item::transition: return "waits: " + text_of(chart.transition(w.transition_number));
    case waiting_item::deferred: return "deferred: " + chart.event(w.event_number).text();
    case waiting_item::completion: return "finished: " + text_of(chart.state(w.state));
    case waiting_item::rest: return "at rest: " + text_of(chart.state(w.state));
    case waiting_item::leave_request:
        return fmt::format("requested to leave: {}{}", text_of(chart.state(w.state)),
                           w.transition_number == no_number ? "" : ", by " + text_of(chart.transition(w.transition_number)));
    case waiting_item::queued: break;
    }
    return fmt::format("queued: {} event{}", w.count, w.count == 1 ? "" : "s");
}

std::string line_of(const chart_view& chart, const waiting_item& w) {
    const candidate c{w.transition_number, 0, w.obstacles};
    const auto why = text_of_all(chart, c);
    auto line = "  " + text_of_thing(chart, w);
    if (w.comes_first) line += why.empty() ? ", comes first" : ", comes first and is dropped: " + why;
    if (!w.comes_first && !why.empty()) line += ": " + why;
    return line + '\n';
}

std::string title_of(const chart_view& chart, const explanation& e) {
    if (e.subject == explanation::a_tick) return fmt::format("in a tick: {}\n", to_string(e.outcome));
    if (e.subject == explanation::a_target) return fmt::format("to {}: {}\n", text_of(chart.state(e.number)), to_string(e.outcome));
    if (e.subject == explanation::a_transition) return fmt::format("{}: {}\n", text_of(chart.transition(e.number)), to_string(e.outcome));
    if (e.number != no_number) return fmt::format("on {}: {}\n", chart.event(e.number).text(), to_string(e.outcome));
    return fmt::format("{}: no transition waits for this event{}{}\n", to_string(e.outcome), e.hint.empty() ? "" : ": ", e.hint);
}

} // namespace

std::string to_string(const explanation& e) {
    if (!e.chart) return fmt::format("{}: the variant holds no event\n", to_string(e.outcome));
    auto text = title_of(e.chart, e);
    for (const auto& w : e.waiting) text += line_of(e.chart, w);
    for (const auto& c : e.candidates)
        if (!e.chart.transition(c.transition).is_hidden()) text += line_of(e.chart, c);
    return text;
}

std::string to_string(const explanation& e, const obstacle& o) { return text_of_obstacle(e.chart, o); }

std::string to_string(const possibilities& p) {
    std::string text;
    for (const auto& each : p.all)
        text += fmt::format("{}{}: {}\n", each.perhaps ? "perhaps " : "", each.event == no_number ? "tick" : p.chart.event(each.event).text(),
                            text_of(p.chart.transition(each.transition)));
    return text;
}

} // namespace hsm
