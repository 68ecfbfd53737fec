/// Simulated behavior for unregistered names: you can set the results of guards and the lengths of delays, all other calls are only reported to a
/// listener.
///
/// Simulated behavior points to its entry in the simulation and does not use the context. So a simulation must outlive the charts that use it (see
/// open_names.hpp). A simulation must be used by one thread at a time.
#pragma once

#include <hsm/define/detail/local.hpp>
#include <hsm/define/time_span.hpp>
#include <hsm/load/detail/behavior.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

class simulation;

/// The answer of a guard.
enum class guard_setting : std::uint8_t {
    no,
    yes,
    once, ///< yes once, then no
    ask,  ///< the listener decides
};
std::string_view to_string(guard_setting setting); ///< "false", "true", "once", "ask"
/// Returns the setting with this name, or nothing.
std::optional<guard_setting> guard_setting_of(std::string_view name);

/// A simulated name and its settings.
struct simulated_name {
    simulation* of = nullptr;
    behavior_kind kind = behavior_kind::guard;
    std::string name = {};
    guard_setting setting = guard_setting::no;                     ///< for guards
    time_span length = time_span::from_nanoseconds(1'000'000'000); ///< for delays
    std::uint64_t asked = 0;                                       ///< how often it was called
};

class simulation_listener {
public:
    virtual ~simulation_listener() = default;
    /// Returns the answer for a guard with the setting `ask`.
    virtual bool ask(const simulated_name& guard) = 0;
    virtual void answered(const simulated_name&, bool) {}
    virtual void ran(const simulated_name&) {}      ///< for a hook, action, update or on_change
    virtual void measured(const simulated_name&) {} ///< for a delay
    // Actions of SCXML documents.
    virtual void logged(std::string_view /*label*/, std::string_view /*text*/) {}
    virtual void sent(std::string_view /*event*/, std::string_view /*target*/, std::string_view /*data*/) {} ///< to another session or processor
    virtual void failed(std::string_view /*event*/, std::string_view /*what*/) {}                            ///< the document received this error
};

class simulation {
public:
    simulation() = default;
    simulation(const simulation&) = delete;
    simulation& operator=(const simulation&) = delete;

    /// Returns the entry, and creates it if needed. A hook, action, update and on_change with the same name are four entries.
    simulated_name& entry(behavior_kind kind, std::string_view name);
    /// Returns null if no file uses the name.
    simulated_name* find(behavior_kind kind, std::string_view name);
    const std::deque<simulated_name>& names() const { return names_; }

    /// Returns an empty local type with this name. Each name has a distinct type, as in a program.
    const local_type& local(std::string_view name);
    static local_prototype local_of(const local_type& type);

    void listen(simulation_listener* listener) { listener_ = listener; }
    simulation_listener* listener() const { return listener_; }

    /// Resets all results of guards to `guards` and all delays to one second.
    void reset(guard_setting guards);

    /// During its lifetime, evaluating guards changes nothing and notifies no listener; guards with the setting `ask` return `answer`.
    class assumption {
    public:
        assumption(simulation& s, bool answer) : s_(s) { s_.assumed_ = answer; }
        assumption(const assumption&) = delete;
        assumption& operator=(const assumption&) = delete;
        ~assumption() { s_.assumed_.reset(); }

    private:
        simulation& s_;
    };

    // Called by the simulated behavior.
    bool ask(simulated_name& guard);
    void run(simulated_name& hook);
    time_span measure(simulated_name& delay);

private:
    struct named_local {
        std::string name;
        type_identity tag;
        local_type type;
    };

    std::deque<simulated_name> names_; ///< their addresses are stable
    std::deque<named_local> locals_;   ///< their addresses are stable
    simulation_listener* listener_ = nullptr;
    std::optional<bool> assumed_;
};

} // namespace hsm::detail::tool
