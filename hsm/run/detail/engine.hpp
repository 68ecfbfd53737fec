/// The head of a running machine and its memory, and the way of an event that comes when nothing else is going on: one program,
/// run in line. All else that a user can ask for is in calls.hpp.
#pragma once

#include <hsm/define/event.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/run/detail/calls.hpp>
#include <hsm/run/instance_options.hpp>

#include <cstddef>
#include <type_traits>

namespace hsm::detail {

struct chart_core;

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
        if constexpr (!valued_event<E>) {
            const auto& type = event_type_of<E>;
            const auto& column = chart->columns[__atomic_load_n(&type.id, __ATOMIC_RELAXED) & chart->column_mask];
            if (column.type == &type) [[likely]]
                return row[column.first];
            return type.module == chart->module ? nullptr : row[find_column(*this, view_of_event(event))];
        } else {
            const auto value = static_cast<std::uint64_t>(event_value(event));
            if (value < chart->main_count && chart->main_type == &event_type_of<event_identity<E>>) [[likely]]
                return row[1 + value];
            return other_program_for(event);
        }
    }

    /// Runs an event's program, and completes what it leaves to be done. Only when ready.
    result handle(const op* first, const void* event) {
        payload = event;
        std::uintptr_t code;
#if defined(__cpp_exceptions)
        try {
            code = run(first, *this);
        } catch (...) {
            handling_failed(*this);
            throw;
        }
#else
        code = run(first, *this);
#endif
        if (work) [[unlikely]]
            return complete_handling(*this, static_cast<result>(code));
        return static_cast<result>(code);
    }

private:
    template <class E> [[gnu::noinline]] const op* other_program_for(const E& event) const {
        const auto& type = event_type_of<event_identity<E>>;
        const auto& column = chart->columns[__atomic_load_n(&type.id, __ATOMIC_RELAXED) & chart->column_mask];
        if (column.type == &type) {
            const auto offset = static_cast<std::uint64_t>(event_value(event)) - static_cast<std::uint64_t>(column.first_value);
            if (offset < column.count) return row[column.first + offset];
            if (!column.listed) return nullptr;
        } else if (type.module == chart->module) {
            return nullptr;
        }
        return row[find_column(*this, view_of_event(event))];
    }
};

} // namespace hsm::detail
