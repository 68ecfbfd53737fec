#include <tests/support/differential/shrink.hpp>

#include <tests/support/differential/isolated.hpp>

#include <algorithm>
#include <utility>

namespace differential {

namespace {

bool fails(const plan& p) { return play_isolated(p) != verdict::same; }

class shrinker {
public:
    explicit shrinker(plan p) : best_(std::move(p)) {}

    plan run() {
        if (!fails(best_)) return best_;
        drop_inputs();
        for (bool smaller = true; smaller;) {
            smaller = false;
            smaller |= drop_states();
            smaller |= drop_parts();
            smaller |= drop_first_targets();
            smaller |= simplify();
            smaller |= attempt(drop_conditions);
        }
        return best_;
    }

private:
    template <class Change> bool attempt(Change change) {
        plan candidate = best_;
        if (!change(candidate) || !fails(candidate)) return false;
        best_ = std::move(candidate);
        return true;
    }

    /// Removes halves, quarters, ... of the inputs.
    void drop_inputs() {
        for (auto size = best_.inputs.size() / 2; size > 0; size /= 2)
            for (std::size_t at = 0; at + size <= best_.inputs.size();) {
                const auto cut = [&](plan& p) {
                    const auto first = p.inputs.begin() + static_cast<std::ptrdiff_t>(at);
                    p.inputs.erase(first, first + static_cast<std::ptrdiff_t>(size));
                    return true;
                };
                if (!attempt(cut)) at += size;
            }
    }

    bool drop_states() {
        bool any = false;
        for (auto s = static_cast<int>(best_.states.size()) - 1; s > 0; --s) {
            if (s >= static_cast<int>(best_.states.size())) continue;
            any |= attempt([&](plan& p) { return remove(p, s, true); }) || attempt([&](plan& p) { return remove(p, s, false); });
        }
        return any;
    }

    static bool names_state(act a) {
        return a == act::change_to || a == act::finish_state || a == act::release_state || a == act::force_to || a == act::look;
    }
    static bool names_state(input i) {
        return i == input::change_to || i == input::finish_state || i == input::release_state || i == input::force_to || i == input::set_state;
    }

public:
    static bool remove(plan& p, int s, bool with_substates) {
        const auto gone = [&](int i) { return with_substates ? contains(p, s, i) : i == s; };
        const auto above = p.states[static_cast<std::size_t>(s)].superstate;
        if (!with_substates && !is_composite(p.states[static_cast<std::size_t>(s)].kind)) return false;
        std::vector<int> renamed(p.states.size(), none);
        int next = 0;
        for (int i = 0; i < static_cast<int>(p.states.size()); ++i)
            if (!gone(i)) renamed[static_cast<std::size_t>(i)] = next++;
        const auto new_name = [&](int& i) {
            if (i != none) i = renamed[static_cast<std::size_t>(i)];
        };
        std::vector<state_plan> kept;
        for (int i = 0; i < static_cast<int>(p.states.size()); ++i) {
            if (gone(i)) continue;
            auto state = p.states[static_cast<std::size_t>(i)];
            if (state.superstate == s) state.superstate = above;
            new_name(state.superstate);
            kept.push_back(std::move(state));
        }
        p.states = std::move(kept);
        for (auto& state : p.states) rename_targets(state, new_name);
        const auto rename_in = [&](act_plan& a) {
            if (names_state(a.does)) new_name(a.what);
            if (a.what == none) a = {};
        };
        visit_every_guard(p, [&](guard_plan& g) { rename_in(g.act); });
        visit_hooks(p, [&](hook_plan& h) {
            rename_in(h.act);
            if (h.next != none && h.form != 6) new_name(h.next);
        });
        for (auto& in : p.inputs)
            if (names_state(in.does)) {
                new_name(in.what);
                if (in.what == none) in = {input::start, 0, 0, in.flips, in.faults};
            }
        mend_machines(p);
        return true;
    }

private:
    template <class Rename> static void rename_all(std::vector<int>& states, Rename new_name) {
        for (auto& s : states) new_name(s);
        std::erase(states, none);
    }

    template <class Rename> static void rename_targets(state_plan& state, Rename new_name) {
        const auto all = [&](auto& list) {
            std::erase_if(list, [&](auto& t) {
                if (t.target == none) return false;
                new_name(t.target);
                rename_all(t.more_targets, new_name);
                if (t.target == none && !drop_first_target(t)) return true;
                return false;
            });
        };
        for (auto& t : state.transitions) {
            rename_all(t.joined, new_name);
            rename_all(t.excluded, new_name);
        }
        all(state.transitions);
        all(state.dispatch);
        all(state.initial);
    }

    template <class T> static bool drop_first_target(T& t) {
        if (t.more_targets.empty()) return false;
        t.target = t.more_targets.front();
        t.more_targets.erase(t.more_targets.begin());
        return true;
    }

    /// Converts a machine or a parallel that has lost its last substate to a leaf.
    static void mend_machines(plan& p) {
        for (int i = 1; i < static_cast<int>(p.states.size()); ++i) {
            auto& state = p.states[static_cast<std::size_t>(i)];
            const bool has_substates = std::ranges::any_of(p.states, [&](const auto& other) { return other.superstate == i; });
            if (!is_composite(state.kind) || has_substates) continue;
            state.kind = kind::leaf;
            state.way = 0;
            state.dispatch.clear();
            state.initial.clear();
            state.change.clear();
            state.unhandled.clear();
            state.remembers = 0;
        }
    }

    bool drop_parts() {
        std::size_t count = 0;
        visit_lists(best_, [&](auto& list) { count += list.size(); });
        bool any = false;
        for (auto n = count; n-- > 0;) any |= attempt([&](plan& p) { return erase_nth(p, n); });
        return any;
    }

    /// Removes all of them, if none is used.
    static bool drop_conditions(plan& p) {
        bool needed = p.conditions.empty();
        visit_guards(p, [&](const guard_plan& g) { needed |= g.asks != asks::nothing; });
        visit_hooks(p, [&](const hook_plan& h) { needed |= h.act.does >= act::set_condition; });
        if (!needed) p.conditions.clear();
        return !needed;
    }

    template <class F> static void visit_guards(const plan& p, F f) {
        const auto each = [&](const auto& list) { std::ranges::for_each(list, [&](const auto& t) { std::ranges::for_each(t.guards, f); }); };
        for (const auto& s : p.states) {
            std::ranges::for_each(s.hold_until, f);
            each(s.transitions);
            each(s.dispatch);
        }
    }

    bool drop_first_targets() {
        bool any = false;
        for (std::size_t n = 0; n < forks(best_).size(); ++n) any |= attempt([&](plan& p) { return drop_first_target(*forks(p)[n]); });
        return any;
    }

    static std::vector<transition_plan*> forks(plan& p) {
        std::vector<transition_plan*> found;
        for (auto& s : p.states)
            for (auto& t : s.transitions)
                if (!t.more_targets.empty()) found.push_back(&t);
        return found;
    }

    static bool erase_nth(plan& p, std::size_t n) {
        bool done = false;
        visit_lists(p, [&](auto& list) {
            if (done) return;
            if (n < list.size()) {
                list.erase(list.begin() + static_cast<std::ptrdiff_t>(n));
                done = true;
            } else {
                n -= list.size();
            }
        });
        return done;
    }

    bool simplify() {
        std::size_t count = 0;
        visit_details(best_, [&](auto&, const auto&) { ++count; });
        bool any = false;
        for (std::size_t n = 0; n < count; ++n) {
            const auto reset_nth = [&](plan& p) {
                std::size_t i = 0;
                bool changed = false;
                visit_details(p, [&](auto& value, const auto& simple) {
                    if (i++ != n || value == simple) return;
                    value = simple;
                    changed = true;
                });
                return changed;
            };
            any |= attempt(reset_nth);
        }
        return any;
    }

    /// Calls f(value, its simplest value).
    template <class F> static void visit_details(plan& p, F f) {
        f(p.compile.order, hsm::decision_order::superstate_first);
        f(p.compile.entry_times, true);
        f(p.compile.carry_over, false);
        f(p.compile.remember_finals, false);
        f(p.compile.row_memory, hsm::compile_options().row_memory);
        f(p.compile.program_memory, hsm::compile_options().program_memory);
        f(p.own_memory, false);
        f(p.checks_activity, false);
        f(p.run.deferred_queue, std::uint16_t(16));
        f(p.run.internal_queue, std::uint16_t(16));
        f(p.run.posted_queue, std::uint16_t(16));
        f(p.run.chain_limit, std::uint16_t(100));
        for (auto& c : p.conditions) f(c.trigger, false);
        for (auto& s : p.states) {
            f(s.place, none);
            if (s.kind == kind::parallel) f(s.kind, kind::machine);
            f(s.transient, false);
            f(s.choose, 0);
            f(s.rechoose, 0);
            f(s.stay_bonus, 0);
            visit_time(s.period, f);
            f(s.tags, 0u);
            f(s.way, 0);
            f(s.remembers, 0);
            f(s.holds, false);
            visit_time(s.least, f);
            for (auto& g : s.hold_until) visit_guard(g, f);
            if (!is_state(s.kind) && s.dispatch.empty() && s.initial.empty()) f(s.kind, kind::leaf);
            for (auto& l : s.locals) f(l.fault, none);
            for (auto& t : s.transitions) {
                f(t.priority, 0);
                f(t.reenter, false);
                f(t.carry_over, false);
                f(t.labeled, false);
                f(t.external, false);
                f(t.on_finished, false);
                f(t.always, false);
                f(t.force, false);
                visit_time(t.after, f);
                visit_time(t.every, f);
                for (auto& g : t.guards) visit_guard(g, f);
            }
            for (auto& t : s.dispatch) {
                f(t.priority, 0);
                visit_time(t.score, f);
                f(t.cooldown, 0);
                for (auto& g : t.guards) visit_guard(g, f);
            }
        }
        visit_hooks(p, [&](hook_plan& h) {
            f(h.act.does, act::nothing);
            f(h.act.bit, none);
            if (h.form < 5) f(h.form, 0);
            f(h.form, 0);
            f(h.next, none);
            f(h.next_bit, none);
        });
        for (auto& in : p.inputs) {
            f(in.flips, 0u);
            f(in.faults, 0u);
            f(in.amount, 0);
            f(in.pulsed, 0u);
            for (int c = 0; c < 32; ++c) f(in.turned, in.turned & ~(1u << c));
            for (int b = 0; b < all_bits; ++b) {
                f(in.flips, in.flips & ~(1u << b));
                f(in.faults, in.faults & ~(1u << b));
            }
            f(in.does, input::tick);
        }
    }

    template <class F> static void visit_time(time_plan& t, F f) {
        if (t.token == 0) return;
        f(t.token, 0);
        if (t.token == 0) return;
        f(t.form, 0);
        f(t.bit, none);
        f(t.fault, none);
    }

    template <class F> static void visit_every_guard(plan& p, F f) {
        for (auto& s : p.states) {
            std::ranges::for_each(s.hold_until, f);
            for (auto& t : s.transitions) std::ranges::for_each(t.guards, f);
            for (auto& t : s.dispatch) std::ranges::for_each(t.guards, f);
        }
    }

    template <class F> static void visit_guard(guard_plan& g, F f) {
        f(g.asks, asks::nothing);
        if (g.asks != asks::nothing) f(g.asks, asks::one);
        if (g.asks == asks::one && g.writing != writing::handle) f(g.writing, writing::handle);
        f(g.form, 0);
        f(g.fault, none);
        f(g.act.does, act::nothing);
        f(g.act.bit, none);
    }

    plan best_;
};

} // namespace

plan shrink(plan p) { return shrinker(std::move(p)).run(); }

bool remove_state(plan& p, int s, bool with_substates) { return shrinker::remove(p, s, with_substates); }

} // namespace differential
