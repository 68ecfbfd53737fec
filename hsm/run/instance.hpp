/// One running machine with its context: `hsm::instance agent{chart, hero};`
///
/// The chart and the context must outlive the instance. Only one thread at a time may use an instance; other threads can post to its mailbox.
/// Different instances are independent, even if they share a chart. Hooks may call their own instance: process and change_to are then queued, stop is
/// delayed, and tick, decide, update, start and drain return busy. In a guard or predicate all these calls return busy, because guards and predicates
/// must not change the instance.
///
/// An instance can be moved while no call to it is in progress. Its context does not move with it. If an object contains the instance and its
/// context, call rebind after the object was moved; hsm::actor does this.
///
/// An exception from a hook reaches the caller. The instance then is in a valid state and can continue (docs/reference/semantics.md).
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/run/error.hpp>
#include <hsm/run/instance_base.hpp>

#include <type_traits>

namespace hsm {

template <class Context> class instance : public instance_base {
public:
    instance(const chart<Context>& chart, std::type_identity_t<Context>& context, const instance_options& options = {})
        : instance_base(chart, std::addressof(context), options, nullptr) {}
    /// Creates the instance in your memory, which must outlive the instance. instance_memory(chart, options) returns the required size and alignment.
    /// If `memory` is null, the instance allocates its own. Throws usage_error (HSM-207) if the memory is not aligned.
    instance(const chart<Context>& chart, std::type_identity_t<Context>& context, const instance_options& options, void* memory)
        : instance_base(chart, std::addressof(context), options, memory) {}
    template <class Other, std::enable_if_t<!std::is_convertible_v<Other&, Context&>, int> = 0> // clang 14 does not accept a requires clause here
    instance(const chart<Context>& chart, Other&, const instance_options& = {}) : instance_base(chart, nullptr, {}, nullptr) {
        static_assert(std::is_convertible_v<Other&, Context&>, "hsm: the chart is compiled for another context");
    }
    /// Rejects a temporary chart: it would be destroyed before the instance runs.
    instance(chart<Context>&&, std::type_identity_t<Context>&, const instance_options& = {}) = delete;

    /// Creates an instance without a context. The agents of a crowd are loaded into it one after another.
    struct for_agents {};
    instance(for_agents, const chart_base& chart, const instance_options& options) : instance_base(chart, nullptr, options, nullptr) {}

    /// Sets the address of the context. Call it after you moved the context; hsm::actor does this for you. Returns taken; inactive if the instance
    /// was moved from. Inside a hook, returns busy and changes nothing.
    result rebind(std::type_identity_t<Context>& context) { return rebind_to(std::addressof(context)); }
    Context& context() const { return *static_cast<Context*>(root_context()); }
};

} // namespace hsm
