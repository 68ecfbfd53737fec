#include <hsm/define/detail/mistakes.hpp>

#include <hsm/define/detail/shown.hpp>
#include <hsm/define/detail/transition_options.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace hsm::detail {

namespace {

void check_name(const state_base& s, mistake_listener& to) {
    if (s.name().empty())
        to.report({code::bad_name, &s, "the state has no name", "give each state a unique name"});
    else if (s.name().find('/') != std::string_view::npos)
        to.report({code::bad_name, &s, fmt::format("the name \"{}\" contains '/', which separates names in a path", shown(s.name())),
                   "use another character"});
}

/// In files, tags are separated by blanks.
void check_tags(const state_base& s, mistake_listener& to) {
    for (const auto& tag : s.tags())
        if (tag.empty() || tag.find_first_of(" \t\r\n") != std::string::npos)
            to.report({code::bad_name, &s, fmt::format("the tag \"{}\" is empty or contains a blank", shown(tag)), "use one word"});
}

/// Calls `visit` with the last of each group of equal elements in a sorted list.
template <class List, class Same, class Visit> void each_repeated(const List& list, const Same& same, const Visit& visit) {
    for (auto it = list.begin(); it != list.end();) {
        const auto end = std::find_if(it, list.end(), [&](const auto& other) { return !same(*it, other); });
        if (end - it > 1) visit(*(end - 1));
        it = end;
    }
}

void check_names_of_substates(const state_base& s, mistake_listener& to) {
    std::vector<std::pair<std::string_view, std::size_t>> names; // with their indices
    names.reserve(s.substates().size());
    for (const auto& sub : s.substates()) names.emplace_back(sub->name(), names.size());
    std::ranges::sort(names);
    each_repeated(
        names, [](const auto& a, const auto& b) { return a.first == b.first; },
        [&](const auto& last) {
            to.report({code::duplicate_name, &s, to.full() ? "" : fmt::format("more than one substate is named \"{}\"", shown(last.first)),
                       "rename one of them, for instance with .named(...)", s.substates()[last.second].get()});
        });
}

void check_substates(const state_base& s, mistake_listener& to) {
    const auto is_history = [](const auto& sub) { return sub->kind() == state_kind::history; };
    if (s.kind() == state_kind::machine && std::ranges::all_of(s.substates(), is_history))
        to.report({code::no_substates, &s, "the machine has no substates", "add a substate, or use a plain state instead"});
    if (s.kind() == state_kind::parallel && std::ranges::all_of(s.substates(), is_history))
        to.report({code::no_substates, &s, "the parallel has no regions", "add regions, or use a plain state instead"});
    for (const auto& sub : s.substates())
        if (s.kind() == state_kind::parallel && (sub->kind() == state_kind::final || sub->kind() == state_kind::choice))
            to.report({code::bad_region, sub.get(), "a region of a parallel cannot be a final state or a choice",
                       "put it into a machine, and make the machine the region", sub.get()});
    for (const auto& sub : s.substates())
        if (s.kind() == state_kind::parallel && sub->kind() == state_kind::history && sub->history_kind() == history_depth::previous)
            to.report({code::bad_region, sub.get(), "a parallel has no previous substate: all its regions are active together",
                       "put the state `previous` into a machine", sub.get()});
    check_names_of_substates(s, to);
    if (s.initials().size() > 1)
        to.report({code::second_initial, &s, fmt::format("initial is set {} times", s.initials().size()),
                   "keep one; to choose between several states, write dispatch(...).when(...)", &s, s.initials().back()->origin});
}

void check_final(const state_base& s, mistake_listener& to) {
    if (s.kind() != state_kind::final) return;
    if (!s.transitions().empty())
        to.report({code::leaves_final, &s, "a final state cannot have transitions or reactions",
                   "to leave its machine, give the machine a transition with .on_finished()", &s, s.transitions().front()->origin});
    const auto& updates = s.hooks(hook_kind::update);
    if (!updates.empty() || !s.predicates().empty())
        to.report({code::updates_final, &s, "a final state cannot have an update hook or a local with finished()",
                   "use the enter hook, or an ordinary state", &s, updates.empty() ? origin() : updates.front().where()});
}

/// Checks hooks that only some states can have.
void check_special_hooks(const state_base& s, mistake_listener& to) {
    const auto& settled = s.hooks(hook_kind::settled);
    if (s.superstate() && !settled.empty())
        to.report(
            {code::contradiction, &s, "the machine has on_settled, but is not the root", "move the hook to the root", &s, settled.front().where()});
    const auto& leave = s.hooks(hook_kind::leave);
    if (!leave.empty() && !s.holds())
        to.report({code::contradiction, &s, "the state has on_leave_requested, but never holds", "add hold(), hold_until() or min_duration()", &s,
                   leave.front().where()});
    const auto& data = s.hooks(hook_kind::done_data);
    if (s.kind() != state_kind::final && !data.empty())
        to.report({code::contradiction, &s, "the state has done_data, but is not final", "move it to a final state of the machine", &s,
                   data.front().where()});
}

void check_locals(const state_base& s, mistake_listener& to) {
    std::vector<const local_type*> types;
    for (const auto& local : s.locals()) types.push_back(&local.type());
    std::ranges::sort(types, std::less<>(), [](const auto* type) { return std::pair(type->name, type); });
    each_repeated(
        types, [](const auto* a, const auto* b) { return same_type(*a, *b); },
        [&](const local_type* type) {
            to.report({code::duplicate_local, &s, fmt::format("the state has two locals of type \"{}\"", type->name),
                       "hooks find a local by its type: keep one, or derive a separate type"});
        });
}

bool has_score(const transition_spec& t) { return t.score || t.has_weight || t.cooldown != 0; }

/// Checks that a choice has an unconditional branch, because it must always be left immediately.
void check_choice(const state_base& s, mistake_listener& to) {
    const auto decides = [&](const auto& t) {
        const bool may_be_zero = !t->is_last() && s.chooses().how != choosing::first && (t->score || t->weight <= 0 || t->cooldown != 0);
        return !t->is_guarded() && !t->asks_states() && !may_be_zero;
    };
    if (s.kind() == state_kind::choice && std::ranges::none_of(s.transitions(), decides))
        to.report({code::undecided_choice, &s, "each branch of the choice has a guard, and all guards can be false",
                   "add a default branch with otherwise(...)"});
}

void check_time(const delay& d, std::int64_t least, const state_base& s, std::string_view word, mistake_listener& to) {
    if (!d || d.find() || d.nanoseconds() >= least) return;
    to.report({code::bad_time, &s, fmt::format("the time of {} is {} ns", word, d.nanoseconds()),
               least > 0 ? "pass a positive time" : "pass zero or a positive time", &s, d.where()});
}

bool is_weight(double w) { return w >= 0 && w <= std::numeric_limits<double>::max(); }

/// Checks the scores of the candidates of a machine or a choice.
void check_scores(const state_base& s, mistake_listener& to) {
    const bool by_score = s.chooses().how != choosing::first;
    const auto& list = s.kind() == state_kind::choice ? s.transitions() : s.choices();
    const auto report = [&](std::string what, const char* hint, origin at) { to.report({code::bad_score, &s, std::move(what), hint, &s, at}); };
    if (by_score && list.empty())
        report("the machine chooses one of its candidates, but has none", "add candidates with dispatch(...), or remove choose(...)", {});
    if (!by_score && s.chooses().again)
        report("the machine chooses again (rechoose), but the first candidate is always chosen", "call choose(hsm::best) or choose(hsm::weighted)",
               {});
    if (!is_weight(s.chooses().stay_bonus) || (s.chooses().stay_bonus > 0 && !s.chooses().again))
        report(fmt::format("the stay_bonus {} has no effect or is invalid", s.chooses().stay_bonus),
               "call rechoose(), and pass zero or a positive number", s.chooses().where);
    check_time(s.chooses().every, 1, s, "rechoose_every", to);
    for (const auto& t : list) {
        if (t->cooldown < 0) report("a cooldown is negative", "pass zero or a positive time", {});
        const auto at = t->score ? t->score->where() : t->weight_at;
        if (has_score(*t) && !by_score)
            report("a candidate has a score, but the first candidate is always chosen", "call choose(hsm::best) or choose(hsm::weighted)", at);
        if (t->score && t->has_weight) report("a candidate has a score and a weight", "remove one of them", at);
        if (!is_weight(t->weight))
            report(fmt::format("the weight {} is neither zero nor a positive number", t->weight), "pass zero or a positive number", at);
    }
}

/// Returns two options of a transition that exclude each other; empty if there are none.
std::string contradiction_in(const transition_spec& t) {
    for (const auto& option : transition_options) {
        if (!option.is_set(t)) continue;
        if (t.event && option.excludes & part_sets::event) return fmt::format("{}() and the event \"{}\"", option.name, shown(t.event.name));
        for (const auto& other : transition_options)
            if (option.excludes & other.part && other.is_set(t)) return fmt::format("{}() and {}()", option.name, other.name);
        if (t.on_finished && option.excludes & part_sets::finished) return fmt::format("{}() and on_finished()", option.name);
    }
    return {};
}

} // namespace

void find_mistakes(const state_base& s, mistake_listener& to) {
    check_name(s, to);
    check_tags(s, to);
    check_substates(s, to);
    check_final(s, to);
    check_special_hooks(s, to);
    check_locals(s, to);
    check_choice(s, to);
    check_scores(s, to);
    check_time(s.holds().least, 0, s, "min_duration", to);
}

void find_mistakes(const transition_spec& t, mistake_listener& to) {
    const auto& source = *t.source;
    if (!t.has_target && !t.event && t.actions.empty())
        to.report({code::no_effect, &source, "a polled reaction has no action", "add .then(...), or a target with to(...)"});
    if (!t.has_target && t.on_finished)
        to.report({code::finished_reaction, &source, "a reaction waits for its own state to be finished",
                   "name a target with to(...), then call on_finished()"});
    for (const auto& i : t.event.values)
        if (i.last < i.first)
            to.report({code::empty_range, &source, fmt::format("a transition waits for the events {}, an empty range", shown(t.event.name)),
                       "write the lowest value first, then the highest; a range includes both"});
    if (t.event && t.on_finished)
        to.report({code::event_and_finished, &source,
                   fmt::format("a transition waits for the event \"{}\" and for the source to be finished", shown(t.event.name)),
                   "write two transitions"});
    if (const auto words = contradiction_in(t); !words.empty())
        to.report({code::contradiction, &source, fmt::format("a transition has {}", words), "write two transitions, or remove one of these options"});
    for (const auto& option : transition_options)
        if (option.time) check_time(t.*option.time, option.least, source, option.name, to);
}

void find_outside(const transition_spec& t, bool dispatches, const state_base& target, mistake_listener& to) {
    const auto& source = *t.source;
    const bool of_history = source.kind() == state_kind::history;
    to.report({dispatches ? code::dispatch_outside : code::initial_outside, &source,
               fmt::format("{} names \"{}\", which is not below \"{}\"",
                           dispatches   ? "dispatch"
                           : of_history ? "otherwise"
                                        : "initial",
                           shown_path(target), shown_path(of_history ? *source.superstate() : source)),
               "name a substate of this machine, at any depth"});
}

void given_indices::add(const condition_spec& c, mistake_listener& to) {
    const auto number = static_cast<std::uint32_t>(c.index);
    auto& name = names[number];
    if (c.name.empty()) return;
    const auto where = c.origin ? c.origin : c.owner->origin();
    const auto [known, is_new] = numbers.try_emplace(c.name, number);
    if (!is_new && known->second != number)
        to.report({code::condition_twice, c.owner,
                   fmt::format("the condition \"{}\" has the indices {} and {}", shown(c.name), known->second, number),
                   "use the same index wherever the condition is declared", c.owner, where});
    if (!name.empty() && name != c.name)
        to.report({code::index_twice, c.owner, fmt::format("the index {} belongs to \"{}\" and to \"{}\"", number, shown(name), shown(c.name)),
                   "use another index for one of them, or declare it without an index: hsm then chooses one", c.owner, where});
    if (name.empty()) name = c.name;
}

} // namespace hsm::detail
