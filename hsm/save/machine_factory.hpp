/// The kinds of machines of a manager. Each kind has a label, a chart, and a function that returns the contexts. Saving and restoring a manager
/// requires a factory.
///
///     hsm::machine_factory kinds;
///     kinds.add("guard", guard_chart, [&](std::string_view name) -> guard& { return guards[std::string(name)]; });
///     kinds.add("door", door_chart, [&](std::string_view name) -> door& { return doors.at(name); });
///
/// The function that you pass to `add` returns the context of a machine that a restore has to create. If this function throws, nothing is restored,
/// but the function's own side effects remain. A label identifies the kind in savegames, so do not change it.
///
/// A factory keeps its charts alive. Any number of managers and threads can use it at the same time if its functions permit that. This header is not
/// part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/save/serialize.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hsm {

struct factory_options {
    instance_options agent = {}; ///< the options of machines that restore creates
    bool saves_contexts = true;  ///< false: contexts are not saved
};

namespace detail {

/// Functions that change a context atomically, through a copy. They are null if the context cannot be changed in this way.
struct context_copy {
    void* (*make)(const void* of);
    void (*give)(void* copy, void* to);
    void (*destroy)(void* copy) noexcept;
};
template <class T> constexpr context_copy copy_of_context() {
    if constexpr (std::is_copy_constructible_v<T> && std::is_nothrow_move_assignable_v<T>)
        return {[](const void* of) -> void* { return new T(*static_cast<const T*>(of)); },
                [](void* copy, void* to) { *static_cast<T*>(to) = std::move(*static_cast<T*>(copy)); },
                [](void* copy) noexcept { delete static_cast<T*>(copy); }};
    else
        return {};
}

struct machine_kind {
    machine_kind(std::string_view name, const chart_base& of, const context_kind& kind, const saved_context& how, const context_copy& copies,
                 const factory_options& given)
        : label(name), chart(of), context(kind), saved(how), copy(copies), options(given) {}
    virtual ~machine_kind() = default;
    virtual void* context_of(std::string_view machine) const = 0;

    const std::string label;
    const chart_base chart;
    const context_kind& context;
    const saved_context saved;
    const context_copy copy;
    const factory_options options;
};

template <class Context, class F> struct machine_kind_of final : machine_kind {
    machine_kind_of(std::string_view name, const hsm::chart<Context>& of, F function, const factory_options& given)
        : machine_kind(name, of, context_kind_of<Context>, saved_context_of<Context>(), copy_of_context<Context>(), given),
          make(std::move(function)) {}
    void* context_of(std::string_view machine) const override { return &static_cast<Context&>(make(machine)); }
    F make;
};

} // namespace detail

class machine_factory {
public:
    /// Adds a kind of machine. f(std::string_view name) returns a Context& that must outlive the machine. Throws usage_error (HSM-207) if the label
    /// or the chart is already in use; definition_error for an empty chart.
    template <class Context, class F> void add(std::string_view label, const chart<Context>& chart, F f, const factory_options& how = {}) {
        constexpr bool fits = std::is_invocable_r_v<Context&, const F&, std::string_view>;
        static_assert(fits, "hsm: pass a const callable that takes the name of the machine and returns a reference to its context");
        if constexpr (fits) add_kind(make_owned<detail::machine_kind_of<Context, F>>(label, chart, std::move(f), how));
    }

    const std::vector<owned<detail::machine_kind>>& kinds() const { return kinds_; } ///< for saving

private:
    void add_kind(owned<detail::machine_kind> kind);

    std::vector<owned<detail::machine_kind>> kinds_;
};

} // namespace hsm
