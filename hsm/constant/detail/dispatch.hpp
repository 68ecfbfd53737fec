/// Finds the effect of an event in a leaf. If the compiler converts comparisons to a good switch, all programs are inline in one, as in handwritten
/// code. Otherwise a table of functions is used.
#pragma once

#include <hsm/constant/detail/cells.hpp>
#include <hsm/op/detail/compiler.hpp>

namespace hsm::detail {

/// The programs of one leaf by the values of an event. The values of a program are grouped, so that its code exists once.
template <std::size_t Width> struct constant_cases {
    struct one {
        std::uint32_t program = 0;
        std::uint32_t first = 0; ///< the first of its intervals
        std::uint32_t count = 0;
    };
    constant_array<one, Width> cases{};
    constant_array<event_interval, Width> intervals{};
    std::uint32_t count = 0;    ///< the number of cases
    std::uint32_t fallback = 0; ///< the program of all other values
};

/// The effects of the events of one type: by the leaf, and the column within the type.
template <class Chart, std::size_t Type> struct constant_rows {
    static constexpr auto type = Chart::tables.types[Type];
    static constexpr std::size_t width = type.count;
    static constexpr std::size_t leaves = Chart::size.leaves + 1; ///< the last one means not started
    static constexpr std::uint32_t program(std::size_t leaf, std::size_t column) {
        return Chart::tables.cells[(type.first + column) * leaves + leaf];
    }
    static constexpr event_interval values(std::size_t column) { return Chart::tables.columns[type.first + column]; }

    static constexpr std::uint64_t offset(std::int64_t value) { return std::uint64_t(value) - std::uint64_t(values(0).first); }
    /// Returns whether each column is one value, and the next column the next value.
    static constexpr bool is_dense() {
        for (std::size_t c = 0; c < width; ++c)
            if (values(c).first != values(c).last || offset(values(c).first) != c) return false;
        return true;
    }
    static constexpr bool is_near = width < 256 && offset(values(width - 1).last) < 256;
    /// The columns of values in a range of at most 256, by their distance from the first value.
    static constexpr auto near = [] {
        constant_array<std::uint8_t, is_near ? offset(values(width - 1).last) + 1 : 0> columns{};
        for (std::size_t at = 0, c = 0; at < columns.size(); ++at) {
            c += offset(values(c).last) < at;
            columns[at] = static_cast<std::uint8_t>(offset(values(c).first) <= at ? c : width);
        }
        return columns;
    }();
    /// Returns `width` or more for a value that no transition waits for.
    static constexpr std::size_t column(std::int64_t value) {
        if constexpr (!type.has_values) return 0;
        if constexpr (is_dense()) return offset(value);
        if constexpr (is_near) return offset(value) < near.size() ? near[offset(value)] : width;
        std::size_t first = 0, last = width;
        while (last - first > 1) {
            const auto middle = (first + last) / 2;
            (values(middle).first <= value ? first : last) = middle;
        }
        return values(first).first <= value && value <= values(first).last ? first : width;
    }

    /// Returns whether transitions wait for all values.
    static constexpr bool all_wait() {
        const auto whole = type.every_value();
        for (std::size_t c = 1; c < width; ++c)
            if (values(c - 1).last + 1 != values(c).first) return false;
        return values(0).first == whole.first && values(width - 1).last == whole.last;
    }
    static constexpr auto cases_of(std::size_t leaf) {
        constant_cases<width> c;
        c.fallback = all_wait() ? most_frequent(leaf) : over(leaf);
        std::uint32_t used = 0;
        for (std::size_t column = 0; column < width; ++column) {
            const auto p = program(leaf, column);
            bool known = p == c.fallback;
            for (std::uint32_t i = 0; i < c.count; ++i) known = known || c.cases[i].program == p;
            if (known) continue;
            auto& made = c.cases[c.count++];
            made = {p, used, 0};
            for (auto other = column; other < width; ++other) {
                if (program(leaf, other) != p) continue;
                const bool beside = made.count > 0 && c.intervals[used - 1].last + 1 == values(other).first;
                if (beside) {
                    c.intervals[used - 1].last = values(other).last;
                } else {
                    c.intervals[used++] = values(other);
                    ++made.count;
                }
            }
        }
        return c;
    }
    /// Returns the program (0 or 1) of a leaf for values that no transition waits for.
    static constexpr std::uint32_t over(std::size_t leaf) { return leaf + 1 == leaves || Chart::tables.leaves[leaf].over ? 1 : 0; }
    static constexpr std::uint32_t most_frequent(std::size_t leaf) {
        std::uint32_t best = program(leaf, 0);
        std::uint64_t most = 0;
        for (std::size_t column = 0; column < width; ++column) {
            std::uint64_t count = 0;
            for (auto other = column; other < width; ++other)
                if (program(leaf, other) == program(leaf, column))
                    count += (static_cast<std::uint64_t>(values(other).last) - static_cast<std::uint64_t>(values(other).first)) / 2 + 1;
            if (count > most) most = count, best = program(leaf, column);
        }
        return best;
    }

    /// Returns whether the code is so small that it is always inlined. Otherwise it is a function, and the compiler decides.
    static constexpr bool is_small() {
        std::size_t ops = 0;
        for (std::size_t cell = 0; cell < width * leaves; ++cell) ops += constant_length<Chart>(program(cell / width, cell % width));
        return leaves <= 8 && ops <= 64;
    }
    /// For single values a table is as fast as a switch, with one jump instead of two.
    static constexpr bool by_table = leaves > compiler_joins_comparisons || (type.has_values && !type.has_ranges && !is_small());
    HSM_ALWAYS_INLINE static inline constant_code handle(constant_core<Chart>& m, std::int64_t value, const void* payload) {
        if constexpr (!type.is_taken) payload = nullptr; // so that it need not be in memory
        if constexpr (by_table)
            return look_up(m, value, payload);
        else if constexpr (is_small())
            return select(m, value, payload, std::make_index_sequence<leaves - 1>());
        else
            return select_elsewhere(m, value, payload);
    }

    /// Returns the code of the leaf of a region.
    template <std::size_t Column> HSM_ALWAYS_INLINE static inline constant_code find(constant_core<Chart>& m, std::size_t leaf, const void* payload) {
        return by_leaf<Column>[leaf](m, payload);
    }

    /// Always inlined, for a loop that contains nothing else.
    HSM_ALWAYS_INLINE static inline constant_code handle_in_line(constant_core<Chart>& m, std::int64_t value, const void* payload) {
        if constexpr (by_table)
            return handle(m, value, payload);
        else
            return select(m, value, payload, std::make_index_sequence<leaves - 1>());
    }

private:
    static constant_code select_elsewhere(constant_core<Chart>& m, std::int64_t value, const void* payload) {
        return select(m, value, payload, std::make_index_sequence<leaves - 1>());
    }
    template <std::size_t... Leaf>
    HSM_ALWAYS_INLINE static inline constant_code select(constant_core<Chart>& m, [[maybe_unused]] std::int64_t value,
                                                         [[maybe_unused]] const void* payload, std::index_sequence<Leaf...>) {
        auto code = static_cast<constant_code>(result::inactive);
        const auto leaf = m.leaf;
        (void)((leaf == Leaf && (code = at_leaf<Leaf>(m, value, payload), true)) || ...);
        return code;
    }
    template <std::size_t Leaf>
    HSM_ALWAYS_INLINE static inline constant_code at_leaf(constant_core<Chart>& m, [[maybe_unused]] std::int64_t value, const void* payload) {
        if constexpr (!type.has_values) {
            return constant_run<Chart, program(Leaf, 0)>(m, {payload});
        } else {
            static constexpr auto cases = cases_of(Leaf);
            return choose<cases>(m, value, payload, std::make_index_sequence<cases.count>());
        }
    }
    template <const auto& Cases, std::size_t... Case>
    HSM_ALWAYS_INLINE static inline constant_code choose(constant_core<Chart>& m, [[maybe_unused]] std::int64_t value, const void* payload,
                                                         std::index_sequence<Case...>) {
        constant_code code = 0;
        const bool chosen = ((is_among<Cases, Cases.cases[Case].first>(value, std::make_index_sequence<Cases.cases[Case].count>()) &&
                              (code = constant_run<Chart, Cases.cases[Case].program>(m, {payload}), true)) ||
                             ...);
        return chosen ? code : constant_run<Chart, Cases.fallback>(m, {payload});
    }
    /// Makes one comparison: with two, the first would often be mispredicted.
    template <std::int64_t First, std::int64_t Last> HSM_ALWAYS_INLINE static inline bool is_in(std::int64_t value) {
        if constexpr (First == Last)
            return value == First;
        else
            return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(First) <=
                   static_cast<std::uint64_t>(Last) - static_cast<std::uint64_t>(First);
    }
    template <const auto& Cases, std::uint32_t First, std::size_t... I>
    HSM_ALWAYS_INLINE static inline bool is_among(std::int64_t value, std::index_sequence<I...>) {
        return (is_in<Cases.intervals[First + I].first, Cases.intervals[First + I].last>(value) || ...);
    }

    HSM_ALWAYS_INLINE static inline constant_code look_up(constant_core<Chart>& m, std::int64_t value, const void* payload) {
        const auto c = column(value);
        if (c >= width)
            return static_cast<constant_code>(m.leaf + 1 == leaves || Chart::tables.leaves[m.leaf].over ? result::inactive : result::unhandled);
        return table[m.leaf * width + c](m, payload);
    }
    template <std::size_t Column, std::size_t... I> static consteval auto make_column(std::index_sequence<I...>) {
        return constant_array<constant_code (*)(constant_core<Chart>&, const void*), sizeof...(I)>{&constant_cell<Chart, program(I, Column)>...};
    }
    template <std::size_t Column> static constexpr auto by_leaf = make_column<Column>(std::make_index_sequence<leaves>());
    template <std::size_t... I> static consteval auto make(std::index_sequence<I...>) {
        return constant_array<constant_code (*)(constant_core<Chart>&, const void*), sizeof...(I)>{
            &constant_cell<Chart, program(I / width, I % width)>...};
    }
    static constexpr auto table = make(std::make_index_sequence<width * leaves>());
};

template <class Chart, class E> consteval std::size_t constant_type() {
    for (std::size_t i = 0; i < Chart::size.types; ++i)
        if (Chart::tables.types[i].template is<E>()) return i;
    return Chart::size.types;
}

} // namespace hsm::detail
