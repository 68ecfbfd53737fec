/// From an event and a leaf to what is done: by a table of functions, or, where there is little of it, in line.
#pragma once

#include <hsm/constant/detail/cells.hpp>

namespace hsm::detail {

/// The functions of one type's events: by the leaf, and the column within the type.
template <class Chart, std::size_t Type> struct constant_rows {
    static constexpr auto type = Chart::tables.types[Type];
    static constexpr std::size_t width = type.count;
    static constexpr std::size_t leaves = Chart::size.leaves + 1;

    static constexpr std::uint32_t program(std::size_t cell) { return Chart::tables.cells[(type.first + cell % width) * leaves + cell / width]; }
    static constexpr std::int64_t value(std::size_t column) {
        if (type.dense) return type.first_value + static_cast<std::int64_t>(column);
        for (const auto& e : Chart::tables.events)
            if (e.type == Type && column-- == 0) return e.value;
        return 0;
    }
    /// `width` or more for a value that nobody waits for.
    static constexpr std::uint64_t column(std::int64_t v) {
        if constexpr (type.dense) {
            return static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(type.first_value);
        } else {
            std::size_t c = 0;
            while (c < width && value(c) != v) ++c;
            return c;
        }
    }

    /// What the hooks of a column's events are told, if any of them wants to know.
    static constexpr std::int64_t told(std::size_t column) {
        for (const auto& e : Chart::tables.events)
            if (e.type == Type && e.is_told && e.value == value(column)) return e.value;
        return 0;
    }

    /// So little code that it is better put where it is wanted than called; with few leaves, which are asked for one by one.
    static consteval bool is_small() {
        std::size_t ops = 0;
        for (std::size_t cell = 0; cell < width * leaves; ++cell) ops += constant_length<Chart>(program(cell));
        return leaves <= 4 && width * leaves <= 16 && ops <= 64;
    }
    /// Which the compiler makes a switch of, or less. An event that nobody waits for has the column behind the last.
    template <std::size_t Leaf = 0>
    [[gnu::always_inline]] static inline constant_code select(constant_core<Chart>& m, std::uint64_t column, const void* payload) {
        if constexpr (Leaf == leaves - 1) {
            return static_cast<constant_code>(result::inactive);
        } else {
            if (m.leaf == Leaf) return select_column<Leaf, 0>(m, column, payload);
            return select<Leaf + 1>(m, column, payload);
        }
    }
    template <std::size_t Leaf, std::size_t Column>
    [[gnu::always_inline]] static inline constant_code select_column(constant_core<Chart>& m, std::uint64_t column, const void* payload) {
        if constexpr (Column == width) {
            return static_cast<constant_code>(Chart::tables.leaves[Leaf].over ? result::inactive : result::unhandled);
        } else {
            if (column == Column) return constant_run<Chart, program(Leaf * width + Column)>(m, {payload, value(Column)});
            return select_column<Leaf, Column + 1>(m, column, payload);
        }
    }

    template <std::size_t... I> static consteval auto make(std::index_sequence<I...>) {
        if constexpr (type.is_enum)
            return constant_array<constant_code (*)(constant_core<Chart>&), sizeof...(I)>{&constant_cell<Chart, program(I), told(I % width)>...};
        else
            return constant_array<constant_code (*)(constant_core<Chart>&, const void*), sizeof...(I)>{&constant_cell_with<Chart, program(I)>...};
    }
    static constexpr auto table = make(std::make_index_sequence<width * leaves>());
};

template <class Chart, class E> consteval std::size_t constant_type() {
    for (std::size_t i = 0; i < Chart::size.types; ++i)
        if (Chart::tables.types[i].type == constant_type_id<event_type>{&event_type_of<E>, type_name<E>()}) return i;
    return Chart::size.types;
}

} // namespace hsm::detail
