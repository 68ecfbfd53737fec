/// Writes the ticks of a constant chart, and the work that follows a transition.
#pragma once

#include <hsm/constant/detail/writer.hpp>

namespace hsm::detail {

template <class Context, constant_model_sizes Size> class constant_tick_writer : public constant_writer<Context, Size> {
    using base = constant_writer<Context, Size>;

public:
    constexpr constant_tick_writer(const typename base::model& m, const constant_chart_options& options, std::uint32_t traced_kinds)
        : base(m, options, traced_kinds) {
        steps.reserve(m.states.size());
        updates_.append(m.states.size(), {});
        for (const auto& state : m.states) polls_ |= state.polled.count > 0;
    }

    using base::leaves;
    constant_list<constant_step> steps;

protected:
    using base::begin;
    using base::body;
    using base::call;
    using base::emit;
    using base::end;
    using base::entry;
    using base::exit;
    using base::from_;
    using base::guards;
    using base::has_regions;
    using base::is_always_active;
    using base::is_machine;
    using base::land;
    using base::links_;
    using base::m_;
    using base::may_be_active;
    using base::order_;
    using base::retried_;
    using base::row;
    using typename base::kind;
    using typename base::list;

    constexpr void make_leaf(constant_leaf_row& leaf) {
        const auto region = m_.states[leaf.state].region;
        if constexpr (has_regions) {
            leaf.stop = base::exits(leaf.state, m_.above(region));
        } else {
            leaf.stop = begin();
            base::remember(leaf.state, no_index);
            flatten::exits(m_.states, leaf.state, no_index, [&](index s) { exit(s); });
        }
        emit(kind::leaf, static_cast<std::uint32_t>(leaves.size()) | std::uint32_t(region) << 16);
        end(constant_taken(0, false));
        leaf.steps.first = static_cast<std::uint32_t>(steps.size());
        if (leaf.over) return;
        flatten::tick_sections(
            m_.states, leaf.state, order_, [&](index s) { return is_machine(s); }, [&](index s) { update(s, leaf.state); },
            [&](index level) { decide(leaf.state, level); },
            [&] {
                if constexpr (has_regions)
                    leaf.polled = make_polled(leaf.state);
                else
                    decide_all(leaf.state);
            },
            [&](int depth) {
                const auto p = make_retry(leaf.state);
                if (has_regions && order_ == decision_order::substate_first)
                    leaf.retry = p;
                else
                    steps.push_back({false, false, depth, p});
            },
            m_.above(region));
        leaf.steps.count = static_cast<std::uint32_t>(steps.size()) - leaf.steps.first;
        links_ = true;
        if (Size.transients) leaf.transient = make_transient(leaf.state);
        if (Size.marks && !has_regions) leaf.completion = make_completion(leaf.state);
        if (Size.always && !(has_regions && order_ == decision_order::superstate_first)) leaf.always = make_always(leaf.state);
        links_ = false;
    }
    /// Shared by all leaves below `s`, unless one of its reactions is excluded in some of them.
    constexpr void update(index s, index leaf) {
        const auto& state = m_.states[s];
        if (!state.updates && Size.holds == 0) return;
        bool excludes = false;
        for (auto t = state.reactions.first; t < state.reactions.first + state.reactions.count; ++t)
            excludes |= !has_regions && row(t).excluded.count + row(t).joined.count > 0;
        if (updates_[s].count == 0 || excludes) updates_[s] = make_update(s, leaf);
        const auto last = updates_[s].first + updates_[s].count - 1;
        for (auto part = updates_[s].first; part <= last; ++part) steps.push_back({true, part < last, state.depth, update_parts_[part], s});
    }
    /// Writes programs for the hooks, for the predicates, and for each reaction.
    constexpr constant_span make_update(index s, index leaf) {
        const auto& state = m_.states[s];
        const auto first = update_parts_.size();
        if (state.update.count) {
            update_parts_.push_back(begin());
            call(state.update);
            base::trace_state(record_kind::updated, s);
            end(constant_next);
        }
        if (state.predicate >= 0) update_parts_.push_back(begin());
        for (auto g = state.predicate; g >= 0; g = m_.guards[static_cast<std::size_t>(g)].next) {
            list refused;
            refused.push_back(base::ask(static_cast<std::uint32_t>(g), s));
            if (state.mark >= 0) emit(kind::mark, static_cast<std::uint32_t>(state.mark));
            if (s == 0) emit(kind::finish_root);
            land(refused);
        }
        if (state.predicate >= 0) end(constant_next);
        for (auto t = state.reactions.first; t < state.reactions.first + state.reactions.count; ++t) {
            if (is_excluded(t, leaf)) continue;
            update_parts_.push_back(begin());
            list refused;
            guards(t, row(t).source, refused);
            base::begin_firing(row(t));
            base::actions(row(t));
            land(refused);
            end(constant_next);
        }
        if (update_parts_.size() == first) update_parts_.push_back(end(constant_next)); // waiting transitions are tried
        return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(update_parts_.size() - first)};
    }
    constexpr void polled_of(index s, list& to, bool all, index level) const {
        const auto& span = m_.states[s].polled;
        for (auto t = span.first; t < span.first + span.count; ++t)
            if (all || row(t).level == level) to.push_back(t);
    }
    constexpr void decide(index leaf, index level) {
        if (!polls_) return;
        const auto p = base::begin_search(m_.slot_of(level));
        if constexpr (has_regions) {
            list all;
            for (index s = 0; s < m_.states.size(); ++s)
                if (may_be_active(s, leaf)) polled_of(s, all, false, level);
            sort(all);
            fires_at_once_ = true;
            try_each(leaf, all);
            fires_at_once_ = false;
        } else {
            flatten::entries(m_.states, no_index, leaf, [&](index s) {
                if (m_.states[s].polled.count == 0) return;
                list from_s;
                polled_of(s, from_s, false, level);
                try_each(leaf, from_s);
            });
        }
        finish_decision(p, level == no_index ? -1 : static_cast<int>(m_.states[level].depth));
    }
    constexpr void decide_all(index leaf) {
        if (!polls_) return;
        const auto p = base::begin_search(constant_all_slots);
        flatten::exits(m_.states, leaf, no_index, [&](index s) {
            if (m_.states[s].polled.count == 0) return;
            list from_s;
            polled_of(s, from_s, true, no_index);
            try_each(leaf, from_s);
        });
        finish_decision(p, -1);
    }
    constexpr void finish_decision(std::uint32_t p, int depth) {
        if (base::end_search(p)) steps.push_back({false, false, depth, p});
    }
    // Charts with regions select transitions in one region, and fire them afterwards.

    constexpr bool is_excluded(std::uint32_t t, index leaf) const { return !has_regions && m_.is_excluded(t, leaf); } // otherwise at run time
    /// Sorts the transitions that are tried together in all regions. Those of one source and rank keep their order.
    constexpr void sort(list& all) const {
        const auto before = [&](std::uint32_t a, std::uint32_t b) {
            const auto depth_of = [&](index s) { return s == no_index ? -1 : static_cast<int>(m_.states[s].depth); };
            const auto level_a = depth_of(m_.level_of(a)), level_b = depth_of(m_.level_of(b));
            if (level_a != level_b) return level_a < level_b;
            const auto source_a = depth_of(row(a).source), source_b = depth_of(row(b).source);
            return source_a != source_b ? source_a < source_b : row(a).priority > row(b).priority;
        };
        for (std::size_t sorted = 1; sorted < all.size(); ++sorted)
            for (auto i = sorted; i > 0 && before(all[i], all[i - 1]); --i) {
                const auto t = all[i];
                all[i] = all[i - 1];
                all[i - 1] = t;
            }
    }
    constexpr std::uint32_t make_polled(index leaf) {
        const auto p = base::begin_part();
        flatten::exits(m_.states, leaf, m_.above(m_.states[leaf].region), [&](index s) {
            list from_s;
            polled_of(s, from_s, true, no_index);
            try_each(leaf, from_s);
        });
        return base::end_search(p);
    }
    /// With superstate_first, of all regions.
    constexpr std::uint32_t make_always_of_all() {
        const auto p = base::begin_search();
        list all;
        for (index s = 0; s < m_.states.size(); ++s) {
            list from_s;
            always_of(m_.states[s].polled, from_s, true, no_index);
            always_of(m_.states[s].reactions, from_s, true, no_index);
            for (const auto t : from_s) all.push_back(t);
        }
        sort(all);
        try_each(no_index, all);
        return base::end_search(p);
    }
    constexpr std::uint32_t make_completion_of(index s) {
        const auto p = base::begin_search();
        const auto& span = m_.states[s].polled;
        for (auto t = span.first; t < span.first + span.count; ++t) {
            if (!row(t).on_finished) continue;
            list refused;
            base::unless_blocked(t, refused);
            guards(t, s, refused);
            typename base::holder_list holders;
            base::hold_tests(no_index, t, holders);
            select(t);
            base::wait(t, holders, refused);
            land(refused);
        }
        return base::end_search(p);
    }
    constexpr void select(std::uint32_t t) { end(constant_selected | t << 8); }
    constexpr void fire(index leaf, std::uint32_t t) {
        if (!has_regions)
            body(leaf, t);
        else if (fires_at_once_)
            body_in_regions(leaf, t);
        else
            select(t);
    }
    /// Writes the steps of a transition that fires alone. `leaf` is in its region, or in a region inside it.
    constexpr void body_in_regions(index leaf, std::uint32_t t) {
        const auto& r = row(t);
        if (Size.defers && r.event != no_index) emit(kind::check_chain);
        if (r.target != no_index) {
            while (m_.states[leaf].region != m_.region_of_level(r.level)) leaf = m_.above(m_.states[leaf].region);
            base::depart(leaf, base::reason_of(r), r.level);
            base::use_triggers(r);
            base::enter_by(t);
            base::exits(leaf, r.level, notes_changes_);
            base::clear_entered(r);
        }
        base::begin_firing(r);
        base::actions(r);
        if (r.target == no_index)
            end(static_cast<constant_code>(result::internal));
        else
            base::entries(r.level, r);
    }

    constexpr std::uint32_t make_retry(index machine) {
        const auto p = begin();
        from_ = machine;
        retried_ = machine;
        base::depart(machine, reason::entry, machine);
        entry(machine, {m_.states[machine].depth + 1u, false});
        retried_ = no_index;
        base::open_.clear();
        return p;
    }
    /// Tries a source's transitions in order. A satisfied one blocks the later ones of its level: the others get their own sequence. Ends where the
    /// next source is tried.
    constexpr void try_each(index leaf, const list& transitions) {
        list behind;
        try_from(leaf, transitions, 0, behind);
        land(behind);
    }
    constexpr void try_from(index leaf, const list& transitions, std::size_t at, list& behind) {
        for (; at < transitions.size(); ++at) {
            const auto& t = row(transitions[at]);
            if (is_excluded(transitions[at], leaf)) continue;
            list refused;
            if (t.on_finished && m_.states[t.source].mark < 0) continue; // the root, or a state without final substates
            base::unless_blocked(transitions[at], refused);
            if (has_regions && !is_always_active(t.source, leaf)) refused.push_back(emit(kind::if_active, t.source));
            if (t.on_finished) refused.push_back(emit(kind::if_marked, static_cast<std::uint32_t>(m_.states[t.source].mark)));
            bool first = true;
            for (std::size_t i = 0; i < at && (t.candidate >= 0 || m_.is_candidate(transitions[at])); ++i)
                first &= row(transitions[i]).source != t.source || (row(transitions[i]).candidate < 0) != (t.candidate < 0);
            base::tests(transitions[at], first, refused, kind::if_picked, leaf);
            bool can_be_satisfied = is_any_state(transitions[at]);
            m_.each_target(t, [&](index target) { can_be_satisfied &= may_be_active(m_.machine_of(target), leaf); });
            list fires;
            if (can_be_satisfied)
                m_.each_target(t, [&](index target) {
                    if (m_.is_history(target)) {
                        list satisfied;
                        base::reach(target, leaf, t.level, satisfied, fires);
                        land(satisfied);
                    } else if (has_regions && !is_always_active(target, leaf)) {
                        fires.push_back(emit(kind::if_active, target));
                    }
                });
            if (can_be_satisfied) {
                list others;
                for (auto i = at + 1; i < transitions.size(); ++i)
                    if (row(transitions[i]).target == no_index || row(transitions[i]).level != t.level || row(transitions[i]).source != t.source)
                        others.push_back(transitions[i]);
                if (others.size() < transitions.size() - at - 1) {
                    try_from(leaf, others, 0, behind);
                    behind.push_back(emit(kind::go));
                } else if (!fires.empty()) {
                    refused.push_back(emit(kind::go));
                }
            }
            land(fires);
            if ((!can_be_satisfied || !fires.empty()) && (only_ == base::no_transition || only_ == transitions[at])) {
                typename base::holder_list holders;
                base::hold_tests(leaf, transitions[at], holders);
                fire(leaf, transitions[at]);
                base::wait(transitions[at], holders, refused);
            }
            land(refused);
        }
    }
    /// Returns whether all its targets are substates of its source.
    constexpr bool is_any_state(std::uint32_t number) const {
        bool is = row(number).target != no_index;
        m_.each_target(row(number),
                       [&](index target) { is &= flatten::leads_to_own_substate(m_.states, row(number).source, target, row(number).reenter); });
        return is;
    }
    /// Tries only transient states that were entered and not yet tried without success.
    constexpr std::uint32_t make_transient(index leaf) {
        const auto p = base::begin_part();
        flatten::deciders(m_.states, m_.above(m_.states[leaf].region), leaf, order_, [&](index s) {
            if (!m_.tries_at_once(s)) return;
            list older;
            if constexpr (has_regions)
                older.push_back(emit(kind::if_entered, m_.transient_number(s)));
            else
                older.push_back(emit(kind::if_just_entered, m_.states[s].depth));
            list from_s;
            polled_of(s, from_s, true, no_index);
            try_each(leaf, from_s);
            land(older);
        });
        return base::end_search(p);
    }
    constexpr std::uint32_t make_completion(index leaf) {
        const auto p = base::begin_search();
        flatten::deciders(m_.states, no_index, leaf, order_, [&](index s) {
            if (m_.states[s].mark < 0) return;
            list asked;
            asked.push_back(emit(kind::if_due, static_cast<std::uint32_t>(m_.states[s].mark)));
            const auto& span = m_.states[s].polled;
            for (auto t = span.first; t < span.first + span.count; ++t) {
                if (!row(t).on_finished || m_.is_excluded(t, leaf)) continue;
                list refused;
                base::unless_blocked(t, refused);
                guards(t, row(t).source, refused);
                typename base::holder_list holders;
                base::hold_tests(leaf, t, holders);
                body(leaf, t);
                base::wait(t, holders, refused);
                land(refused);
            }
            land(asked);
        });
        return base::end_search(p);
    }

    /// With superstate_first, in the order of their levels.
    constexpr std::uint32_t make_always(index leaf) {
        const auto p = base::begin_part();
        const auto try_source = [&](index s, bool all, index level) {
            list from_s;
            always_of(m_.states[s].polled, from_s, all, level);
            always_of(m_.states[s].reactions, from_s, all, level);
            try_each(leaf, from_s);
        };
        const auto try_level = [&](index level) { flatten::entries(m_.states, no_index, leaf, [&](index s) { try_source(s, false, level); }); };
        if (order_ == decision_order::superstate_first) {
            try_level(no_index);
            flatten::entries(m_.states, no_index, leaf, try_level);
        } else {
            flatten::exits(m_.states, leaf, m_.above(m_.states[leaf].region), [&](index s) { try_source(s, true, no_index); });
        }
        return base::end_search(p);
    }
    /// Inserts them after those that are tried before.
    constexpr void always_of(const constant_span& span, list& to, bool all, index level) const {
        for (auto t = span.first; t < span.first + span.count; ++t) {
            if (!row(t).always || !(all || m_.level_of(t) == level)) continue;
            to.push_back(t);
            for (auto i = to.size() - 1; i > 0 && comes_before(t, to[i - 1]); --i) {
                to[i] = to[i - 1];
                to[i - 1] = t;
            }
        }
    }
    constexpr bool comes_before(std::uint32_t a, std::uint32_t b) const {
        return row(a).priority != row(b).priority ? row(a).priority > row(b).priority : row(a).position < row(b).position;
    }

    bool fires_at_once_ = false;               ///< programs fire transitions instead of selecting them
    bool notes_changes_ = false;               ///< these store the exited states. A decision cannot exit its level
    std::uint32_t only_ = base::no_transition; ///< the only transition that can fire

private:
    bool polls_ = false;                   ///< there are polled transitions
    constant_list<constant_span> updates_; ///< by state: indices in update_parts_
    list update_parts_;                    ///< programs
};

} // namespace hsm::detail
