// Compares explanations with the following steps: random definitions with random inputs.
//
//     HSM_CHARTS=20000      the number of definitions; each has 20 inputs
//     HSM_SEED=17           the first seed; with HSM_CHARTS=1 it repeats a failure
//
// Each transition gets an action that records it, and a guard that can disable it. Hooks change nothing else, so explanations of the next step stay
// valid.

#include <hsm/observe/explain.hpp>

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <tests/support/differential/build.hpp>
#include <tests/support/differential/dice.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/play.hpp>
#include <tests/support/random_input.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

using namespace differential;
using test::number_from;

namespace {

constexpr int inputs = 20;
constexpr int most_failures = 3;

// --- the plan ---

/// The tokens of the action of a transition and of its guard.
constexpr int first_action = 1'000'000;
constexpr int first_switch = 2'000'000;

/// Keeps either conditions or a function in a guard.
void part_guard(guard_plan& g) {
    constexpr asks mixed[] = {asks::all_with_guard, asks::any_with_guard, asks::no_all_with_guard, asks::any_with_all};
    if (std::ranges::find(mixed, g.asks) != std::end(mixed)) g.asks = asks::nothing;
    g.form = 0;
}

/// If `parted`, each guard is a separate function, or a condition of its transition.
plan prepare(plan p, bool parted) {
    int next = 0;
    const auto quiet_time = [](time_plan& t) { t.fault = none; };
    const auto quiet_guard = [&](guard_plan& g) {
        g.act = {};
        g.fault = none;
        if (parted) part_guard(g);
    };
    const auto mark = [&](auto& t) {
        for (auto& g : t.guards) quiet_guard(g);
        t.actions.insert(t.actions.begin(), {.token = first_action + next, .form = 1, .act = {}});
        ++next;
    };
    visit_hooks(p, [](hook_plan& h) {
        h.act = {};
        h.next = none;
    });
    p.checks_activity = false;
    for (auto& s : p.states) {
        quiet_time(s.least);
        for (auto& l : s.locals) l.fault = none;
        for (auto& g : s.hold_until) {
            quiet_guard(g);
            if (parted) g.asks = asks::nothing;
        }
        for (auto& t : s.transitions) {
            quiet_time(t.after);
            quiet_time(t.every);
            t.guards.push_back({.token = first_switch + next, .wanted = true});
            t.guards.back().bit = none;
            mark(t);
        }
        if (is_history(s.kind)) continue;
        for (auto& t : s.dispatch) mark(t);
        for (auto& t : s.initial) mark(t);
    }
    for (auto& in : p.inputs) in.faults = 0;
    return p;
}

// --- what happened ---

/// A transition that fired, and why.
struct fired {
    int token;
    std::string why;
};

std::vector<fired> fired_in(const std::string& trace) {
    std::vector<fired> found;
    std::istringstream words(trace);
    for (std::string word, why; words >> word;)
        if (word.starts_with('A') && std::isdigit(word[1]) && std::stoi(word.substr(1)) >= first_action) {
            words >> why;
            found.push_back({std::stoi(word.substr(1)), why});
        }
    return found;
}

std::string list(const std::vector<int>& tokens) {
    std::string text;
    for (const auto t : tokens) text += " " + std::to_string(t);
    return text;
}

using hsm::obstacle_kind;

/// A chart, an agent of it, and the questions.
class trial {
public:
    trial(const plan& p, std::uint64_t seed, bool parted)
        : plan_(p), chart_(build(p)), core_(chart_.core()), player_(p, chart_), dice_(seed), parted_(parted) {
        int next = first_action;
        for (std::size_t s = 0; s < p.states.size(); ++s) {
            const auto& node = *chart_.state(s).get();
            if (is_history(p.states[s].kind)) continue;
            for (const auto& t : node.transitions()) tokens_[t.get()] = next++; // of a choice: its branches
            for (const auto& t : node.choices()) tokens_[t.get()] = next++;
            for (const auto& t : node.initials()) tokens_[t.get()] = next++;
        }
    }

    /// Returns the first problem, or an empty text.
    std::string run() {
        for (const auto& in : plan_.inputs) {
            if (in.does == input::process) process(in.what, in.amount);
            if (in.does == input::tick || in.does == input::decide) decide();
            if (in.does == input::update) update();
            if (!wrong_.empty()) return wrong_;
            player_.give(in);
            player_.context().trace.clear();
        }
        return wrong_;
    }

    struct counts {
        int events = 0, ticks = 0, taken = 0, all_taken = 0, promises = 0, kept = 0, reactions = 0, ways = 0, possible = 0, perhaps = 0;
        std::map<obstacle_kind, int> kinds;
    };
    static counts count;

private:
    hsm::instance<test_context>& machine() { return player_.machine(); }
    hsm::detail::engine& engine() { return hsm::detail::instance_access::engine_of(machine()); }

    // --- asking ---

    hsm::explanation ask(int event, int payload, bool all) {
        return with_event(event, payload, [&](auto&& e) { return hsm::explain(machine(), e, {.all_guards = all}); });
    }
    hsm::explanation ask(bool all) { return hsm::explain(machine(), {.all_guards = all}); }

    int token_of(std::uint32_t transition) const { return tokens_.at(core_.transitions[transition].spec); }
    bool is_reaction(std::uint32_t transition) const {
        const auto& t = core_.transitions[transition];
        return t.event == hsm::detail::no_index && t.target == hsm::detail::no_index;
    }
    bool defers(std::uint32_t transition) const { return core_.transitions[transition].defers; }

    /// Returns the transitions that would be taken, in order.
    std::vector<int> taken(const hsm::explanation& e) {
        std::vector<int> tokens;
        for (const auto& c : e.candidates)
            if (c.taken() && !is_reaction(c.transition) && !defers(c.transition)) tokens.push_back(token_of(c.transition));
        return tokens;
    }

    void complain(const std::string& what, const hsm::explanation& e) {
        if (wrong_.empty())
            wrong_ = what + "\n" + to_string(e) + "in " + machine().path_of_leaves() + "\n" + player_.context().trace + "\n" + tables();
    }

    std::string tables() const {
        const auto all = chart_.dump();
        return all.substr(0, all.find("\nprograms:"));
    }

    /// Checks that a query changes nothing.
    template <class Ask> hsm::explanation unchanged(Ask ask) {
        const hsm::detail::machine before = engine();
        const auto active = machine().path_of_leaves();
        auto e = ask();
        const hsm::detail::machine& after = engine();
        const bool same = before.row == after.row && before.at == after.at && before.context == after.context && before.leaf == after.leaf &&
                          before.payload == after.payload && before.now == after.now && before.work == after.work && before.state == after.state &&
                          before.shallowest_change == after.shallowest_change;
        if (!same || active != machine().path_of_leaves()) complain("asking has changed something", e);
        player_.context().trace.clear();
        for (const auto& c : e.candidates)
            for (const auto& o : c.obstacles) ++count.kinds[o.kind];
        if (to_string(e).find('{') != std::string::npos) complain("a text is not complete", e);
        return e;
    }

    // --- an event ---

    void process(int event, int payload) {
        const auto first = unchanged([&] { return ask(event, payload, false); });
        const auto all = unchanged([&] { return ask(event, payload, true); });
        const auto can = with_event(event, payload, [&](auto&& e) { return machine().can(e).outcome; });
        if (first.outcome != can || all.outcome != can) complain("can() says " + std::string(to_string(can)), first);
        if (taken(first) != taken(all)) complain("asking all guards says" + list(taken(all)), first);
        check_possible(first);
        if (parted_ && !all.candidates.empty()) return promise_event(event, payload, all);
        check_event(event, payload, first);
    }

    /// Returns whether events of the machine can follow: of a finished state, or of a guard that throws.
    bool raises_events() const {
        return core_.catches_guards || std::ranges::any_of(core_.states, [](const auto& s) { return s.done != hsm::detail::no_index; });
    }

    void check_event(int event, int payload, const hsm::explanation& e) {
        if (e.something_comes_first() || e.outcome == hsm::result::inactive) return;
        const bool deferred = std::ranges::any_of(e.waiting, [](const auto& w) { return w.kind == hsm::waiting_item::deferred; });
        const bool alone = !deferred && !core_.has_holds && !raises_events();
        const auto ways = alone && dice_.chance(50) ? ways_in() : std::vector<hsm::explanation>();
        player_.context().trace.clear();
        auto outcome = hsm::result::unhandled;
        try {
            outcome = with_event(event, payload, [&](auto&& x) { return machine().process(std::forward<decltype(x)>(x)); });
        } catch (const std::exception&) { // an endless chain
            player_.context().trace.clear();
            return;
        }
        std::vector<int> found, followed;
        const auto expected = taken(e);
        for (const auto& f : fired_in(player_.context().trace)) {
            followed.push_back(f.token);
            if (f.why == "event" && (alone || found.size() < expected.size())) found.push_back(f.token);
        }
        check_ways(e, followed, ways);
        ++count.events;
        count.taken += !expected.empty();
        if (found != expected) complain("fired" + list(found) + ", expected" + list(expected), e);
        const bool full = outcome == hsm::result::full && e.outcome == hsm::result::deferred;
        if (outcome != e.outcome && !full) complain("process() says " + std::string(to_string(outcome)), e);
    }

    // --- a tick ---

    void decide() {
        const auto first = unchanged([&] { return ask(false); });
        const auto all = unchanged([&] { return ask(true); });
        if (taken(first) != taken(all)) complain("asking all guards says" + list(taken(all)), first);
        check_possible(first);
        if (parted_ && !all.candidates.empty()) return promise_tick(all);
        check_tick(first);
    }

    // --- possible ---

    /// Checks that possible() lists the transitions that would be taken; if some are `perhaps`, at least these.
    void check_possible(const hsm::explanation& e) {
        if (e.outcome == hsm::result::inactive || (e.subject == hsm::explanation::an_event && e.number == hsm::no_number)) return;
        std::vector<std::uint32_t> expected, listed;
        bool perhaps = false;
        for (const auto& c : e.candidates)
            if (c.taken()) expected.push_back(c.transition);
        for (const auto& each : hsm::possible(machine()).all) {
            if (each.event != e.number) continue;
            listed.push_back(each.transition);
            perhaps |= each.perhaps;
        }
        player_.context().trace.clear();
        const bool has_all = std::ranges::all_of(expected, [&](auto t) { return std::ranges::find(listed, t) != listed.end(); });
        ++(perhaps ? count.perhaps : count.possible);
        if (perhaps ? !has_all && core_.regions.size() == 1 : listed != expected) complain("possible: " + to_string(hsm::possible(machine())), e);
    }

    bool is_plain() const {
        const bool moves =
            std::ranges::any_of(core_.transitions, [](const auto& t) { return t.joined.count + t.excluded.count + t.conditions.count > 0; });
        return !moves && !core_.has_transients && !core_.has_marks && !core_.has_holds && !core_.tracks_fired && core_.history_owners.empty() &&
               !core_.has_over;
    }

    void check_tick(const hsm::explanation& e) {
        if (e.something_comes_first() || e.outcome == hsm::result::inactive) return;
        const auto ways = dice_.chance(90) ? ways_in() : std::vector<hsm::explanation>();
        const auto sources = active_states();
        player_.context().trace.clear();
        try {
            machine().decide();
        } catch (const std::exception&) {
            player_.context().trace.clear();
            return;
        }
        const auto expected = taken(e);
        std::vector<int> found;
        for (const auto& f : fired_in(player_.context().trace)) found.push_back(f.token);
        ++count.ticks;
        count.taken += !expected.empty();
        if (expected.empty()) {
            const bool rests = std::ranges::any_of(e.waiting, [](const auto& w) { return w.kind == hsm::waiting_item::rest; });
            if (!found.empty() && !rests) complain("fired" + list(found) + ", expected nothing", e);
            return;
        }
        check_ways(e, found, ways);
        const auto together = core_.options.order == hsm::decision_order::substate_first ? expected.size() : std::size_t(1);
        const std::vector<int> begins(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(together));
        if (core_.by_regions) // a machine without an active substate and without a choice of its own follows other choices
            std::erase_if(found, [&](int token) { return !sources[row_of(token)->source]; });
        found.resize(std::max(found.size(), together));
        if (!std::equal(begins.begin(), begins.end(), found.begin())) complain("fired" + list(found) + ", expected" + list(begins), e);
        if (!is_plain()) return;
        count.all_taken += static_cast<int>(expected.size());
        for (const auto token : expected)
            if (std::ranges::find(found, token) == found.end()) complain("did not fire: " + std::to_string(token) + ", but" + list(found), e);
    }

    // --- why_not ---

    std::vector<bool> active_states() {
        std::vector<bool> all;
        for (std::size_t s = 0; s < core_.states.size(); ++s) all.push_back(machine().is_in(chart_.state(s)));
        return all;
    }

    /// Returns why_not for each state, and stores the active states.
    std::vector<hsm::explanation> ways_in() {
        std::vector<hsm::explanation> all;
        active_ = active_states();
        for (std::size_t s = 0; s < core_.states.size(); ++s) all.push_back(unchanged([&] { return hsm::why_not(machine(), chart_.state(s)); }));
        return all;
    }

    /// Finds a row by its token. Entry choices may have none.
    const hsm::detail::transition_row* row_of(int token) const {
        const auto has_token = [&](const auto& row) {
            const auto known = tokens_.find(row.spec);
            return known != tokens_.end() && known->second == token;
        };
        const auto t = std::ranges::find_if(core_.transitions, has_token);
        return t == core_.transitions.end() ? nullptr : &*t;
    }

    /// Returns whether only entry choices and branches of choices followed.
    bool only_enters(const std::vector<int>& tokens) const {
        return std::all_of(tokens.begin() + 1, tokens.end(), [&](int token) {
            const auto* const t = row_of(token);
            const auto& source = core_.states[t->source];
            const auto row = static_cast<std::uint32_t>(t - core_.transitions.data());
            const auto is_of = [&](const auto& span) { return span.first <= row && row < span.first + span.count; };
            if (source.kind == hsm::state_kind::choice) return true;
            return is_of(source.choices) || is_of(source.initial);
        });
    }

    /// Returns whether only the event of the explanation is in the way, or nothing.
    static bool is_open(const hsm::candidate& way) {
        return std::ranges::all_of(way.obstacles, [](const auto& o) { return o.kind == obstacle_kind::needs_event; });
    }

    /// Checks that the only fired transition is a way into every state that was entered, and has an obstacle for every other state.
    void check_ways(const hsm::explanation& e, const std::vector<int>& found, const std::vector<hsm::explanation>& ways) {
        const bool alone = taken(e).size() == 1 && !found.empty() && !core_.has_marks && !core_.has_over && !core_.has_holds && !core_.tracks_fired;
        if (ways.empty() || !alone || !only_enters(found) || machine().finished()) return;
        const auto fired = std::ranges::find_if(e.candidates, [&](const auto& c) { return c.taken() && !is_reaction(c.transition); })->transition;
        if (core_.transitions[fired].target == hsm::detail::no_index) return;
        for (std::size_t s = 0; s < ways.size(); ++s) {
            const auto kind = core_.states[s].kind;
            if (kind == hsm::state_kind::history || kind == hsm::state_kind::choice) continue;
            const auto& all = ways[s].candidates;
            const auto way =
                std::ranges::find_if(all, [&](const auto& c) { return core_.transitions[c.transition].spec == core_.transitions[fired].spec; });
            if (way != all.end() && (way->has(obstacle_kind::not_asked) || way->has(obstacle_kind::asks_event))) continue;
            const bool leads = way != all.end() && is_open(*way);
            const bool is_in = machine().is_in(chart_.state(s));
            ++count.ways;
            if (leads && !is_in) complain("does not lead to s" + std::to_string(s), ways[s]);
            if (is_in && !active_[s] && !leads) complain("leads to s" + std::to_string(s), ways[s]);
        }
    }

    /// Checks the reactions of a call without decisions.
    void update() {
        const auto e = unchanged([&] { return ask(true); });
        const bool ends = std::ranges::any_of(core_.states, [](const auto& s) { return s.predicates.count > 0; }); // an update can finish a state
        const bool plain = !core_.has_marks && !core_.has_holds && !core_.tracks_fired && !core_.has_transients && !ends;
        if (!plain || e.something_comes_first() || e.outcome == hsm::result::inactive) return;
        std::vector<int> expected, found;
        for (const auto& c : e.candidates) {
            const bool enabled = std::ranges::all_of(c.obstacles, [](const auto& o) { return o.kind == obstacle_kind::goes_first; });
            if (is_reaction(c.transition) && enabled) expected.push_back(token_of(c.transition));
        }
        player_.context().trace.clear();
        machine().update();
        for (const auto& f : fired_in(player_.context().trace)) found.push_back(f.token);
        count.reactions += static_cast<int>(expected.size());
        if (found != expected) complain("reactions" + list(found) + ", expected" + list(expected), e);
    }

    // --- the promise ---

    void answer(int token, bool what) {
        auto& answers = player_.context().answers;
        std::erase_if(answers, [&](const auto& a) { return a.first == token; });
        answers.push_back({token, what});
    }

    /// Returns the token of the i-th guard that is a function.
    static int token_of_guard(const std::vector<guard_plan>& guards, std::uint32_t i) {
        for (const auto& g : guards)
            if (g.asks == asks::nothing && i-- == 0) return g.token;
        return none;
    }
    const std::vector<guard_plan>& guards_of(const hsm::transition_spec* spec) const {
        const auto& state = plan_.states[spec->source->number()];
        const auto at = [&](const auto& specs) {
            return static_cast<std::size_t>(std::ranges::find(specs, spec, [](const auto& s) { return s.get(); }) - specs.begin());
        };
        const auto& own = state.kind == kind::choice ? state.dispatch : std::vector<choice_plan>();
        static const std::vector<guard_plan> none_at_all;
        if (const auto i = at(spec->source->transitions()); i < spec->source->transitions().size())
            return state.kind != kind::choice ? state.transitions[i].guards : i < own.size() ? state.dispatch[i].guards : none_at_all;
        const auto i = at(spec->source->choices());
        return i < state.dispatch.size() ? state.dispatch[i].guards : none_at_all;
    }

    bool switch_off(std::uint32_t transition) {
        if (transition == hsm::no_number || defers(transition)) return false;
        const auto* const spec = core_.transitions[transition].spec;
        const auto token = tokens_.at(spec) - first_action + first_switch;
        if (std::ranges::none_of(guards_of(spec), [&](const auto& g) { return g.token == token; })) return false;
        answer(token, false);
        return true;
    }

    /// Removes an obstacle. Returns false if that is not possible.
    bool remove(const hsm::candidate& c, const hsm::obstacle& o) {
        switch (o.kind) {
        case obstacle_kind::guard: {
            const auto& t = core_.transitions[c.transition];
            answer(token_of_guard(guards_of(t.spec), o.guard - t.guards.first), true);
            return true;
        }
        case obstacle_kind::condition:
        case obstacle_kind::any_condition:
            if (o.condition == 0 || (set_.contains(o.condition) && set_[o.condition] != o.wanted)) return false;
            set_[o.condition] = o.wanted;
            machine().set(static_cast<int>(o.condition), o.wanted);
            return true;
        case obstacle_kind::not_due:
        case obstacle_kind::cools_down:
        case obstacle_kind::held_for:
            engine().now = std::max(engine().now, start_ + o.left.nanoseconds());
            return o.left.nanoseconds() < 1'000'000'000;
        case obstacle_kind::held_until_released: machine().release(chart_.state(o.state)); return true;
        case obstacle_kind::held_by_guard:
            answer(plan_.states[o.state].hold_until[o.guard - core_.states[o.state].hold.first].token, true);
            return true;
        case obstacle_kind::goes_first:
        case obstacle_kind::conflict:
        case obstacle_kind::barred:
        case obstacle_kind::waits_first: return switch_off(o.transition);
        default: return false;
        }
    }

    /// Removes all obstacles of a random candidate. Returns its transition, or no_number if that is not possible.
    std::uint32_t help_one(const hsm::explanation& e) {
        const auto& c = e.candidates[static_cast<std::size_t>(dice_.below(static_cast<int>(e.candidates.size())))];
        set_.clear();
        start_ = engine().now;
        player_.context().answers.clear();
        const bool possible = std::ranges::all_of(c.obstacles, [&](const auto& o) { return remove(c, o); });
        return possible && !is_reaction(c.transition) && !defers(c.transition) ? c.transition : hsm::no_number;
    }

    /// Disables the transitions that are enabled before it. Returns true if it is then taken, false if that is not possible.
    template <class Ask> bool is_helped(std::uint32_t transition, Ask ask) {
        for (int i = 0; i < 100; ++i) {
            const auto e = unchanged(ask);
            if (e.something_comes_first() || !wrong_.empty()) return false;
            const auto at = std::ranges::find(e.candidates, transition, &hsm::candidate::transition);
            const bool is_declined = e.outcome == hsm::result::unhandled || e.outcome == hsm::result::guarded;
            if (at == e.candidates.end() && !is_declined && hsm::detail::is_any_event(core_.transitions[transition].spec->event)) return false;
            if (at == e.candidates.end()) return complain("is no candidate any more", e), false;
            bool others = false, helpless = false;
            if (core_.transitions[transition].event == hsm::detail::no_index)
                for (auto before = e.candidates.begin(); before != at; ++before)
                    if (before->taken() && !is_reaction(before->transition)) others |= switch_off(before->transition), helpless |= !others;
            if (helpless) return false;
            if (at->taken() && !others) return true;
            if (std::ranges::any_of(at->obstacles, [&](const auto& o) { return set_.contains(o.condition); }))
                return false; // requires the condition to be both set and not set
            for (const auto& o : at->obstacles) {
                const bool goes_before = o.kind == obstacle_kind::goes_first || o.kind == obstacle_kind::conflict ||
                                         o.kind == obstacle_kind::barred || o.kind == obstacle_kind::waits_first;
                const bool by_score =
                    o.kind == obstacle_kind::no_score || o.kind == obstacle_kind::not_chosen || o.kind == obstacle_kind::not_scored;
                if (o.kind == obstacle_kind::deferral || by_score) return false;
                if (!goes_before) return complain("is not helped: " + to_string(e, o), e), false;
                if (!switch_off(o.transition)) return false;
            }
        }
        return false;
    }

    void promise_event(int event, int payload, const hsm::explanation& e) {
        if (e.something_comes_first()) return;
        const auto transition = help_one(e);
        ++count.promises;
        if (transition != hsm::no_number && is_helped(transition, [&] { return ask(event, payload, true); })) {
            ++count.kept;
            const auto now = ask(event, payload, false);
            const auto expected = taken(now);
            if (std::ranges::find(expected, token_of(transition)) == expected.end()) complain("not taken after all", now);
            check_event(event, payload, now);
        }
        player_.context().answers.clear();
    }

    void promise_tick(const hsm::explanation& e) {
        if (e.something_comes_first()) return;
        const auto transition = help_one(e);
        ++count.promises;
        if (transition != hsm::no_number && is_helped(transition, [&] { return ask(true); })) {
            ++count.kept;
            const auto now = ask(false);
            const auto expected = taken(now);
            if (std::ranges::find(expected, token_of(transition)) == expected.end()) complain("not taken after all", now);
            check_tick(now);
        }
        player_.context().answers.clear();
    }

    const plan& plan_;
    const hsm::chart<test_context> chart_;
    const hsm::detail::chart_core& core_;
    player player_;
    dice dice_;
    const bool parted_;
    std::map<const hsm::transition_spec*, int> tokens_;
    std::map<std::uint32_t, bool> set_; ///< conditions
    std::vector<bool> active_;
    std::int64_t start_ = 0;
    std::string wrong_;
};

trial::counts trial::count;

} // namespace

TEST_CASE("an explanation predicts the result of a call, and removing its obstacles makes the transition fire") {
    const auto first = number_from("HSM_SEED", 1);
    const auto charts = number_from("HSM_CHARTS", 1000);
    const auto last = first + charts;
    int failures = 0;
    for (auto seed = first; seed != last && failures < most_failures; ++seed) {
        const bool parted = seed % 2 == 0;
        const auto p = prepare(generate(seed, inputs), parted);
        const auto wrong = trial(p, seed, parted).run();
        if (wrong.empty()) continue;
        FAIL_CHECK("seed ", seed, ": ", wrong);
        ++failures;
    }
    const auto& n = trial::count;
    MESSAGE(n.events, " events, ", n.ticks, " ticks, ", n.taken, " with something taken, ", n.all_taken, " taken in plain ticks, ", n.reactions,
            " reactions, ", n.ways, " ways in, ", n.possible, " possible and ", n.perhaps, " perhaps; ", n.kept, " promises of ", n.promises);
    const auto enough = [&](int what, int of_hundred) { return what * 100 >= static_cast<int>(charts) * of_hundred; };
    CHECK(failures == 0);
    if (charts < 500) return; // few charts are used for debugging
    CHECK(enough(n.taken, 200));
    CHECK(enough(n.kept, 100));
    CHECK(enough(n.all_taken, 2));
    CHECK(enough(n.ways, 20));
    CHECK(enough(n.perhaps, 1));
    if (charts < 5000) return; // some obstacles are rare
    for (auto kind = static_cast<int>(obstacle_kind::guard); kind <= static_cast<int>(obstacle_kind::deferral); ++kind) {
        if (static_cast<obstacle_kind>(kind) == obstacle_kind::guard_error) continue; // no guard throws here
        CAPTURE(kind);
        CHECK(n.kinds.contains(static_cast<obstacle_kind>(kind)));
    }
}
