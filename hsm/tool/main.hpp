/// The commands of `hsm` in your program, with your charts and your behavior:
///
///     int main(int argc, char** argv) { return hsm::tool::main(argc, argv, make_door()); }
///
/// Then `door draw door` draws the chart, and `door run door` plays it with its own hooks. `door replay run.hsmlog` replays recorded inputs. `door
/// check door.xml` checks a file with the hooks that are registered for the chart's context. docs/reference/tool.md describes the commands.
///
/// A chart has the name of its root; hsm::tool::machine sets more options. Link hsm-tool: use pkg-config, or the subproject's dependency of the same
/// name. These functions are not thread-safe. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/load/registry.hpp>
#include <hsm/tool/session.hpp>

#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace hsm::tool {

/// A chart of the program, and operations on its context, for commands.
class known_machine {
public:
    known_machine() = default;
    known_machine(const known_machine&) = delete;
    known_machine& operator=(const known_machine&) = delete;
    virtual ~known_machine() = default;

    virtual std::string name() const = 0;
    virtual const chart_base& chart() const = 0;
    /// Returns the registry of names for files that use this context.
    virtual const hsm::detail::registry_base& names() const = 0;
    /// Returns a function from the context to the part that SCXML documents use. Returns null if there is no such part; then no document can be
    /// loaded.
    virtual hsm::scxml::context& (*scxml_context() const)(void* context) { return nullptr; }
    /// Creates a session for a chart, with this context. Returns null if the program does not specify how to create a session.
    virtual owned<session> play(const chart_base& chart) const = 0;
};

/// `hsm::tool::machine hero(chart); hero.named("hero").played_by([&](const hsm::chart<character>& c) { … }); return main(argc, argv, hero);`
template <class Context> class machine final : public known_machine {
public:
    explicit machine(hsm::chart<Context> chart) : chart_(std::move(chart)) {}

    /// Sets the name for the command line. The default is the name of the chart's root.
    machine& named(std::string name) {
        name_ = std::move(name);
        return *this;
    }
    /// Uses this registry instead of the context's own registrations. The registry must outlive the call of `main`.
    machine& loads_with(const registry<Context>& names) {
        names_ = std::addressof(names);
        return *this;
    }
    machine& loads_with(const registry<Context>&& names) = delete;
    /// Sets the function that creates sessions, `owned<session> make(const hsm::chart<Context>&)`. This function is needed if `Context{}` is not
    /// possible or not sufficient. The chart outlives the session.
    template <class F> machine& played_by(F make) {
        constexpr bool fits = std::is_invocable_r_v<owned<session>, const F&, const hsm::chart<Context>&>;
        static_assert(fits, "hsm: played_by takes a callable that creates a hsm::owned<hsm::tool::session> from a hsm::chart<Context>");
        if constexpr (fits) make_ = make_owned<maker_by<F>>(std::move(make));
        return *this;
    }

    std::string name() const override { return name_.empty() && chart_ ? std::string(chart_.root().name()) : name_; }
    const chart_base& chart() const override { return chart_; }
    const hsm::detail::registry_base& names() const override { return names_ ? *names_ : registered_; }
    owned<session> play(const chart_base& chart) const override {
        hsm::detail::add_user(std::addressof(chart.core()));
        const auto typed = hsm::chart<Context>(std::addressof(chart.core()));
        if (make_) return make_->make(typed);
        if constexpr (std::is_default_constructible_v<Context>) return detail::session_for(typed);
        return {};
    }
    hsm::scxml::context& (*scxml_context() const)(void*) override {
        if constexpr (std::is_base_of_v<hsm::scxml::context, Context>)
            return [](void* context) -> hsm::scxml::context& { return *static_cast<Context*>(context); };
        return nullptr;
    }

private:
    struct maker {
        virtual ~maker() = default;
        virtual owned<session> make(const hsm::chart<Context>& chart) const = 0;
    };
    template <class F> struct maker_by final : maker {
        explicit maker_by(F f) : call(std::move(f)) {}
        owned<session> make(const hsm::chart<Context>& chart) const override { return call(chart); }
        F call;
    };

    std::string name_;
    hsm::chart<Context> chart_;
    registry<Context> registered_;
    const registry<Context>* names_ = nullptr;
    owned<maker> make_;
};

/// Runs the command line. Returns the exit status: 0, 1 if problems were found, or 2 if the command could not run. Prints to stdout and stderr. Does
/// not throw for mistakes of the user. In messages, the program's name is argv[0].
int main(int argc, const char* const* argv, std::span<const known_machine* const> machines);

namespace detail {
template <class Context> const machine<Context>& known(const machine<Context>& m) { return m; }
template <class Context> machine<Context> known(const chart<Context>& c) { return machine<Context>(c); }
template <class... Machines> int main_with(int argc, const char* const* argv, const Machines&... machines) {
    if constexpr (sizeof...(machines) == 0) {
        return main(argc, argv, std::span<const known_machine* const>());
    } else {
        const known_machine* const list[] = {std::addressof(machines)...};
        return main(argc, argv, std::span<const known_machine* const>(list));
    }
}
} // namespace detail

/// Does the same. Each argument is an `hsm::chart<Context>` or an `hsm::tool::machine<Context>`.
template <class... Charts> int main(int argc, const char* const* argv, const Charts&... charts) {
    return detail::main_with(argc, argv, detail::known(charts)...);
}

} // namespace hsm::tool
