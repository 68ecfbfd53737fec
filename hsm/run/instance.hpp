/// One running machine over one context: `hsm::instance agent{chart, hero};`
///
/// The chart and the context must outlive it. It belongs to one thread at a time; other threads post to its mailbox. Different
/// instances, also of the same chart, are independent. Hooks may call it: process and change_to then queue, stop waits, and tick,
/// decide, update, start, drain say busy.
///
/// It can be moved while no call to it is in progress. It does not take its context along: an object that holds both and is moved
/// calls rebind. hsm::actor is such an object.
///
/// If a hook throws, the exception reaches the caller, and the instance is valid and able to go on (docs/semantics.md).
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
    /// In memory of the user's that outlives it: as much, and so aligned, as instance_memory(chart, options) says. Null: in its own. Throws
    /// usage_error (HSM-207) if it is not so aligned.
    instance(const chart<Context>& chart, std::type_identity_t<Context>& context, const instance_options& options, void* memory)
        : instance_base(chart, std::addressof(context), options, memory) {}
    template <class Other, std::enable_if_t<!std::is_convertible_v<Other&, Context&>, int> = 0> // clang 14 cannot deduce with a requires here
    instance(const chart<Context>& chart, Other&, const instance_options& = {}) : instance_base(chart, nullptr, {}, nullptr) {
        static_assert(std::is_convertible_v<Other&, Context&>, "hsm: the chart is for machines over another context than this one");
    }
    /// A temporary chart would be gone before the instance runs.
    instance(chart<Context>&&, std::type_identity_t<Context>&, const instance_options& = {}) = delete;

    /// Of nothing yet: a crowd's agents take turns in it.
    struct for_agents {};
    instance(for_agents, const chart_base& chart, const instance_options& options) : instance_base(chart, nullptr, options, nullptr) {}

    /// Its context is now there: for whoever has moved the context. To keep both in one place, see hsm::actor. taken; busy, and nothing
    /// has changed, inside a hook; inactive if the instance was moved from.
    result rebind(std::type_identity_t<Context>& context) { return rebind_to(std::addressof(context)); }
    Context& context() const { return *static_cast<Context*>(root_context()); }
};

} // namespace hsm
