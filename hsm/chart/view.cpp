#include <hsm/chart/view.hpp>

#include <hsm/chart/detail/chart_text.hpp>
#include <hsm/define/detail/hook_kinds.hpp>
#include <hsm/define/detail/transition_options.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <iterator>

namespace hsm {

using namespace detail;

chart_view chart_base::view() const { return core_ ? chart_view(facts_of(*core_)) : chart_view(); }

std::string_view event_view::name() const { return facts_->events[number_].name; }
std::string_view event_view::type_name() const { return facts_->events[number_].type; }
bool event_view::is_name() const { return facts_->events[number_].is_name; }
std::int64_t event_view::value() const { return facts_->events[number_].value; }
std::span<const event_interval> event_view::values() const { return facts_->events[number_].values; }
std::span<const std::string> event_view::former_names() const { return facts_->events[number_].former; }
std::string event_view::text() const { return event_text(name(), type_name(), is_name()); }

std::string_view condition_view::name() const { return facts_->conditions[number_].name; }
state_view condition_view::owner() const { return {facts_, facts_->conditions[number_].state}; }
file_position condition_view::where() const { return facts_->conditions[number_].where; }
std::span<const std::string> condition_view::former_names() const { return facts_->conditions[number_].former; }
bool condition_view::is_trigger() const { return facts_->conditions[number_].trigger; }
std::string condition_view::text() const {
    return number_ == 0 ? "is finished" : name().empty() ? fmt::format("bit {}", number_) : std::string(name());
}

namespace {

std::string whose(const state_view& s, const transition_view& t) {
    if (!t) return std::string(s.distinct_name());
    std::string text(s.distinct_name());
    for (const auto target : t.targets())
        text += fmt::format("{}{}", text.size() == s.distinct_name().size() ? " -> " : ", ", target.distinct_name());
    return text;
}

/// Returns its label, or else its own place, or else its owner.
std::string text_of(const hook_facts& h, std::string_view what, const state_view& s, const transition_view& t) {
    if (!h.label.empty()) return h.label;
    if (!h.where.file.empty()) return h.where.short_text();
    return fmt::format("{} {} of {}", what, h.place + 1, whose(s, t));
}

std::string time_text(const timer_view& t) {
    if (!t) return {};
    if (const auto time = t.fixed()) return fmt::format(" {} {}", option_of(t), to_string(*time));
    return fmt::format(" {} {}", option_of(t), t.label().empty() ? "a computed time" : t.label());
}

std::string trigger_text(const transition_view& t) {
    switch (t.trigger()) {
    case trigger_kind::event: return " on " + t.event().text() + time_text(t.timer());
    case trigger_kind::completion: return " when finished";
    case trigger_kind::always: return " always";
    default: return time_text(t.timer());
    }
}

/// Returns the guards in brackets; alternatives are in parentheses if there are other parts.
std::string guard_text(const transition_view& t) {
    const auto parts = t.conditions().size() + t.guards().size();
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " && ") + part; };
    for (const auto g : t.conditions()) add(g.is_any() && g.size() > 1 && parts > 1 ? "(" + g.text() + ")" : g.text());
    for (const auto g : t.guards())
        if (!g.is_hidden()) add(g.text());
    return text.empty() ? text : " [" + text + "]";
}

std::string state_list_text(std::string_view word, const view_list<state_view>& states) {
    std::string text;
    for (const auto s : states) text += fmt::format("{}{}", text.empty() ? word : ", ", s.distinct_name());
    return text;
}

} // namespace

std::string_view guard_view::label() const { return facts_->guards[number_].label; }
file_position guard_view::where() const { return facts_->guards[number_].where; }
state_view guard_view::state() const { return {facts_, facts_->guards[number_].state}; }
transition_view guard_view::transition() const { return {facts_, facts_->guards[number_].transition}; }
std::string guard_view::text() const { return text_of(facts_->guards[number_], "guard", state(), transition()); }

bool guard_view::is_hidden() const { return facts_->guards[number_].hidden; }

std::string_view hook_view::label() const { return facts_->hooks[number_].label; }
file_position hook_view::where() const { return facts_->hooks[number_].where; }
state_view hook_view::state() const { return {facts_, facts_->hooks[number_].state}; }
transition_view hook_view::transition() const { return {facts_, facts_->hooks[number_].transition}; }
hook_kind hook_view::kind() const { return facts_->hooks[number_].kind; }
bool hook_view::is_hidden() const { return facts_->hooks[number_].hidden; }
std::string hook_view::text() const { return text_of(facts_->hooks[number_], transition() ? "action" : to_string(kind()), state(), transition()); }

state_view timer_view::state() const { return {facts_, facts_->timers[number_].state}; }
bool timer_view::is_periodic() const { return facts_->timers[number_].periodic; }
std::optional<time_span> timer_view::fixed() const {
    const auto time = facts_->timers[number_].fixed;
    return time < 0 ? std::nullopt : std::optional(time_span::from_nanoseconds(time));
}

timer_view::operator timer_key() const {
    const auto* const spec = facts_ ? facts_->timers[number_].spec : nullptr;
    return spec ? timer_key(*spec) : timer_key(std::string_view());
}
std::string_view timer_view::label() const { return facts_->timers[number_].label; }

bool group_view::is_any() const { return facts_->groups[number_].any; }
std::size_t group_view::size() const { return facts_->groups[number_].literals.size(); }
condition_view group_view::condition(std::size_t i) const { return {facts_, facts_->groups[number_].literals[i].condition}; }
bool group_view::wanted(std::size_t i) const { return facts_->groups[number_].literals[i].wanted; }
std::string group_view::text() const {
    std::string text;
    for (std::size_t i = 0; i < size(); ++i)
        text += fmt::format("{}{}{}", i == 0 ? "" : is_any() ? " || " : " && ", wanted(i) ? "" : "!", condition(i).text());
    return text;
}

transition_role transition_view::role() const { return facts_->transitions[number_].role; }
trigger_kind transition_view::trigger() const { return facts_->transitions[number_].trigger; }
state_view transition_view::source() const { return {facts_, facts_->transitions[number_].source}; }
view_list<state_view> transition_view::targets() const { return {facts_, facts_->transitions[number_].targets}; }
state_view transition_view::level() const { return {facts_, facts_->transitions[number_].level}; }
event_view transition_view::event() const { return {facts_, facts_->transitions[number_].event}; }
timer_view transition_view::timer() const { return {facts_, facts_->transitions[number_].timer}; }
int transition_view::priority() const { return facts_->transitions[number_].priority; }
bool transition_view::is_candidate() const { return facts_->transitions[number_].candidate; }
hook_view transition_view::score() const { return {facts_, facts_->transitions[number_].score}; }
std::optional<time_span> transition_view::cooldown() const {
    const auto time = facts_->transitions[number_].cooldown;
    return time == 0 ? std::nullopt : std::optional(time_span::from_nanoseconds(time));
}
double transition_view::weight() const { return facts_->transitions[number_].weight; }
bool transition_view::is_reenter() const { return options_of(*this) & view_bits::reenter; }
bool transition_view::is_external() const { return options_of(*this) & view_bits::external; }
bool transition_view::is_forced() const { return options_of(*this) & view_bits::force; }
bool transition_view::carries_over() const { return options_of(*this) & view_bits::carry_over; }
bool transition_view::defers() const { return options_of(*this) & view_bits::defers; }
view_list<state_view> transition_view::joined() const { return {facts_, facts_->transitions[number_].joined}; }
view_list<state_view> transition_view::excluded() const { return {facts_, facts_->transitions[number_].excluded}; }
view_list<group_view> transition_view::conditions() const { return {facts_, facts_->transitions[number_].groups}; }
view_list<guard_view> transition_view::guards() const {
    const auto& t = facts_->transitions[number_];
    return t.more_guards.empty() ? view_list<guard_view>(facts_, t.guards) : view_list<guard_view>(facts_, t.more_guards);
}
view_list<hook_view> transition_view::actions() const { return {facts_, facts_->transitions[number_].actions}; }
file_position transition_view::where() const { return facts_->transitions[number_].where; }
std::string_view transition_view::label() const { return facts_->transitions[number_].label; }
transition_view transition_view::same_as() const { return {facts_, facts_->transitions[number_].same_as}; }

bool transition_view::is_hidden() const {
    const auto all = guards();
    return is_internal() && actions().empty() && !all.empty() && std::ranges::all_of(all, [](guard_view g) { return g.is_hidden(); });
}

std::string transition_view::text() const {
    std::string text(source().distinct_name());
    if (role() == transition_role::dispatch) text += " chooses";
    if (role() == transition_role::initial) text += " begins";
    text += defers() ? " -> later" : state_list_text(" -> ", targets());
    text += trigger_text(*this) + state_list_text(" in ", joined()) + state_list_text(" unless in ", excluded()) + guard_text(*this);
    std::string acts;
    for (const auto a : actions()) acts += (acts.empty() ? " / " : ", ") + a.text();
    return text + acts;
}

std::string_view state_view::name() const { return facts_->states[number_].name; }
std::string_view state_view::path() const { return facts_->states[number_].path; }
std::string_view state_view::distinct_name() const { return facts_->states[number_].distinct; }
state_kind state_view::kind() const { return facts_->states[number_].kind; }
state_view state_view::superstate() const { return {facts_, facts_->states[number_].superstate}; }
view_list<state_view> state_view::substates() const { return {facts_, facts_->states[number_].substates}; }
std::uint32_t state_view::last() const { return facts_->states[number_].last; }
std::uint32_t state_view::depth() const { return facts_->states[number_].depth; }
std::uint32_t state_view::region() const { return facts_->states[number_].region; }
bool state_view::is_region() const { return superstate() && superstate().kind() == state_kind::parallel && kind() != state_kind::history; }
history_depth state_view::history() const { return facts_->states[number_].history; }
double state_view::stay_bonus() const { return facts_->states[number_].stay_bonus; }
choosing state_view::choosing() const { return facts_->states[number_].choose; }
bool state_view::is_transient() const { return facts_->states[number_].transient; }
bool state_view::holds() const { return holds_until_released() || !hold_predicates().empty() || least_duration(); }
bool state_view::holds_until_released() const { return facts_->states[number_].until_released; }
view_list<guard_view> state_view::hold_predicates() const { return {facts_, facts_->states[number_].hold}; }
timer_view state_view::least_duration() const { return {facts_, facts_->states[number_].least}; }
view_list<guard_view> state_view::predicates() const { return {facts_, facts_->states[number_].predicates}; }
view_list<transition_view> state_view::transitions() const { return {facts_, facts_->states[number_].transitions}; }
view_list<hook_view> state_view::hooks(hook_kind kind) const { return {facts_, facts_->states[number_].hooks[static_cast<std::size_t>(kind)]}; }
std::span<const std::string> state_view::locals() const { return facts_->states[number_].locals; }
std::span<const std::string> state_view::tags() const { return facts_->states[number_].tags; }
std::span<const std::string> state_view::former_names() const { return facts_->states[number_].former; }
file_position state_view::where() const { return facts_->states[number_].where; }
state_ref state_view::ref() const { return state_ref(facts_->states[number_].node); }

state_view chart_view::find(std::string_view path) const {
    state_view found;
    for (const auto s : states()) {
        if (s.path() == path) return s;
        const bool ends = s.path().ends_with(path) && s.path().size() > path.size() && s.path()[s.path().size() - path.size() - 1] == '/';
        if (!ends || path.empty()) continue;
        if (found) return {};
        found = s;
    }
    return found;
}

std::string_view to_string(state_kind kind) {
    static constexpr std::string_view names[] = {"leaf", "machine", "parallel", "final", "choice", "history"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view to_string(hook_kind kind) { return row_of(kind).shown(); }

std::string_view to_string(trigger_kind kind) {
    static constexpr std::string_view names[] = {"event", "poll", "always", "completion", "after", "every", "entry"};
    return names[static_cast<std::size_t>(kind)];
}

} // namespace hsm
