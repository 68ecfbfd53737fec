#include <tests/support/differential/generate.hpp>

#include <tests/support/differential/generate_parts.hpp>
#include <tests/support/differential/test_context.hpp>

#include <algorithm>
#include <utility>

namespace differential {

namespace {

class generator : parts_generator {
public:
    explicit generator(std::uint64_t seed) : parts_generator(seed) {}

    plan run(int inputs) {
        choose_character();
        grow();
        for (int s = 0; s < count(); ++s) fill(s);
        for (int i = 0; i < inputs; ++i) plan_.inputs.push_back(make_input(i));
        return std::move(plan_);
    }

private:
    // --- the tree ---

    void grow() {
        const bool regions = parallels_ > 0;
        const int wanted = std::max(2 + dice_.below(dice_.chance(60) ? 8 : 39), regions ? std::max(6, least_states_) : 0);
        const int deepest = std::max(1 + dice_.below(6), regions ? 3 : 0);
        drafts_.resize(1);
        drafts_[0].kind = kind::machine;
        std::vector<int> depths(1);
        for (int i = 1; i < wanted; ++i) {
            const int above = choose_superstate(i);
            depths.push_back(depths[static_cast<std::size_t>(above)] + 1);
            state_plan s;
            s.superstate = above;
            s.kind = i == 1 && regions && dice_.chance(70) ? kind::parallel : choose_kind(above, depths.back() < deepest);
            drafts_.push_back(s);
        }
        add(0, none);
    }

    const state_plan& draft(int i) const { return drafts_[static_cast<std::size_t>(i)]; }

    int choose_superstate(int next) {
        if (parallels_ > 0 && is_composite(draft(next - 1).kind) && dice_.chance(80)) return next - 1;
        for (int last = draft(next - 1).superstate; last != none && dice_.chance(parallels_); last = draft(last).superstate)
            if (dice_.chance(60)) return last;
        int above = dice_.below(next);
        while (!is_composite(draft(above).kind)) above = draft(above).superstate;
        return above;
    }

    kind choose_kind(int above, bool may_have_substates) {
        const bool region = draft(above).kind == kind::parallel;
        if (may_have_substates && dice_.chance(region ? parallels_ / 3 : parallels_)) return kind::parallel;
        if (may_have_substates && dice_.chance(region ? 60 : 40)) return kind::machine;
        if (!region && dice_.chance(above == 0 ? finals_ / 4 : finals_)) return kind::final;
        if (!region && dice_.chance(choices_)) return kind::choice;
        if (!region && dice_.chance(histories_ / 2)) return kind::previous;
        if (dice_.chance(histories_)) return dice_.one_of({kind::history, kind::deep_history});
        return kind::leaf;
    }

    /// Adds states in preorder.
    void add(int draft_number, int above) {
        const int s = count();
        plan_.states.push_back(draft(draft_number));
        at(s).superstate = above;
        bool has_substates = false;
        for (int i = draft_number + 1; i < static_cast<int>(drafts_.size()); ++i)
            if (draft(i).superstate == draft_number) {
                add(i, s);
                has_substates |= !is_history(draft(i).kind);
            }
        if (!has_substates && count() > s + 1) { // history states alone do not count as substates
            plan_.states.resize(static_cast<std::size_t>(s) + 1);
            if (s == 0) plan_.states.emplace_back().superstate = 0;
        }
        if (is_composite(at(s).kind) && !has_substates && count() == s + 1) at(s).kind = kind::leaf;
    }

    // --- a state ---

    void fill(int s) {
        auto& state = at(s);
        if (!is_state(state.kind)) return fill_pseudo(s);
        const bool machine = state.kind == kind::machine;
        state.enter = hooks(70, 2);
        state.exit = hooks(70, 2);
        if (state.kind != kind::final) {
            state.update = hooks(updates_, 4);
            for (auto& h : state.update)
                if (dice_.chance(successors_)) make_successor(h);
        }
        const bool composite = is_composite(state.kind);
        if (machine && dice_.chance(changes_)) state.change = hooks(100, 1);
        if (composite && dice_.chance(histories_)) state.remembers = machine ? 1 + dice_.below(2) : 2;
        if (composite && dice_.chance(lives_ / 2)) state.unhandled = hooks(100, 2);
        if (s == 0 && dice_.chance(settles_)) state.settled = hooks(100, 2);
        if (state.kind == kind::final && plan_.compile.done_events && dice_.chance(40)) state.done_data = s;
        if (dice_.chance(lives_)) state.init = hooks(100, 1);
        if (dice_.chance(lives_)) state.destroy = hooks(100, 1);
        if (dice_.chance(holds_)) make_hold(state);
        if (s > 0) choose_place(s);
        if (dice_.chance(tags_)) state.tags = static_cast<unsigned>(dice_.below(1 << tag_count));
        if (state.kind != kind::final) state.transient = dice_.chance(transients_);
        if (composite && s > 0 && dice_.chance(projections_)) state.way = 1 + dice_.below(2);
        for (int type = 0; type < local_types; ++type)
            if (dice_.chance(locals_) && (type != timer_type || state.kind != kind::final)) state.locals.push_back(make_local(type));
        if (machine) make_entry(s);
        if (state.kind != kind::final && !(has_regions(s) && dice_.chance(together_)))
            for (int i = dice_.below(transitions_ + 1); i > 0; --i)
                state.transitions.push_back(dice_.chance(deferrals_) ? make_deferral() : make_transition(s));
    }

    bool has_regions(int s) {
        for (int i = s; i <= last_below(s); ++i)
            if (at(i).kind == kind::parallel) return true;
        return false;
    }

    void fill_pseudo(int s) {
        auto& state = at(s);
        if (state.kind == kind::choice) {
            for (int i = dice_.below(3); i > 0; --i) {
                choice_plan branch;
                aim(branch, s);
                branch.priority = priority();
                branch.guards = guards();
                branch.actions = hooks(40, 3);
                state.dispatch.push_back(branch);
            }
            choice_plan otherwise;
            aim(otherwise, s);
            otherwise.actions = hooks(40, 3);
            state.initial.push_back(otherwise);
            make_scores(state);
        } else if (dice_.chance(60)) {
            state.initial.push_back(make_choice(state.superstate));
        }
    }

    void make_hold(state_plan& state) {
        state.holds = dice_.chance(40);
        while (dice_.chance(50) && state.hold_until.size() < 2) state.hold_until.push_back(make_guard());
        if (dice_.chance(timers_)) state.least = make_time();
        if (!state.holds && state.hold_until.empty() && state.least.token == 0) state.holds = true;
        if (dice_.chance(40)) state.leave = hooks(100, 2);
    }

    void choose_place(int s) {
        if (!dice_.chance(25)) return;
        const int place = dice_.below(place_count);
        for (const auto& other : plan_.states)
            if (other.superstate == at(s).superstate && other.place == place) return;
        at(s).place = place;
    }

    void make_entry(int s) {
        if (dice_.chance(dispatches_))
            for (int i = 1 + dice_.below(3); i > 0; --i) {
                auto choice = make_choice(s);
                choice.priority = priority();
                choice.guards = guards();
                if (choice.guards.empty() && dice_.chance(70)) choice.guards.push_back(make_guard());
                at(s).dispatch.push_back(choice);
            }
        make_scores(at(s));
        if (dice_.chance(35)) at(s).initial.push_back(make_choice(s));
    }

    choice_plan make_choice(int composite) {
        choice_plan c;
        const auto forked = dice_.chance(forks_) || at(composite).kind == kind::parallel ? fork_below(composite) : std::vector<int>();
        if (!forked.empty()) {
            aim_at(c, forked);
        } else {
            do c.target = some_below(composite);
            while (own_history(composite, c.target)); // it could lead back to itself; other substates exist
        }
        c.actions = hooks(40, 3);
        return c;
    }

    bool own_history(int composite, int s) { return at(s).superstate == composite && is_history(at(s).kind); }

    int last_below(int s) {
        int last = s;
        while (last + 1 < count() && contains(plan_, s, last + 1)) ++last;
        return last;
    }
    int some_below(int s) { return s + 1 + dice_.below(last_below(s) - s); }

    local_plan make_local(int type) { return {type, ++token_, 1 + dice_.below(4), dice_.chance(faults_) ? fault() : none}; }

    transition_plan make_deferral() {
        transition_plan t;
        t.defers = true;
        t.event = known_event();
        return t;
    }

    transition_plan make_transition(int source) {
        transition_plan t;
        if (!dice_.chance(20)) aim(t, source);
        if (dice_.chance(joins_)) join(t, source);
        if (dice_.chance(exclusions_)) exclude(t, source);
        if (t.target != none && dice_.chance(completions_))
            t.on_finished = true;
        else if (dice_.chance(together_ > 0 ? 75 : 55))
            t.event = several_of(known_event());
        if (!dice_.chance(together_)) t.guards = guards();
        t.actions = hooks(t.target == none ? 90 : 50, 3);
        if (t.target == none && t.event == none && t.actions.empty()) t.actions.push_back(make_hook(3));
        t.priority = priority();
        t.reenter = dice_.chance(10);
        t.external = dice_.chance(15);
        t.force = t.target != none && dice_.chance(holds_ / 2);
        if (dice_.chance(timers_)) t.after = make_time();
        t.carry_over = t.after.token != 0 && dice_.chance(25);
        if (t.event == none && !t.on_finished) {
            t.always = dice_.chance(always_) && (t.target != none || !t.guards.empty() || dice_.chance(20));
            if (t.target == none && !t.always && t.after.token == 0 && dice_.chance(timers_)) {
                t.every = make_time();
                t.every.ns += t.every.form == 0;
            }
        }
        t.labeled = (t.after.token != 0 || t.every.token != 0) && dice_.chance(30);
        return t;
    }

    // --- targets ---

    template <class T> void aim(T& t, int source) {
        const auto forked = dice_.chance(forks_) ? fork_below(0) : std::vector<int>();
        if (forked.empty())
            t.target = choose_target(source);
        else
            aim_at(t, forked);
    }

    template <class T> static void aim_at(T& t, const std::vector<int>& targets) {
        t.target = targets.front();
        t.more_targets.assign(targets.begin() + 1, targets.end());
    }

    /// A uniform choice would result in few transitions between a state and those around it.
    int choose_target(int source) {
        const int above = at(source).superstate;
        if (stays_ && at(source).kind == kind::machine) return some_below(source);
        if (above != none && at(above).kind == kind::machine && dice_.chance(together_)) return some_below(above);
        if (dice_.chance(60)) return dice_.below(count());
        int around = source;
        for (int up = dice_.below(3); up > 0 && at(around).superstate != none; --up) around = at(around).superstate;
        return std::min(count() - 1, around + dice_.below(4));
    }

    /// Returns states in different regions of a parallel, in any order; empty if there is no parallel.
    std::vector<int> fork_below(int top) {
        std::vector<int> parallels, targets;
        for (int s = top; s <= last_below(top); ++s)
            if (at(s).kind == kind::parallel) parallels.push_back(s);
        if (parallels.empty()) return targets;
        const int parallel = parallels[static_cast<std::size_t>(dice_.below(static_cast<int>(parallels.size())))];
        for (int region = parallel + 1; region <= last_below(parallel); ++region) {
            if (at(region).superstate != parallel || is_history(at(region).kind) || dice_.chance(35)) continue;
            const int s = region + dice_.below(last_below(region) - region + 1);
            if (at(s).kind == kind::parallel && last_below(s) > s && dice_.chance(40))
                for (const auto inner : fork_below(s)) targets.push_back(inner);
            else
                targets.push_back(s);
        }
        if (targets.size() > 1 && dice_.chance(30)) std::swap(targets.front(), targets.back());
        const bool states_only = std::ranges::all_of(targets, [&](int t) { return is_state(at(t).kind); });
        if (targets.size() > 1 && dice_.chance(5) && parallel != top && states_only) targets.push_back(parallel); // contains the others
        return targets;
    }

    void join(transition_plan& t, int source) {
        for (int tries = 0; tries < 8 && t.joined.size() < 2; ++tries) {
            const int s = dice_.below(count());
            if (!is_state(at(s).kind)) continue;
            const auto fits = [&](int other) { return apart(plan_, s, other) || (dice_.chance(10) && contains(plan_, s, other)); };
            if (fits(source) && std::ranges::all_of(t.joined, [&](int other) { return apart(plan_, s, other); })) t.joined.push_back(s);
        }
    }

    /// Usually states inside the source.
    void exclude(transition_plan& t, int source) {
        for (int count = 1 + dice_.below(2); count > 0; --count) {
            const int s = dice_.chance(70) ? source + dice_.below(last_below(source) - source + 1) : dice_.below(this->count());
            if (is_state(at(s).kind)) t.excluded.push_back(s);
        }
    }

    std::vector<state_plan> drafts_;
};

} // namespace

plan generate(std::uint64_t seed, int inputs) { return generator(seed).run(inputs); }

plan as_can_be_saved(plan p) {
    for (auto& c : p.conditions) c.named = true;
    const auto mixed = [](asks a) { return a == asks::any_with_guard || a == asks::no_all_with_guard || a == asks::any_with_all; };
    const auto each = [&](auto& transitions) {
        for (auto& t : transitions)
            for (auto& g : t.guards)
                if (mixed(g.asks)) g.asks = asks::nothing;
    };
    for (auto& s : p.states) {
        each(s.transitions);
        each(s.dispatch);
        each(s.initial);
        for (auto& g : s.hold_until) g.asks = asks::nothing;
    }
    return p;
}

} // namespace differential
