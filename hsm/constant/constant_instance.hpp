/// One running machine of a constant chart: a context, and the leaf. Nothing is allocated.
#pragma once

#include <hsm/constant/constant_chart.hpp>
#include <hsm/define/assert.hpp>

namespace hsm {

namespace detail {

/// The functions of one type's events: by the leaf, and the column within the type.
template <class Chart, std::size_t Type> struct constant_rows {
    static constexpr auto type = Chart::tables.types[Type];
    static constexpr auto width = type.count;
    static constexpr std::size_t leaves = Chart::size.leaves + 1;

    static consteval std::uint32_t program(std::size_t cell) { return Chart::tables.cells[(type.first + cell % width) * leaves + cell / width]; }
    static consteval std::int64_t value(std::size_t cell) { return type.first_value + static_cast<std::int64_t>(cell % width); }

    template <std::size_t... I> static consteval auto make(std::index_sequence<I...>) {
        if constexpr (type.is_enum)
            return std::array{&constant_cell<Chart, program(I), 0>...};
        else
            return std::array{&constant_cell_with<Chart, program(I)>...};
    }
    static constexpr auto table = make(std::make_index_sequence<width * leaves>());
};

template <class Chart, class E> consteval std::size_t constant_type() {
    for (std::size_t i = 0; i < Chart::size.types; ++i)
        if (Chart::tables.types[i].type == &event_type_of<E>) return i;
    return Chart::size.types;
}

} // namespace detail

template <auto Chart> class constant_instance : detail::constant_core<std::remove_const_t<decltype(Chart)>> {
    using chart_type = std::remove_const_t<decltype(Chart)>;
    using core = detail::constant_core<chart_type>;

public:
    using context_type = typename chart_type::context_type;

    explicit constant_instance(context_type& c) { this->context = &c; }

    result start() {
        if (this->leaf != core::none) return result::busy;
        return finish(detail::constant_run_shared<chart_type, chart_type::size.start>(*this, {}));
    }
    template <class E> [[gnu::always_inline]] result process(const E& event) {
        constexpr auto type = detail::constant_type<chart_type, E>();
        if constexpr (type == chart_type::size.types) {
            return this->leaf == core::none ? result::inactive : result::unhandled;
        } else if constexpr (std::is_enum_v<E>) {
            using rows = detail::constant_rows<chart_type, type>;
            const auto column = static_cast<std::uint64_t>(event) - static_cast<std::uint64_t>(rows::type.first_value);
            if (column >= rows::width) return this->leaf == core::none ? result::inactive : result::unhandled;
            return finish(rows::table[this->leaf * rows::width + column](*this));
        } else {
            return finish(detail::constant_rows<chart_type, type>::table[this->leaf](*this, &event));
        }
    }

private:
    result finish(detail::constant_code code) { return detail::constant_result(code); }
};

} // namespace hsm
