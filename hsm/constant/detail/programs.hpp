/// Writes the programs of a constant chart: for each leaf and event, for the start, and for ticks.
#pragma once

#include <hsm/constant/detail/tick_writer.hpp>

namespace hsm::detail {

template <class Context, constant_model_sizes Size> class constant_programs : public constant_tick_writer<Context, Size> {
    using base = constant_tick_writer<Context, Size>;

public:
    constexpr constant_programs(const typename base::model& m, const constant_chart_options& options, std::uint32_t traced_kinds)
        : base(m, options, traced_kinds) {
        unhandled_ = end(static_cast<constant_code>(result::unhandled));
        inactive_ = end(static_cast<constant_code>(result::inactive));
        shared_.append(m.transitions.size(), 0);
        shared_with_.append(m.transitions.size(), 0);
        for (index region = Size.regions; region-- > 1; base::open_.clear()) base::entered[region].enter = base::enter_region(region);
        cells.append(std::size_t(Size.columns) * (leaves.size() + 1), unhandled_);
        if constexpr (base::has_regions)
            for (const auto& leaf : leaves) count_waiting(leaf);
        for (index rank = 0; rank < leaves.size(); ++rank) make_row(rank);
        for (std::uint32_t column = 0; column < Size.columns; ++column) cell(column, leaves.size()) = inactive_;
        start = begin();
        base::from_ = no_index;
        base::trace({record_kind::transition, static_cast<std::uint8_t>(reason::start), no_index, record::no_number, 0});
        if (Size.always) base::emit(base::kind::fired);
        base::depart(no_index, reason::start, no_index);
        base::enter_by(static_cast<std::uint32_t>(Size.transitions));
        constant_transition_row to_root;
        to_root.target = 0;
        base::entries(no_index, to_root);
        for (auto& leaf : leaves) base::make_leaf(leaf);
        if constexpr (base::has_regions) make_moves();
        if (Size.any_event < Size.types && base::has_regions) any_event_of_all = make_any_event(no_index);
        settled = begin();
        base::call(m_.states[0].settled);
        end(constant_next);
        for (std::size_t rank = 0; Size.unhandles && rank < leaves.size(); ++rank) make_declined(leaves[rank].state);
        if (base::has_regions)
            make_retries(no_index);
        else
            for (const auto& leaf : leaves) make_retries(leaf.state, leaf.over);
        for (const auto& leaf : leaves)
            for (const auto t : m_.carried) overdue.push_back(leaf.over ? 0 : make_overdue(leaf.state, t));
    }

    using base::leaves;
    constant_list<constant_move> moves; ///< of charts with regions
    constant_list<std::uint32_t> exits, completions, retries, overdue, declined;
    constant_list<constant_column> waiting; ///< of charts with regions, by column
    std::uint32_t always_of_all = 0;        ///< with superstate_first: selects one of all `.always()` transitions
    std::uint32_t any_event_of_all = 0;     ///< of charts with regions: selects one of the transitions on any_event
    constant_list<std::uint32_t> cells;     ///< programs, by column and leaf
    std::uint32_t start = 0, settled = 0;

private:
    using base::begin;
    using base::body;
    using base::end;
    using base::guards;
    using base::land;
    using base::m_;
    using base::order_;
    using base::row;
    using typename base::list;

    constexpr std::uint32_t& cell(std::uint32_t column, std::size_t rank) { return cells[column * (leaves.size() + 1) + rank]; }
    constexpr void make_row(index rank) {
        const auto leaf = leaves[rank].state;
        if (leaves[rank].over) {
            for (std::uint32_t column = 0; column < Size.columns; ++column) cell(column, rank) = inactive_;
            return;
        }
        list all;
        flatten::candidates(
            m_.states, m_.above(m_.states[leaf].region), leaf, order_, [&](index s) { return m_.states[s].events; },
            [&](std::uint32_t t) { return row(t).defers; }, [&](std::uint32_t t) { all.push_back(t); });
        made_here_.clear();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto& event = m_.events[row(all[i]).event];
            const auto& type = m_.types[event.type];
            if (event.type == Size.any_event) continue;
            for (auto column = type.first; column < type.first + type.count; ++column)
                if (cell(column, rank) == unhandled_ && m_.waits_for(event, column)) cell(column, rank) = program_for(leaf, column, all, i);
        }
        if (Size.any_event < Size.types && !base::has_regions) cell(m_.types[Size.any_event].first, rank) = make_any_event(leaf);
    }
    /// Writes the program that tries the transitions on any_event, those of the innermost state first. With regions, one program
    /// selects transitions in all of them.
    constexpr std::uint32_t make_any_event(index leaf) {
        const auto p = begin();
        if constexpr (base::has_regions) {
            int depth = 0;
            for (const auto& s : m_.states) depth = depth > s.depth ? depth : s.depth;
            for (; depth >= 0; --depth)
                for (index s = 0; s < m_.states.size(); ++s)
                    if (m_.states[s].depth == depth) try_any_event(s, leaf);
            return end(constant_next), p;
        } else {
            flatten::exits(m_.states, leaf, no_index, [&](index s) { try_any_event(s, leaf); });
            return begin() == p ? unhandled_ : (end(static_cast<constant_code>(result::guarded)), p);
        }
    }
    constexpr void try_any_event(index s, index leaf) {
        const auto& span = m_.states[s].events;
        for (auto t = span.first; t < span.first + span.count; ++t) {
            if (m_.events[row(t).event].type != Size.any_event) continue;
            list refused;
            if (base::is_excluded(t, leaf)) refused.push_back(base::emit(base::kind::go));
            if (base::has_regions) refused.push_back(base::emit(base::kind::if_active, s));
            guards(t, s, refused);
            typename base::holder_list holders;
            base::hold_tests(leaf, t, holders);
            for (const auto& h : holders) refused.push_back(h.at);
            base::fire(leaf, t);
            land(refused);
        }
    }
    constexpr void count_waiting(const constant_leaf_row& leaf) {
        if (waiting.empty()) waiting.append(Size.columns, {});
        const auto region = m_.states[leaf.state].region;
        const auto above = m_.above(region);
        flatten::candidates(
            m_.states, above, leaf.state, order_, [&](index s) { return m_.states[s].events; }, [](std::uint32_t) { return false; },
            [&](std::uint32_t t) {
                const auto& event = m_.events[row(t).event];
                if (event.type == Size.any_event) return;
                for (auto column = m_.types[event.type].first; column < m_.types[event.type].first + m_.types[event.type].count; ++column) {
                    if (!m_.waits_for(event, column)) continue;
                    auto& w = waiting[column];
                    w.regions |= std::uint64_t(1) << region % 64;
                    w.waits |= row(t).waits >= 0;
                    w.stays &= row(t).target == no_index || m_.region_of_level(row(t).level) == region;
                    for (index other = 0; other < region; ++other) w.stays &= !(w.regions >> other % 64 & 1) || m_.above(other) == above;
                }
            });
    }
    /// Returns the program of the candidates from the i-th on; columns with the same candidates share it.
    constexpr std::uint32_t program_for(index leaf, std::uint32_t column, const list& all, std::size_t i) {
        list same;
        const auto type = m_.events[row(all[i]).event].type;
        for (auto k = i; k < all.size(); ++k) {
            const auto& event = m_.events[row(all[k]).event];
            if (event.type == type && m_.waits_for(event, column) && !base::is_excluded(all[k], leaf)) same.push_back(all[k]);
        }
        if (same.empty()) return refused();
        list key;
        for (const auto t : same) key.push_back(t);
        if (base::traced_kinds_) key.push_back(base::numbers.events()[column]); // records contain the event
        const bool fires = base::has_regions && waiting[column].count() == 1;
        if (fires) key.push_back(Size.transitions); // other columns with these candidates select them
        if (const auto known = find(made_here_, key)) return known;
        base::column_ = column;
        base::fires_at_once_ = base::notes_changes_ = fires;
        const auto p = event_program(leaf, same);
        base::fires_at_once_ = base::notes_changes_ = false;
        base::column_ = no_column;
        note(made_here_, key, p);
        return p;
    }
    /// Finds a program by its candidates. An entry is their number, the candidates, and the program.
    static constexpr std::uint32_t find(const list& made, const list& candidates) {
        for (std::size_t at = 0; at < made.size(); at += made[at] + 2) {
            bool equal = made[at] == candidates.size();
            for (std::size_t i = 0; equal && i < candidates.size(); ++i) equal = made[at + 1 + i] == candidates[i];
            if (equal) return made[at + 1 + candidates.size()];
        }
        return 0;
    }
    static constexpr void note(list& made, const list& candidates, std::uint32_t program) {
        made.push_back(static_cast<std::uint32_t>(candidates.size()));
        for (const auto t : candidates) made.push_back(t);
        made.push_back(program);
    }
    /// Returns the program for events all of whose candidates are excluded.
    constexpr std::uint32_t refused() {
        if (refused_ == 0) refused_ = end(static_cast<constant_code>(result::guarded));
        return refused_;
    }
    /// A program in which no transition leaves a state is shared by all leaves.
    constexpr std::uint32_t event_program(index leaf, const list& candidates) {
        bool internal = base::traced_kinds_ == 0 && !base::fires_at_once_;
        for (const auto t : candidates) internal &= base::has_regions || row(t).target == no_index;
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
            if (row(number).defers) {
                if (base::has_regions && !base::fires_at_once_)
                    base::select(number);
                else
                    end(static_cast<constant_code>(result::deferred));
                return p;
            }
            guards(number, row(number).source, refused);
            typename base::holder_list holders;
            if (!base::has_regions || base::fires_at_once_) base::hold_tests(leaf, number, holders);
            base::fire(leaf, number);
            end_held(holders, number);
            if (refused.empty()) return p;
            land(refused);
        }
        end(static_cast<constant_code>(result::guarded));
        return p;
    }

    constexpr void make_declined(index leaf) {
        const auto s = m_.innermost_unhandled(leaf);
        declined.push_back(s == no_index ? 0 : begin());
        if (s == no_index) return;
        base::call(m_.states[s].unhandled);
        end(constant_next);
    }
    /// Writes what happens if these states hold an event.
    constexpr void end_held(const typename base::holder_list& holders, std::uint32_t number) {
        for (const auto& h : holders) base::ops[h.at].otherwise = begin();
        if (!holders.empty()) end(constant_held | number << 8);
    }
    constexpr void make_retries(index leaf, bool over = false) {
        for (std::uint32_t t = 0; Size.held > 0 && t < Size.transitions; ++t)
            if (row(t).waits >= 0) retries.push_back(over ? 0 : make_retry_of(leaf, t));
    }
    /// Writes the program that tries a waiting transition again: a polled one, or a pending event. With regions, selects it, and moves test whether
    /// the event is held.
    constexpr std::uint32_t make_retry_of(index leaf, std::uint32_t t) {
        if (!base::has_regions && !flatten::contains(m_.states, row(t).source, leaf)) return 0;
        if (row(t).event == no_index) {
            const auto p = base::begin_search();
            list one;
            one.push_back(t);
            base::try_each(leaf, one);
            return base::end_search(p);
        }
        const auto p = begin();
        typename base::holder_list holders;
        if (!base::has_regions) base::hold_tests(leaf, t, holders);
        list refused;
        if (base::is_excluded(t, leaf)) refused.push_back(base::emit(base::kind::go));
        guards(t, row(t).source, refused);
        base::emit(base::kind::firing, m_.slot_of(row(t).level));
        base::fire(leaf, t);
        land(refused);
        end(static_cast<constant_code>(result::guarded));
        end_held(holders, t);
        return p;
    }
    /// Writes the program that tries a transition with carry_over. It does not fire if an earlier one of its source and level is satisfied.
    constexpr std::uint32_t make_overdue(index leaf, std::uint32_t t) {
        const auto source = row(t).source;
        if (m_.states[leaf].region != m_.region_of_level(row(t).level) || !base::may_be_active(source, leaf)) return 0;
        list own;
        for (auto other = m_.states[source].polled.first; other < t; ++other)
            if (row(other).candidate < 0 && row(other).level == row(t).level && base::is_any_state(other)) own.push_back(other);
        own.push_back(t);
        const auto p = base::begin_search();
        base::only_ = t;
        base::fires_at_once_ = base::has_regions;
        base::try_each(leaf, own);
        base::fires_at_once_ = false;
        base::only_ = base::no_transition;
        return base::end_search(p);
    }
    /// Writes the steps of each transition: the exits for each leaf of its level's region, the action, the entries.
    constexpr void make_moves() {
        for (std::uint32_t t = 0; t < Size.transitions; ++t) {
            const auto& r = row(t);
            auto& move = moves.push_back({r.source, r.level, m_.region_of_level(r.level), r.target != no_index, r.defers, base::reason_of(r)});
            if (r.role != constant_role::ordinary || r.defers) continue;
            if (r.event != no_index && r.waits >= 0) {
                move.holds = begin();
                typename base::holder_list holders;
                base::hold_tests(no_index, t, holders);
                end(constant_next);
                end_held(holders, t);
            }
            move.action = begin();
            base::begin_firing(r);
            list exited; // by another transition, so the locals of a reaction do not exist
            if (r.target == no_index && takes_locals(r)) exited.push_back(base::emit(base::kind::if_active, r.source));
            base::actions(r);
            land(exited);
            if (begin() == move.action)
                move.action = 0;
            else
                end(constant_next);
            if (r.target == no_index) continue;
            move.exits = exits_to(t);
            for (std::uint32_t other = 0; other < t && move.entries == 0; ++other)
                if (row(other).level == r.level && row(other).target == r.target && row(other).further.count + r.further.count == 0)
                    move.entries = moves[other].entries;
            if (move.entries) continue;
            move.entries = begin();
            base::entries(r.level, r);
        }
        for (std::uint32_t mark = 0; mark < Size.marks; ++mark)
            for (index s = 0; s < m_.states.size(); ++s)
                if (m_.states[s].mark == static_cast<std::int32_t>(mark)) completions.push_back(base::make_completion_of(s));
        if (Size.always && order_ == decision_order::superstate_first) always_of_all = base::make_always_of_all();
    }
    constexpr bool takes_locals(const constant_transition_row& t) const {
        bool takes = false;
        for (auto h = t.actions.first; h < t.actions.first + t.actions.count; ++h) takes |= m_.hooks[h].needs != nullptr;
        return takes;
    }
    constexpr std::uint32_t exits_to(std::uint32_t t) {
        const auto level = row(t).level;
        for (std::uint32_t other = 0; other < t; ++other)
            if (row(other).role == constant_role::ordinary && row(other).target != no_index && row(other).level == level) return moves[other].exits;
        const auto first = static_cast<std::uint32_t>(exits.size());
        for (const auto& leaf : leaves) {
            if (m_.states[leaf.state].region != m_.region_of_level(level)) continue;
            const bool inside = !leaf.over && (level == no_index || flatten::contains(m_.states, level, leaf.state));
            exits.push_back(inside ? base::exits(leaf.state, level) : 0);
            if (inside) end(constant_next);
        }
        return first;
    }

    std::uint32_t unhandled_ = 0;
    std::uint32_t inactive_ = 0;
    std::uint32_t refused_ = 0;           ///< 0: not yet made
    constant_list<std::uint32_t> shared_; ///< by the first candidate: the index in candidates_, from 1
    constant_list<std::uint32_t> shared_with_;
    constant_list<std::uint32_t> candidates_; ///< lists of internal transitions, each followed by its program
    list made_here_;                          ///< in the current row
};

} // namespace hsm::detail
