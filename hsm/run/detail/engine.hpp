/// The head of a running machine and its memory, and the way of an event that comes when nothing else is going on: one program,
/// run in line. All else that a user can ask for is in calls.hpp.
#pragma once

#include <hsm/define/condition.hpp>
#include <hsm/define/detail/assert.hpp>
#include <hsm/define/detail/held_event.hpp>
#include <hsm/define/event.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/detail/condition_head.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/run/detail/calls.hpp>
#include <hsm/run/detail/tick_state.hpp>
#include <hsm/run/instance_options.hpp>

#include <cstddef>
#include <type_traits>

namespace hsm::detail {

struct chart_core;

/// An event is not part of a local of the machine that handles it: it has to live until it is handled.
inline void assert_lives([[maybe_unused]] const machine& m, [[maybe_unused]] const void* event) {
    HSM_ASSERT(!is_in_locals(m, event) && "hsm: the event is part of a local of this instance, which a transition may destroy: pass a copy of it");
}
/// The same of its object and of the characters of its name.
inline void assert_lives(const machine& m, const event_ref& event) {
    assert_lives(m, event.object);
    assert_lives(m, event.name.data());
}

class engine : public machine {
public:
    /// In `memory` of instance_size bytes, aligned to the chart's alignment, or, if that is null, in its own.
    engine(const chart_core& core, void* root_context, const instance_options& options, void* memory);
    engine(engine&& other) noexcept;
    engine& operator=(engine&& other) noexcept;
    ~engine(); ///< destroys locals; runs no hooks

    /// May the next event go straight to its program?
    bool ready() const { return !at; }

    /// The program for that event where the machine is now; null: nobody handles it. Only when ready.
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
    /// Of an enumeration, or bytes: is it one of the chart's main type, of which each value has a column?
    template <class E> bool is_main(const E& event) const {
        return main_value(event) < chart->main_count && chart->main_type == &event_type_of<event_identity<E>>;
    }
    template <class E> const op* main_program_for(const E& event) const { return row[1 + main_value(event)]; } ///< if it is one

    /// If it is none: the column; 0: nobody waits for it; not_found: it has to be searched for.
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

    /// Where in every row its programs stand; 0: nobody waits for it.
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

    /// Runs an event's program, and completes what it leaves to be done. Only when ready.
    result handle(const op* first, const void* event) {
        assert_lives(*this, event);
        payload = event;
        const auto code = run_guarded(first);
        if (work) [[unlikely]]
            return complete_handling(*this, static_cast<result>(code));
        return static_cast<result>(code);
    }

    HSM_NOINLINE result handle_out_of_line(const op* first, const void* event) { return handle(first, event); }

    /// A tick in which nothing is out of the ordinary tests the conditions that are watched, or runs the leaf's sections. Mostly there is
    /// nothing to do.
    result tick(std::int64_t elapsed) {
        const auto later = later_by(*this, elapsed);
        const auto how = tick_state(*this);
        if (at || later < now) return calls::tick(*this, elapsed);
        if (how != when_stamped) {
            if (how != when_watched || may_fire(conditions_of(*this))) return calls::tick(*this, elapsed);
            now = later;
            return result::unhandled;
        }
        if (chart->has_hook_context) return calls::tick(*this, elapsed);
        now = later;
        section = chart->ticks[leaf]; // it goes on to the next by itself
        const auto code = run_guarded(section);
        return code == code_next ? result::unhandled : follow_sections(*this, code);
    }

    /// The number of a condition of this chart that is one of the first 64, but not 0; 0 if it is none.
    std::uint32_t quick_number_of(const condition& c) const {
        const auto* const spec = c.spec();
        if (spec) return spec->chart == chart && spec->number < 64 ? spec->number : 0;
        const auto number = static_cast<std::uint32_t>(c.index());
        return number < chart->quick_conditions ? number : 0;
    }
    bool holds(std::uint32_t quick_number) const { return conditions_of(*this).bits >> quick_number & 1; }
    /// False, and nothing has changed: it is none of these, or a hook runs, which may be one that must not change any.
    bool change_condition(const condition& c, condition_change to) {
        const auto number = quick_number_of(c);
        if (number == 0 || at) return false;
        auto& conditions = conditions_of(*this);
        const auto bit = std::uint64_t(1) << number;
        conditions.bits = to == condition_change::off ? conditions.bits & ~bit : conditions.bits | bit;
        conditions.pulsed = to == condition_change::pulse ? conditions.pulsed | bit : conditions.pulsed & ~bit;
        conditions.ending &= ~bit;
        if (to == condition_change::pulse) state |= state_posted;
        return true;
    }

private:
    /// What it throws is put in order: by a destructor, which clang takes for less to put in line than a handler.
    HSM_ALWAYS_INLINE std::uintptr_t run_guarded(const op* first) {
        struct in_order {
            engine& m;
            bool done = false;
            HSM_ALWAYS_INLINE ~in_order() { // or g++ keeps it in memory
                if (!done) handling_failed(m);
            }
        } at_end{*this};
        const auto code = run(first, *this);
        at_end.done = true;
        return code;
    }

    template <class E> static std::uint64_t main_value(const E& event) { return static_cast<std::uint64_t>(event_value(event)); }

    /// By the variant's index, whatever it holds.
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
