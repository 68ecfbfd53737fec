#include <hsm/draw/detail/labels.hpp>

#include <hsm/define/detail/choosing_names.hpp>
#include <hsm/define/detail/transition_options.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <array>

namespace hsm::detail {

namespace {

void append(std::string& to, std::string_view between, std::string_view text) {
    if (text.empty()) return;
    if (!to.empty()) to += between;
    to += text;
}

/// Returns whether the order among the choices of its source matters.
bool is_choice(const transition_view& t) {
    return t.role() == transition_role::dispatch || (t.role() == transition_role::ordinary && t.source().kind() == state_kind::choice);
}

/// Returns the type without namespaces.
std::string_view short_type(std::string_view type) {
    const auto last = type.find('<') == std::string_view::npos ? type.rfind("::") : std::string_view::npos;
    return last == std::string_view::npos ? type : type.substr(last + 2);
}

bool is_guarded(const transition_view& t) { return !t.conditions().empty() || !t.guards().empty() || !t.excluded().empty(); }

std::string time_of(const timer_view& t) {
    if (const auto time = t.fixed()) return short_time(*time);
    return t.label().empty() ? "a computed time" : std::string(t.label());
}

} // namespace

std::string short_time(time_span time) {
    struct unit {
        double ns;
        const char* name;
    };
    static constexpr std::array<unit, 4> units{{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}}};
    const auto ns = static_cast<double>(time.nanoseconds());
    const auto fits = std::ranges::find_if(units, [ns](const unit& u) { return ns >= u.ns; });
    const auto& u = fits == units.end() ? units.back() : *fits;
    return fmt::format("{:.4g} {}", ns / u.ns, u.name);
}

std::string label::text() const {
    std::string all = trigger;
    if (!guard.empty()) append(all, " ", "[" + guard + "]");
    if (!action.empty()) append(all, " ", "/ " + action);
    if (!more.empty()) append(all, " ", "{" + more + "}");
    append(all, " ", where);
    append(all, " ", note);
    return all;
}

label_writer::label_writer(const chart_view& chart, const draw::options& how) : how_(how) {
    rows_.resize(chart.transitions().size());
    for (const auto t : chart.transitions()) rows_[t.same_as().number()].push_back(t.number());
    // Use the short name if it belongs to one event only.
    std::map<std::string_view, int> bearers;
    for (const auto e : chart.events()) ++bearers[e.name()];
    for (const auto e : chart.events()) event_names_.push_back(bearers[e.name()] == 1 ? std::string(e.name()) : e.text());
    places_.resize(chart.transitions().size());
    for (const auto s : chart.states()) {
        std::vector<std::uint32_t> choices;
        for (const auto t : s.transitions())
            if (is_choice(t)) choices.push_back(t.number());
        for (std::size_t i = 0; choices.size() > 1 && i < choices.size(); ++i) places_[choices[i]] = static_cast<std::uint32_t>(i + 1);
    }
}

std::string label_writer::located(std::string_view text, const file_position& where) const {
    return how_.show.locations && !where.file.empty() ? fmt::format("{} ({})", text, where.short_text()) : std::string(text);
}

/// The text of a hook without a label contains its position already.
template <class Hook> std::string label_writer::hook_text(const Hook& h) const { return h.label().empty() ? h.text() : located(h.text(), h.where()); }

std::string label_writer::events(const transition_view& t) const {
    std::string text;
    for (const auto row : rows_[t.same_as().number()]) append(text, ", ", event_names_[t.chart().transition(row).event().number()]);
    return text;
}

std::string label_writer::trigger(const transition_view& t) const {
    const auto timed = how_.show.timers && t.timer() ? fmt::format("{} {}", option_of(t.timer()), time_of(t.timer())) : std::string();
    switch (t.trigger()) {
    case trigger_kind::event: {
        auto text = events(t);
        append(text, ", ", timed);
        return text;
    }
    case trigger_kind::completion: return "finished";
    case trigger_kind::after: return how_.show.timers ? timed : "after a time";
    case trigger_kind::every: return how_.show.timers ? timed : "again and again";
    case trigger_kind::always: return "always";
    case trigger_kind::entry:
    case trigger_kind::poll: break;
    }
    if (!timed.empty()) return timed;
    if (const auto place = places_[t.number()]; place && how_.show.priorities) return fmt::format("{}.", place);
    return t.trigger() == trigger_kind::entry || is_choice(t) || is_guarded(t) ? "" : "each tick";
}

std::string label_writer::guard(const transition_view& t) const {
    if (!how_.show.guards) return {};
    const auto parts = t.conditions().size() + t.guards().size() + t.excluded().size();
    std::string text;
    for (const auto g : t.conditions()) append(text, " && ", g.is_any() && g.size() > 1 && parts > 1 ? "(" + g.text() + ")" : g.text());
    for (const auto g : t.guards())
        if (!g.is_hidden()) append(text, " && ", hook_text(g));
    for (const auto s : t.excluded()) append(text, " && ", fmt::format("not in {}", s.distinct_name()));
    return text.empty() && places_[t.number()] && !is_guarded(t) ? "else" : text;
}

std::string label_writer::action(const transition_view& t) const {
    std::string text;
    if (how_.show.actions)
        for (const auto a : t.actions()) append(text, ", ", hook_text(a));
    return text;
}

std::string label_writer::more(const transition_view& t) const {
    if (!how_.show.priorities) return {};
    std::string text;
    const bool is_last = t.priority() == INT32_MIN; // the `otherwise` of a choice
    if (t.priority() != 0 && !is_last) append(text, ", ", fmt::format("{} {}", t.is_candidate() ? "rank" : "priority", t.priority()));
    if (t.score())
        append(text, ", ", t.score().label().empty() ? "score" : fmt::format("score {}", t.score().label()));
    else if (t.is_candidate() && t.weight() != 1)
        append(text, ", ", fmt::format("weight {}", t.weight()));
    for (const auto& option : transition_options) {
        if (!option.flag || !(option.view & options_of(t))) continue;
        std::string words(option.name);
        std::ranges::replace(words, '_', ' ');
        append(text, ", ", words);
    }
    if (how_.show.timers && !t.label().empty()) append(text, ", ", fmt::format("label {}", t.label()));
    return text;
}

label label_writer::of(const transition_view& t) const {
    label l{trigger(t), guard(t), action(t), more(t), {}, {}};
    if (how_.show.locations) l.where = t.where().short_text();
    return l;
}

std::string label_writer::reaction(const transition_view& t) const {
    auto l = of(t);
    if (t.defers()) l.action = "defer";
    return l.text();
}

void label_writer::add_hooks(const state_view& s, std::vector<std::string>& to) const {
    std::string words; // hooks without labels
    std::vector<std::string> labelled;
    for (std::size_t k = 0; k < hook_kinds; ++k) {
        const auto kind = static_cast<hook_kind>(k);
        const auto hooks = s.hooks(kind);
        std::string labels;
        std::size_t silent = 0;
        for (const auto h : hooks) {
            if (h.is_hidden()) continue;
            if (h.label().empty() && !how_.show.locations)
                ++silent;
            else
                append(labels, ", ", hook_text(h));
        }
        if (!labels.empty()) labelled.push_back(fmt::format("{} / {}", to_string(kind), labels));
        if (silent > 0) append(words, ", ", silent == 1 ? std::string(to_string(kind)) : fmt::format("{} {}", silent, to_string(kind)));
    }
    to.insert(to.end(), labelled.begin(), labelled.end());
    if (!words.empty()) to.push_back(words);
}

void label_writer::add_holds(const state_view& s, std::vector<std::string>& to) const {
    if (how_.show.timers && s.least_duration()) {
        to.push_back(fmt::format("at least {}", time_of(s.least_duration())));
    }
    if (s.holds_until_released()) to.emplace_back("holds until released");
    if (!how_.show.guards) return;
    for (const auto g : s.hold_predicates()) to.push_back(fmt::format("holds until {}", hook_text(g)));
    for (const auto g : s.predicates())
        to.push_back(g.label().empty() && !how_.show.locations ? "finishes on its own" : fmt::format("finishes when {}", hook_text(g)));
}

std::vector<std::string> label_writer::lines(const state_view& s) const {
    std::vector<std::string> all;
    if (how_.show.locations && !s.where().file.empty()) all.push_back(s.where().short_text());
    if (s.is_transient() && s.kind() != state_kind::choice) all.emplace_back("transient");
    if (!s.tags().empty()) all.push_back(fmt::format("tags {}", joined(s.tags(), ", ")));
    if (how_.show.locals)
        for (const auto& local : s.locals()) all.push_back(fmt::format("local {}", short_type(local)));
    if (how_.show.hooks) add_hooks(s, all);
    add_holds(s, all);
    for (const auto t : s.transitions())
        if (t.is_internal() && t.same_as() == t && t.role() == transition_role::ordinary && !t.is_hidden()) all.push_back(reaction(t));
    return all;
}

} // namespace hsm::detail
