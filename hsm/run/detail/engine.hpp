/// A running machine with its memory, and the inline paths of events and ticks. All other calls are in calls.hpp.
#pragma once

#include <hsm/define/condition.hpp>
#include <hsm/define/detail/assert.hpp>
#include <hsm/define/detail/held_event.hpp>
#include <hsm/define/detail/hook_context.hpp>
#include <hsm/define/event.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/run/detail/calls.hpp>
#include <hsm/run/instance_options.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hsm::detail {

/// The members of a machine's head that select the path of its next tick. They are adjacent, so compilers read them as one word.
constexpr std::uint32_t tick_word(std::uint16_t shallowest_change, std::uint8_t work, std::uint8_t state) {
    return shallowest_change | std::uint32_t(work) << 16 | std::uint32_t(state) << 24;
}

inline constexpr std::uint8_t special_state_bits = state_posted | state_paused | state_scaled;

HSM_ALWAYS_INLINE inline std::uint32_t tick_state(const machine& m) {
    return tick_word(m.shallowest_change, m.work, m.state) & tick_word(0xffff, 0, special_state_bits | state_watched);
}
/// Nothing has changed since entry times were stamped, and a test for the leaf is stored in front of the block.
inline constexpr auto when_watched = tick_word(0xffff, 0, state_watched);
/// The same without a test.
inline constexpr auto when_stamped = tick_word(0xffff, 0, 0);

/// Returns the clock after `elapsed`. The result is less than now if `elapsed` is negative or the clock overflows.
HSM_ALWAYS_INLINE inline std::int64_t later_by(const machine& m, std::int64_t elapsed) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(m.now) + static_cast<std::uint64_t>(elapsed)); // unsigned: it wraps around
}

struct chart_core;

/// Asserts that the event is not part of a local of the machine that handles it.
inline void assert_lives([[maybe_unused]] const machine& m, [[maybe_unused]] const void* event) {
    HSM_ASSERT(!is_in_locals(m, event) && "hsm: the event is part of a local of this instance: pass a copy, because a transition can destroy the local");
}
/// Asserts the same of the event's object and of the characters of its name.
inline void assert_lives(const machine& m, const event_ref& event) {
    assert_lives(m, event.object);
    assert_lives(m, event.name.data());
}

class engine : public machine {
public:
    /// Uses `memory` of instance_size bytes, aligned as the chart requires; null: allocates its own.
    engine(const chart_core& core, void* root_context, const instance_options& options, void* memory);
    engine(engine&& other) noexcept;
    engine& operator=(engine&& other) noexcept;
    ~engine(); ///< destroys the locals; runs no hooks

    /// Returns whether the next event can run its program directly.
    bool ready() const { return !at; }

    /// Returns the program of the event in the current state; null: no transition handles it. Requires ready().
    template <class E> const op* program_for(const E& event) const {
        if constexpr (event_variant<E>) {
            return row[column_held_by(event)];
        } else {
            static_assert(!valued_event<E>);
            const auto& type = event_type_of<E>;
            const auto& column = chart->columns[atomic_load<order::relaxed>(type.id) & chart->column_mask];
            if (column.type == std::addressof(type)) [[likely]]
                return row[column.first];
            return type.module == chart->module ? nullptr : searched_program_for(event);
        }
    }
    /// Returns whether an enumerator or byte is of the chart's main type, of which each value has a column.
    template <class E> bool is_main(const E& event) const {
        return main_value(event) < chart->main_count && chart->main_type == &event_type_of<event_identity<E>>;
    }
    template <class E> const op* main_program_for(const E& event) const { return row[1 + main_value(event)]; } ///< requires is_main(event)

    /// Returns the column of an event for which is_main is false; 0: no transition handles it; not_found: only find_column knows.
    template <class E> std::uint32_t other_column(const E& event) const {
        const auto& type = event_type_of<event_identity<E>>;
        const auto& column = chart->columns[atomic_load<order::relaxed>(type.id) & chart->column_mask];
        if (column.type != std::addressof(type)) return type.module == chart->module ? 0 : not_found;
        const auto offset = static_cast<std::uint64_t>(event_value(event)) - static_cast<std::uint64_t>(column.first_value);
        if (offset < column.count) return column.first + static_cast<std::uint32_t>(offset);
        return column.listed ? not_found : 0;
    }
    static constexpr std::uint32_t not_found = ~std::uint32_t(0);
    template <class E> HSM_NOINLINE const op* searched_program_for(const E& event) const { return row[find_column(*this, view_of_event(event))]; }

    /// Returns the event's column in the rows of programs; 0: no transition of the chart handles it.
    template <class E> std::uint32_t column_for(const E& event) const {
        const auto& type = event_type_of<event_identity<E>>;
        if constexpr (event_variant<E>) {
            return column_held_by(event);
        } else if constexpr (valued_event<E>) {
            if (is_main(event)) [[likely]]
                return static_cast<std::uint32_t>(1 + main_value(event));
        } else {
            const auto& column = chart->columns[atomic_load<order::relaxed>(type.id) & chart->column_mask];
            if (column.type == std::addressof(type)) [[likely]]
                return column.first;
        }
        return find_column(*this, view_of_event(event));
    }

    /// Runs an event's program and completes the work that it leaves. Requires ready().
    result handle(const op* first, const void* event) {
        assert_lives(*this, event);
        payload = event;
        const auto code = run_guarded(first);
        if (work) [[unlikely]]
            return complete_handling(*this, static_cast<result>(code));
        return static_cast<result>(code);
    }

    HSM_NOINLINE result handle_out_of_line(const op* first, const void* event) { return handle(first, event); }

    /// Runs a tick. In the usual cases it only compares the watched conditions, or runs the leaf's sections.
    result tick(std::int64_t elapsed) {
        const auto later = later_by(*this, elapsed);
        const auto how = tick_state(*this);
        if (at || later < now) return calls::tick(*this, elapsed);
        if (how != when_stamped) {
            if (how != when_watched || may_fire(conditions_of(*this))) return calls::tick(*this, elapsed);
            now = later;
            return result::unhandled;
        }
        now = later;
        if (chart->has_hook_context) hook_context().tick_elapsed = elapsed;
        section = chart->ticks[leaf]; // each section continues with the next
        const auto code = run_guarded(section, code_next);
        return code == code_next ? result::unhandled : follow_sections(*this, code);
    }

    /// Returns the number of a condition of this chart if it is 1 to 63, otherwise 0.
    std::uint32_t quick_number_of(const condition& c) const {
        const auto* const spec = c.spec();
        if (spec) return spec->chart == chart && spec->number < 64 ? spec->number : 0;
        const auto number = static_cast<std::uint32_t>(c.index());
        return number < chart->quick_conditions ? number : 0;
    }
    bool holds(std::uint32_t quick_number) const { return conditions_of(*this).bits >> quick_number & 1; }
    /// Changes a condition. Returns false, with nothing changed, if it has no quick number or a hook runs, which can be a guard.
    bool change_condition(const condition& c, condition_change to) {
        const auto number = quick_number_of(c);
        if (number == 0 || at) return false;
        auto& conditions = conditions_of(*this);
        const auto bit = std::uint64_t(1) << number;
        conditions.bits = (conditions.bits & ~bit) | (std::uint64_t(to != condition_change::off) << number);
        conditions.pulsed = to == condition_change::pulse ? conditions.pulsed | bit : conditions.pulsed & ~bit;
        conditions.ending &= ~bit;
        if (to == condition_change::pulse) state |= state_posted;
        return true;
    }

private:
    /// Calls handling_failed if a hook throws. clang inlines a destructor more readily than a handler.
    template <class... Usual> HSM_ALWAYS_INLINE std::uintptr_t run_guarded(const op* first, Usual... usual) {
        struct in_order {
            engine& m;
            bool done = false;
            HSM_ALWAYS_INLINE ~in_order() { // otherwise g++ keeps the object in memory
                if (!done) handling_failed(m);
            }
        } at_end{*this};
        const auto code = run(first, *this, usual...);
        at_end.done = true;
        return code;
    }

    template <class E> static std::uint64_t main_value(const E& event) { return static_cast<std::uint64_t>(event_value(event)); }

    /// Returns the column of the event that the variant holds.
    template <event_variant V> std::uint32_t column_held_by(const V& v) const {
        const auto& type = *type_held_by(v).type;
        const auto& column = chart->columns[atomic_load<order::relaxed>(type.id) & chart->column_mask];
        if (column.type == std::addressof(type)) [[likely]] {
            if constexpr (!held_types_of<V>::any_valued) return column.first;
            const auto offset = static_cast<std::uint64_t>(value_held_by(v)) - static_cast<std::uint64_t>(column.first_value);
            if (offset < column.count) return column.first + static_cast<std::uint32_t>(offset);
        } else if (type.module == chart->module) {
            return 0;
        }
        return find_column(*this, view_of_event(v));
    }
};

} // namespace hsm::detail
