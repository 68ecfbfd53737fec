/// Writes what a constant chart does: what program_maker does when a program runs, by the same functions of flatten.hpp.
#pragma once

#include <hsm/constant/constant_list.hpp>
#include <hsm/constant/constant_rows.hpp>

namespace hsm::detail {

/// Size: of the tables of what was defined.
template <class Context, constant_model_sizes Size> class constant_programs {
    using model = constant_model_tables<Context, Size>;
    using list = constant_list<std::uint32_t>;

public:
    constexpr constant_programs(const model& m, decision_order order) : m_(m), order_(order) {
        unhandled_ = end(static_cast<constant_code>(result::unhandled));
        inactive_ = end(static_cast<constant_code>(result::inactive));
        shared_.append(m.transitions.size(), 0);
        shared_with_.append(m.transitions.size(), 0);
        updates_.append(m.states.size(), 0);
        ops.reserve(8 * m.states.size());
        leaves.reserve(m.states.size());
        steps.reserve(m.states.size());
        for (const auto& state : m.states) polls_ |= state.polled.count > 0;
        number_leaves();
        cells.append(std::size_t(Size.columns) * (leaves.size() + 1), unhandled_);
        for (index rank = 0; rank < leaves.size(); ++rank) make_row(rank);
        for (std::uint32_t column = 0; column < Size.columns; ++column) cell(column, leaves.size()) = inactive_;
        start = begin();
        from_ = no_index;
        arrive(0, enter_below(no_index, 0, {}));
        for (auto& leaf : leaves) make_leaf(leaf);
    }

    constant_list<constant_op> ops;
    constant_list<std::uint32_t> cells;
    constant_list<constant_step> steps;
    constant_list<constant_leaf_row> leaves;
    std::uint32_t start = 0;

private:
    /// What is known of a transition while it is written.
    struct progress {
        std::uint32_t kept = 0;
        bool transient = false;
        constexpr std::uint32_t code() const { return constant_taken(kept, transient); }
    };
    using kind = constant_op::kind_of;

    constexpr std::uint32_t begin() const { return static_cast<std::uint32_t>(ops.size()); }
    constexpr std::uint32_t emit(kind k, std::uint32_t operand = 0) {
        ops.push_back({k, operand, 0});
        return begin() - 1;
    }
    constexpr std::uint32_t end(constant_code code) { return emit(kind::end, code); }
    constexpr void land(const list& jumps) {
        for (const auto at : jumps) ops[at].otherwise = begin();
    }
    constexpr std::uint32_t& cell(std::uint32_t column, std::size_t rank) { return cells[column * (leaves.size() + 1) + rank]; }
    constexpr bool is_machine(index s) const { return m_.states[s].kind == state_kind::machine; }
    constexpr bool is_guarded(std::uint32_t t) const { return m_.transitions[t].guard >= 0; }
    constexpr const constant_transition_row& row(std::uint32_t t) const { return m_.transitions[t]; }

    /// Besides the states without substates, machines can be leaves that may refuse all of their choices.
    constexpr void number_leaves() {
        ranks_.append(m_.states.size(), no_index);
        for (index s = 0; s < m_.states.size(); ++s) {
            bool rests = false;
            if (is_machine(s)) {
                const auto nothing = [](auto) {};
                flatten::entry_choice(m_.states[s].choices, m_.states[s].initial, [&](auto t) { return is_guarded(t); }, nothing, nothing,
                                      [&] { rests = true; }, [] {});
                if (!rests) continue;
            }
            ranks_[s] = static_cast<index>(leaves.size());
            constant_leaf_row leaf;
            leaf.state = s;
            leaf.over = m_.states[s].kind == state_kind::final && m_.states[s].superstate == 0;
            leaves.push_back(leaf);
        }
    }

    // One state, one transition.
    constexpr void call(const constant_span& hooks) {
        for (auto h = hooks.first; h < hooks.first + hooks.count; ++h) emit(kind::hook, h);
    }
    constexpr void enter(index s, progress& p) {
        const auto& state = m_.states[s];
        call(state.enter);
        if (state.kind == state_kind::final && m_.states[state.superstate].mark >= 0)
            emit(kind::mark, static_cast<std::uint32_t>(m_.states[state.superstate].mark));
        p.transient |= state.transient;
    }
    constexpr void exit(index s) {
        call(m_.states[s].exit);
        if (m_.states[s].mark >= 0) emit(kind::unmark, static_cast<std::uint32_t>(m_.states[s].mark));
    }
    constexpr progress enter_below(index level, index target, progress p) {
        flatten::entries(m_.states, level, target, [&](index s) { enter(s, p); });
        return p;
    }
    constexpr void guards(std::int32_t first, list& refused) {
        for (auto g = first; g >= 0; g = m_.guards[static_cast<std::size_t>(g)].next)
            refused.push_back(emit(kind::ask, static_cast<std::uint32_t>(g)));
    }

    /// From a leaf, to the transition's end.
    constexpr void body(index leaf, std::uint32_t number) {
        const auto& t = row(number);
        if (t.target == no_index) {
            call(t.actions);
            end(static_cast<constant_code>(result::internal));
            return;
        }
        from_ = leaf;
        if (links_) emit(kind::link, leaf);
        flatten::exits(m_.states, leaf, t.level, [&](index s) { exit(s); });
        call(t.actions);
        announce(static_leaf(t.target));
        const auto kept = t.level == no_index ? 0 : m_.states[t.level].depth + 1u;
        arrive(t.target, enter_below(t.level, t.target, {kept, false}));
    }

    // Where an entered machine goes.
    constexpr void arrive(index target, progress p) {
        if (!is_machine(target))
            done(target, p);
        else if (is_static(target))
            entry(target, p);
        else
            emit(kind::jump, entry_program(target, p));
    }
    constexpr bool is_static(index machine) const {
        const auto& choices = m_.states[machine].choices;
        return choices.count == 0 || !is_guarded(choices.first);
    }
    /// Where it leads, if no guard has a say in it.
    constexpr index static_leaf(index target) const {
        while (is_machine(target)) {
            if (!is_static(target)) return no_index;
            const auto& state = m_.states[target];
            const auto leads = [&](std::uint32_t t) { target = row(t).target; };
            flatten::entry_choice(state.choices, state.initial, [&](auto t) { return is_guarded(t); }, leads, leads, [] {}, [&] { target = state.first; });
        }
        return target;
    }
    /// Between the exits and the entries, if it is known: then the compiler does not put the memory of both together, which is
    /// slower where they touch the same cache lines.
    constexpr void announce(index leaf) {
        if (leaf == no_index || leaf == from_) return;
        emit(kind::leaf, ranks_[leaf]);
        from_ = leaf;
    }
    constexpr void done(index leaf, progress p) {
        announce(leaf);
        end(p.code());
    }
    constexpr void entry(index machine, progress p) {
        const auto& state = m_.states[machine];
        const auto take = [&](std::uint32_t number) {
            const auto from = from_; // the alternatives share nothing
            call(row(number).actions);
            arrive(row(number).target, enter_below(machine, row(number).target, p));
            from_ = from;
        };
        flatten::entry_choice(
            state.choices, state.initial, [&](auto t) { return is_guarded(t); },
            [&](std::uint32_t t) {
                list refused;
                guards(row(t).guard, refused);
                take(t);
                land(refused);
            },
            take, [&] { machine == retried_ ? void(end(constant_next)) : done(machine, p); }, [&] { arrive(state.first, enter_below(machine, state.first, p)); });
    }

    /// An entry that is decided by guards is made once for all transitions that stay as far out; written behind all else.
    struct shared_entry {
        index machine = 0;
        progress p;
        std::uint32_t at = 0;
    };
    constexpr std::uint32_t entry_program(index machine, progress p) {
        for (const auto& e : entries_)
            if (e.machine == machine && e.p.kept == p.kept && e.p.transient == p.transient) return e.at;
        const auto around = emit(kind::go);
        const auto at = begin();
        entries_.push_back({machine, p, at});
        const auto from = from_;
        from_ = no_index;
        entry(machine, p);
        from_ = from;
        ops[around].otherwise = begin();
        return at;
    }

    // Events.
    /// The column of an event.
    constexpr std::uint32_t column_of(index event) const {
        for (const auto& type : m_.types) {
            if (type.type != m_.events[event].type) continue;
            if (type.dense) return type.first + static_cast<std::uint32_t>(m_.events[event].value - type.first_value);
            auto column = type.first;
            for (index e = 0; e < event; ++e) column += m_.events[e].type == type.type;
            return column;
        }
        return 0;
    }
    constexpr void make_row(index rank) {
        const auto leaf = leaves[rank].state;
        if (leaves[rank].over) {
            for (std::uint32_t column = 0; column < Size.columns; ++column) cell(column, rank) = inactive_;
            return;
        }
        list all;
        flatten::candidates(m_.states, leaf, order_, [&](index s) { return m_.states[s].events; }, [&](std::uint32_t t) { all.push_back(t); });
        list same;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto column = column_of(row(all[i]).event);
            if (cell(column, rank) != unhandled_) continue;
            same.clear();
            for (auto k = i; k < all.size(); ++k)
                if (row(all[k]).event == row(all[i]).event) same.push_back(all[k]);
            cell(column, rank) = event_program(leaf, same);
        }
    }
    /// What nobody leaves a state for is the same for all leaves.
    constexpr std::uint32_t event_program(index leaf, const list& candidates) {
        bool internal = true;
        for (const auto t : candidates) internal &= row(t).target == no_index;
        const auto first = candidates[0];
        if (internal && shared_[first] && shared_with_[first] == candidates.size()) {
            bool equal = true;
            for (std::size_t i = 0; i < candidates.size(); ++i) equal &= candidates_[shared_[first] - 1 + i] == candidates[i];
            if (equal) return candidates_[shared_[first] - 1 + candidates.size()];
        }
        const auto p = make_event_program(leaf, candidates);
        if (internal) {
            shared_[first] = static_cast<std::uint32_t>(candidates_.size()) + 1;
            shared_with_[first] = static_cast<std::uint32_t>(candidates.size());
            for (const auto t : candidates) candidates_.push_back(t);
            candidates_.push_back(p);
        }
        return p;
    }
    constexpr std::uint32_t make_event_program(index leaf, const list& candidates) {
        const auto p = begin();
        for (const auto number : candidates) {
            list refused;
            guards(row(number).guard, refused);
            body(leaf, number);
            if (refused.empty()) return p;
            land(refused);
        }
        end(static_cast<constant_code>(result::guarded));
        return p;
    }

    // Ticks.
    constexpr void make_leaf(constant_leaf_row& leaf) {
        leaf.stop = begin();
        flatten::exits(m_.states, leaf.state, no_index, [&](index s) { exit(s); });
        emit(kind::leaf, static_cast<std::uint32_t>(leaves.size()));
        end(constant_taken(0, false));
        leaf.steps.first = static_cast<std::uint32_t>(steps.size());
        if (leaf.over) return;
        flatten::tick_steps(
            m_.states, leaf.state, order_, [&](index s) { return is_machine(s); }, [&](index s) { update(s); },
            [&](index level) { decide(leaf.state, level); }, [&] { decide_all(leaf.state); }, [&](int depth) { retry(leaf.state, depth); });
        leaf.steps.count = static_cast<std::uint32_t>(steps.size()) - leaf.steps.first;
        links_ = true;
        if (Size.transients) leaf.transient = make_transient(leaf.state);
        if (Size.marks) leaf.completion = make_completion(leaf.state);
        links_ = false;
    }
    /// The same for all leaves below it.
    constexpr void update(index s) {
        const auto& state = m_.states[s];
        if (!state.updates) return;
        if (updates_[s] == 0) updates_[s] = make_update(state);
        steps.push_back({true, state.depth, updates_[s]});
    }
    constexpr std::uint32_t make_update(const constant_state_row& state) {
        const auto p = begin();
        call(state.update);
        for (auto t = state.reactions.first; t < state.reactions.first + state.reactions.count; ++t) {
            list refused;
            guards(row(t).guard, refused);
            call(row(t).actions);
            land(refused);
        }
        end(constant_next);
        return p;
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
        steps.push_back({false, depth, p});
    }
    constexpr void retry(index machine, int depth) {
        const auto p = begin();
        from_ = machine;
        retried_ = machine;
        entry(machine, {m_.states[machine].depth + 1u, false});
        retried_ = no_index;
        steps.push_back({false, depth, p});
    }
    /// A source's transitions in order. A satisfied one bars the later ones of its level: the others get a sequence of their own.
    /// Ends where the next source is tried.
    constexpr void try_each(index leaf, const list& transitions) {
        list behind;
        try_from(leaf, transitions, 0, behind);
        land(behind);
    }
    constexpr void try_from(index leaf, const list& transitions, std::size_t at, list& behind) {
        for (; at < transitions.size(); ++at) {
            const auto& t = row(transitions[at]);
            list refused;
            if (t.on_finished && m_.states[t.source].mark < 0) continue; // the root, or a state without a final substate
            if (t.on_finished) refused.push_back(emit(kind::if_marked, static_cast<std::uint32_t>(m_.states[t.source].mark)));
            guards(t.guard, refused);
            if (flatten::leads_to_own_substate(m_.states, t.source, t.target, t.reenter) && flatten::contains(m_.states, t.target, leaf)) {
                list others;
                for (auto i = at + 1; i < transitions.size(); ++i)
                    if (row(transitions[i]).level != t.level) others.push_back(transitions[i]);
                if (others.size() < transitions.size() - at - 1) {
                    try_from(leaf, others, 0, behind);
                    behind.push_back(emit(kind::go));
                }
            } else {
                body(leaf, transitions[at]);
            }
            land(refused);
        }
    }
    /// Only the transient states that the last transition has entered.
    constexpr std::uint32_t make_transient(index leaf) {
        const auto p = begin();
        flatten::deciders(m_.states, leaf, order_, [&](index s) {
            if (!m_.states[s].transient || m_.states[s].polled.count == 0) return;
            list older;
            older.push_back(emit(kind::if_fresh, m_.states[s].depth));
            list from_s;
            polled_of(s, from_s, true, no_index);
            try_each(leaf, from_s);
            land(older);
        });
        return begin() == p ? 0 : (end(constant_next), p);
    }
    constexpr std::uint32_t make_completion(index leaf) {
        const auto p = begin();
        flatten::deciders(m_.states, leaf, order_, [&](index s) {
            if (m_.states[s].mark < 0) return;
            list asked;
            asked.push_back(emit(kind::if_due, static_cast<std::uint32_t>(m_.states[s].mark)));
            const auto& span = m_.states[s].polled;
            for (auto t = span.first; t < span.first + span.count; ++t) {
                if (!row(t).on_finished) continue;
                list refused;
                guards(row(t).guard, refused);
                body(leaf, t);
                land(refused);
            }
            land(asked);
        });
        return begin() == p ? 0 : (end(constant_next), p);
    }

    const model& m_;
    decision_order order_;
    std::uint32_t unhandled_ = 0;
    std::uint32_t inactive_ = 0;
    index from_ = no_index; ///< the leaf before the transition that is being written
    bool polls_ = false; ///< there are polled transitions
    index retried_ = no_index; ///< the machine at rest that makes its choice anew
    bool links_ = false; ///< what is being written follows from another transition
    constant_list<index> ranks_;
    constant_list<std::uint32_t> updates_;    ///< programs, by state
    constant_list<std::uint32_t> shared_;    ///< by the first candidate: where in candidates_, from 1
    constant_list<std::uint32_t> shared_with_;
    constant_list<std::uint32_t> candidates_; ///< lists of internal ones, each followed by its program
    constant_list<shared_entry> entries_;
};

} // namespace hsm::detail
