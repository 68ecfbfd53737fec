/// What stands for behaviour that no program has registered: guards have answers that can be set, delays lengths, and everything else is told to
/// whoever wants to hear of it.
///
/// Behaviour of that kind is a pointer to its entry here, whatever context it works on; the context is not looked at. So a simulation must outlive
/// the charts that are made with it (see open_names.hpp). One thread at a time.
#pragma once

#include <hsm/define/detail/local.hpp>
#include <hsm/define/time_span.hpp>
#include <hsm/load/detail/behaviour.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

class simulation;

/// How a guard answers.
enum class guard_setting : std::uint8_t {
    no,
    yes,
    once, ///< yes to the next question, then no
    ask,  ///< whoever listens is asked
};

/// A name, and what it does.
struct simulated_name {
    simulation* of = nullptr;
    behaviour_kind kind = behaviour_kind::guard;
    std::string name = {};
    guard_setting setting = guard_setting::no;                     ///< of a guard
    time_span length = time_span::from_nanoseconds(1'000'000'000); ///< of a delay
    std::uint64_t asked = 0;                                       ///< how often it was asked, or ran
};

class simulation_listener {
public:
    virtual ~simulation_listener() = default;
    /// A guard with the setting `ask`.
    virtual bool ask(const simulated_name& guard) = 0;
    virtual void answered(const simulated_name&, bool) {}
    virtual void ran(const simulated_name&) {}      ///< a hook, an action, an update, an on_change
    virtual void measured(const simulated_name&) {} ///< a delay
    // What an SCXML document does.
    virtual void logged(std::string_view /*label*/, std::string_view /*text*/) {}
    virtual void sent(std::string_view /*event*/, std::string_view /*target*/, std::string_view /*data*/) {} ///< to somebody else
    virtual void failed(std::string_view /*event*/, std::string_view /*what*/) {}                            ///< it was told by that event
};

class simulation {
public:
    simulation() = default;
    simulation(const simulation&) = delete;
    simulation& operator=(const simulation&) = delete;

    /// Of that kind and name, made if there was none. A hook, an action, an update and an on_change of one name are four.
    simulated_name& entry(behaviour_kind kind, std::string_view name);
    /// Null: no file uses it.
    simulated_name* find(behaviour_kind kind, std::string_view name);
    const std::deque<simulated_name>& names() const { return names_; }

    /// A class of data of that name, which is empty. Each name is a type of its own, as in a program.
    const local_type& local(std::string_view name);
    static local_prototype local_of(const local_type& type);

    void listen(simulation_listener* listener) { listener_ = listener; }
    simulation_listener* listener() const { return listener_; }

    /// As at first: guards answer so, and delays take a second.
    void reset(guard_setting guards);

    /// As long as it is there, questions change nothing and nobody hears of them; guards whose setting is `ask` answer so.
    class assumption {
    public:
        assumption(simulation& s, bool answer) : s_(s) { s_.assumed_ = answer; }
        assumption(const assumption&) = delete;
        assumption& operator=(const assumption&) = delete;
        ~assumption() { s_.assumed_.reset(); }

    private:
        simulation& s_;
    };

    // What the behaviour does.
    bool ask(simulated_name& guard);
    void run(simulated_name& hook);
    time_span measure(simulated_name& delay);

private:
    struct named_local {
        std::string name;
        type_identity tag;
        local_type type;
    };

    std::deque<simulated_name> names_; ///< they never move
    std::deque<named_local> locals_;   ///< nor do these
    simulation_listener* listener_ = nullptr;
    std::optional<bool> assumed_;
};

} // namespace hsm::detail::tool
