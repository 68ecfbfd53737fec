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
    using base::is_machine;
    using base::land;
    using base::links_;
    using base::m_;
    using base::order_;
    using base::retried_;
    using base::row;
    using typename base::kind;
    using typename base::list;

    constexpr void make_leaf(constant_leaf_row& leaf) {
        leaf.stop = begin();
        base::remember(leaf.state, no_index);
        flatten::exits(m_.states, leaf.state, no_index, [&](index s) { exit(s); });
        emit(kind::leaf, static_cast<std::uint32_t>(leaves.size()));
        end(constant_taken(0, false));
        leaf.steps.first = static_cast<std::uint32_t>(steps.size());
        if (leaf.over) return;
        flatten::tick_sections(
            m_.states, leaf.state, order_, [&](index s) { return is_machine(s); }, [&](index s) { update(s, leaf.state); },
            [&](index level) { decide(leaf.state, level); }, [&] { decide_all(leaf.state); }, [&](int depth) { retry(leaf.state, depth); });
        leaf.steps.count = static_cast<std::uint32_t>(steps.size()) - leaf.steps.first;
        links_ = true;
        if (Size.transients) leaf.transient = make_transient(leaf.state);
        if (Size.marks) leaf.completion = make_completion(leaf.state);
        if (Size.always) leaf.always = make_always(leaf.state);
        links_ = false;
    }
    /// Shared by all leaves below `s`, unless one of its reactions is excluded in some of them.
    constexpr void update(index s, index leaf) {
        const auto& state = m_.states[s];
        if (!state.updates) return;
        bool excludes = false;
        for (auto t = state.reactions.first; t < state.reactions.first + state.reactions.count; ++t) excludes |= row(t).excluded.count > 0;
        if (updates_[s].count == 0 || excludes) updates_[s] = make_update(s, leaf);
        const auto last = updates_[s].first + updates_[s].count - 1;
        for (auto part = updates_[s].first; part <= last; ++part) steps.push_back({true, part < last, state.depth, update_parts_[part]});
    }
    /// Writes a program for the hooks, and one for each reaction.
    constexpr constant_span make_update(index s, index leaf) {
        const auto& state = m_.states[s];
        const auto first = update_parts_.size();
        if (state.update.count) {
            update_parts_.push_back(begin());
            call(state.update);
            base::trace_state(record_kind::updated, s);
            end(constant_next);
        }
        for (auto t = state.reactions.first; t < state.reactions.first + state.reactions.count; ++t) {
            if (m_.is_excluded(t, leaf)) continue;
            update_parts_.push_back(begin());
            list refused;
            guards(t, row(t).source, refused);
            base::begin_firing(row(t));
            base::actions(row(t));
            land(refused);
            end(constant_next);
        }
        if (update_parts_.size() == first) update_parts_.push_back(end(constant_next)); // all its reactions are excluded
        return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(update_parts_.size() - first)};
    }
    constexpr void polled_of(index s, list& to, bool all, index level) const {
        const auto& span = m_.states[s].polled;
        for (auto t = span.first; t < span.first + span.count; ++t)
            if (all || row(t).level == level) to.push_back(t);
    }
    constexpr void decide(index leaf, index level) {
        if (!polls_) return;
        const auto p = begin();
        flatten::entries(m_.states, no_index, leaf, [&](index s) {
            if (m_.states[s].polled.count == 0) return;
            list from_s;
            polled_of(s, from_s, false, level);
            try_each(leaf, from_s);
        });
        finish_decision(p, level == no_index ? -1 : static_cast<int>(m_.states[level].depth));
    }
    constexpr void decide_all(index leaf) {
        if (!polls_) return;
        const auto p = begin();
        flatten::exits(m_.states, leaf, no_index, [&](index s) {
            if (m_.states[s].polled.count == 0) return;
            list from_s;
            polled_of(s, from_s, true, no_index);
            try_each(leaf, from_s);
        });
        finish_decision(p, -1);
    }
    constexpr void finish_decision(std::uint32_t p, int depth) {
        if (begin() == p) return;
        end(constant_next);
        steps.push_back({false, false, depth, p});
    }
    constexpr void retry(index machine, int depth) {
        const auto p = begin();
        from_ = machine;
        retried_ = machine;
        base::depart(machine, reason::entry);
        entry(machine, {m_.states[machine].depth + 1u, false});
        retried_ = no_index;
        steps.push_back({false, false, depth, p});
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
            if (m_.is_excluded(transitions[at], leaf)) continue;
            list refused;
            if (t.on_finished && m_.states[t.source].mark < 0) continue; // the root, or a state without final substates
            if (t.on_finished) refused.push_back(emit(kind::if_marked, static_cast<std::uint32_t>(m_.states[t.source].mark)));
            base::tests(transitions[at], at == 0, refused);
            const bool reached = flatten::leads_to_own_substate(m_.states, t.source, t.target, t.reenter) &&
                                 flatten::contains(m_.states, m_.machine_of(t.target), leaf);
            const bool by_history = reached && m_.is_history(t.target);
            list fires;
            if (by_history) {
                list satisfied;
                base::reach(t.target, leaf, t.level, satisfied, fires);
                land(satisfied);
            }
            if (reached) {
                list others;
                for (auto i = at + 1; i < transitions.size(); ++i)
                    if (row(transitions[i]).target == no_index || row(transitions[i]).level != t.level) others.push_back(transitions[i]);
                if (others.size() < transitions.size() - at - 1) {
                    try_from(leaf, others, 0, behind);
                    behind.push_back(emit(kind::go));
                } else if (by_history) {
                    refused.push_back(emit(kind::go));
                }
                land(fires);
            }
            if (!reached || by_history) body(leaf, transitions[at]);
            land(refused);
        }
    }
    /// Tries only transient states that were entered and not yet tried without success.
    constexpr std::uint32_t make_transient(index leaf) {
        const auto p = begin();
        flatten::deciders(m_.states, no_index, leaf, order_, [&](index s) {
            if (!m_.states[s].transient || m_.states[s].polled.count == 0) return;
            list older;
            older.push_back(emit(kind::if_just_entered, m_.states[s].depth));
            list from_s;
            polled_of(s, from_s, true, no_index);
            try_each(leaf, from_s);
            land(older);
        });
        return begin() == p ? 0 : (end(constant_next), p);
    }
    constexpr std::uint32_t make_completion(index leaf) {
        const auto p = begin();
        flatten::deciders(m_.states, no_index, leaf, order_, [&](index s) {
            if (m_.states[s].mark < 0) return;
            list asked;
            asked.push_back(emit(kind::if_due, static_cast<std::uint32_t>(m_.states[s].mark)));
            const auto& span = m_.states[s].polled;
            for (auto t = span.first; t < span.first + span.count; ++t) {
                if (!row(t).on_finished || m_.is_excluded(t, leaf)) continue;
                list refused;
                guards(t, row(t).source, refused);
                body(leaf, t);
                land(refused);
            }
            land(asked);
        });
        return begin() == p ? 0 : (end(constant_next), p);
    }

    /// With superstate_first, in the order of their levels.
    constexpr std::uint32_t make_always(index leaf) {
        const auto p = begin();
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
            flatten::exits(m_.states, leaf, no_index, [&](index s) { try_source(s, true, no_index); });
        }
        return begin() == p ? 0 : (end(constant_next), p);
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

private:
    bool polls_ = false;                   ///< there are polled transitions
    constant_list<constant_span> updates_; ///< by state: indices in update_parts_
    list update_parts_;                    ///< programs
};

} // namespace hsm::detail
