/// The commands of `hsm` in a program of yours, with its charts and its behaviour:
///
///     int main(int argc, char** argv) { return hsm::tool::main(argc, argv, make_door()); }
///
/// Then `door draw door` draws the chart, `door run door` plays it with its own hooks, `door replay run.hsmlog` plays what was noted, and files
/// are loaded over its context, with the names that are registered for it: `door check door.xml`. docs/reference/tool.md describes the commands.
///
/// A chart is known by the name of its root; hsm::tool::machine says more of it. To be linked with hsm-tool, by pkg-config or as the dependency of
/// that name of the subproject. It does not throw for what its user does, and belongs to one thread. Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/load/registry.hpp>
#include <hsm/tool/session.hpp>

#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace hsm::tool {

/// A chart that the program brings along, and what can be done with its context; for commands.
class known_machine {
public:
    known_machine() = default;
    known_machine(const known_machine&) = delete;
    known_machine& operator=(const known_machine&) = delete;
    virtual ~known_machine() = default;

    virtual std::string name() const = 0;
    virtual const chart_base& chart() const = 0;
    /// With which files are loaded over the context.
    virtual const hsm::detail::registry_base& names() const = 0;
    /// From the context to what SCXML documents work on; null: it has no such part, and no document is loaded over it.
    virtual hsm::scxml::context& (*scxml_part() const)(void* context) { return nullptr; }
    /// Of a chart over the context; null: the program does not say how.
    virtual owned<session> play(const chart_base& chart) const = 0;
};

/// `hsm::tool::machine hero(chart); hero.named("hero").played_by([&](const hsm::chart<character>& c) { … }); return main(argc, argv, hero);`
template <class Context> class machine final : public known_machine {
public:
    explicit machine(hsm::chart<Context> chart) : chart_(std::move(chart)) {}

    /// By which it is called on the command line, in place of the name of its root.
    machine& named(std::string name) {
        name_ = std::move(name);
        return *this;
    }
    /// In place of what the registrations of the context say. It must outlive the call of main.
    machine& loads_with(const registry<Context>& names) {
        names_ = std::addressof(names);
        return *this;
    }
    machine& loads_with(const registry<Context>&& names) = delete;
    /// `owned<session> make(const hsm::chart<Context>&)`: needed if `Context{}` cannot be made, or is not enough. The chart outlives the session.
    template <class F> machine& played_by(F make) {
        constexpr bool fits = std::is_invocable_r_v<owned<session>, const F&, const hsm::chart<Context>&>;
        static_assert(fits, "hsm: a machine is played by what makes a hsm::owned<hsm::tool::session> of a hsm::chart<Context>");
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
    hsm::scxml::context& (*scxml_part() const)(void*) override {
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

/// What `int main` returns: 0, 1 if something was found, 2 if the command could not do its work. Prints to stdout and stderr. argv[0] is the
/// name by which messages call the program.
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

/// The same with charts and machines: hsm::chart<Context>, hsm::tool::machine<Context>.
template <class... Charts> int main(int argc, const char* const* argv, const Charts&... charts) {
    return detail::main_with(argc, argv, detail::known(charts)...);
}

} // namespace hsm::tool
