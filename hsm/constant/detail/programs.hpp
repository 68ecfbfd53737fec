/// Writes what a constant chart does: for each leaf and event, at the start, in ticks.
#pragma once

#include <hsm/constant/detail/tick_writer.hpp>

namespace hsm::detail {

template <class Context, constant_model_sizes Size> class constant_programs : public constant_tick_writer<Context, Size> {
    using base = constant_tick_writer<Context, Size>;

public:
    constexpr constant_programs(const typename base::model& m, decision_order order) : base(m, order) {
        unhandled_ = end(static_cast<constant_code>(result::unhandled));
        inactive_ = end(static_cast<constant_code>(result::inactive));
        shared_.append(m.transitions.size(), 0);
        shared_with_.append(m.transitions.size(), 0);
        cells.append(std::size_t(Size.columns) * (leaves.size() + 1), unhandled_);
        for (index rank = 0; rank < leaves.size(); ++rank) make_row(rank);
        for (std::uint32_t column = 0; column < Size.columns; ++column) cell(column, leaves.size()) = inactive_;
        start = begin();
        base::from_ = no_index;
        typename base::transition_sink sink{*this, no_index, {0, false}};
        flatten::write_entries(m_, no_index, index(0), sink);
        for (auto& leaf : leaves) base::make_leaf(leaf);
    }

    using base::leaves;
    constant_list<std::uint32_t> cells; ///< programs, by column and leaf
    std::uint32_t start = 0;

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
    /// The column of an event.
    constexpr std::uint32_t column_of(index event) const {
        const auto& type = m_.types[m_.events[event].type];
        if (type.dense) return type.first + static_cast<std::uint32_t>(m_.events[event].value - type.first_value);
        auto column = type.first;
        for (index e = 0; e < event; ++e) column += m_.events[e].type == m_.events[event].type;
        return column;
    }
    constexpr void make_row(index rank) {
        const auto leaf = leaves[rank].state;
        if (leaves[rank].over) {
            for (std::uint32_t column = 0; column < Size.columns; ++column) cell(column, rank) = inactive_;
            return;
        }
        list all;
        flatten::candidates(
            m_.states, no_index, leaf, order_, [&](index s) { return m_.states[s].events; }, [](std::uint32_t) { return false; },
            [&](std::uint32_t t) { all.push_back(t); });
        list same;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto column = column_of(row(all[i]).event);
            if (cell(column, rank) != unhandled_) continue;
            same.clear();
            for (auto k = i; k < all.size(); ++k)
                if (row(all[k]).event == row(all[i]).event && !m_.is_excluded(all[k], leaf)) same.push_back(all[k]);
            cell(column, rank) = same.empty() ? refused() : event_program(leaf, same);
        }
    }
    /// All are excluded.
    constexpr std::uint32_t refused() {
        if (refused_ == 0) refused_ = end(static_cast<constant_code>(result::guarded));
        return refused_;
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

    std::uint32_t unhandled_ = 0;
    std::uint32_t inactive_ = 0;
    std::uint32_t refused_ = 0;           ///< 0: not made yet
    constant_list<std::uint32_t> shared_; ///< by the first candidate: where in candidates_, from 1
    constant_list<std::uint32_t> shared_with_;
    constant_list<std::uint32_t> candidates_; ///< lists of internal ones, each followed by its program
};

} // namespace hsm::detail
