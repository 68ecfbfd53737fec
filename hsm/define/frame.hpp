/// What a type-erased hook is handed while it runs, and the face of the running instance that it may reach through it.
/// Users meet neither: they take their context, their locals and `hsm::step`.
#pragma once

#include <hsm/define/event.hpp>
#include <hsm/define/local.hpp>
#include <hsm/define/result.hpp>
#include <hsm/define/state_key.hpp>
#include <hsm/define/state_ref.hpp>

#include <cstdint>

namespace hsm {

/// What made the transition in progress happen.
struct cause {
    hsm::reason reason = hsm::reason::none;
    const event_ref* event = nullptr;   ///< null unless an event is being handled
    const state_base* source = nullptr; ///< null for start and stop
    const state_base* target = nullptr; ///< null for internal reactions
    const state_base* previous = nullptr; ///< the leaf before the transition
};

/// The running instance as its hooks see it.
class step_host {
public:
    virtual result process(const event_ref& event) = 0;
    virtual result post(const event_ref& event) = 0;
    virtual result change_to(const state_key& target) = 0;
    virtual result stop() = 0;
    virtual void finish(const state_base& s) = 0;
    virtual state_ref current() const = 0;
    virtual std::int64_t time_in_state(const state_base& s) const = 0;
    /// The nearest local of that type from `from` outwards; null if no active state there has one.
    virtual void* local(const state_base& from, const local_type& type) = 0;

protected:
    ~step_host() = default;
};

struct frame {
    void* context;           ///< of the machine that the hook's state belongs to
    step_host* host;
    const state_base* state; ///< whose hook this is, and where locals are looked up from; null: above the root
    const hsm::cause* cause;
    std::int64_t elapsed;    ///< nanoseconds; zero outside updates
    successor next;          ///< what an update returned
};

} // namespace hsm
