/// A crowd whose agents are distributed over the ranks of an MPI job:
///
///     hsm::distributed_crowd crowd{hsm::world(), chart};
///     for (hsm::global_id id = 0; id < n; ++id)
///         if (crowd.is_home(id)) crowd.add(id, person{...});  // each rank adds its own agents
///     crowd.post(7, infect{});                                // from any rank
///     crowd.tick(16ms);                                       // all ranks together
///
/// The results do not depend on the number of ranks and workers, if hooks act on other agents only by posting events:
///
///     crowd.acting(person).post(neighbor, cough{});           // in a hook; person: its context
///
/// Each post, even to an agent on the same rank, is delivered when the next tick begins. Contexts must be savable (serialize.hpp). The chart must
/// outlive the crowd. Only the thread that initialized MPI may use a crowd. The hooks of a tick can run in workers, and so can `serialize` of events.
#pragma once

#include <hsm/cluster/cluster_error.hpp>
#include <hsm/cluster/distributed_base.hpp>
#include <hsm/crowd/crowd.hpp>

#include <exception>
#include <new>
#include <utility>

namespace hsm {

template <class Context> class acting_agent : public acting_agent_base {
public:
    acting_agent(detail::cluster_core& core, const void* context) : acting_agent_base(core, context) {}
    /// Adds an agent when the next tick begins, on its home rank. If the id exists, the tick throws cluster_error (HSM-461). See derived_id.
    void add(global_id id, const Context& child) { this->put_child(id, std::addressof(child)); }
};

template <class Context> class distributed_crowd : public distributed_base {
public:
    /// All ranks must create the crowd together. Throws on all ranks: cluster_error (HSM-460) if the ranks have different charts, builds or options;
    /// save_error (HSM-351) if agents cannot be saved; usage_error (HSM-207) for an invalid option.
    distributed_crowd(const communicator& ranks, const chart<Context>& chart, const distributed_options& options = {})
        : distributed_base(ranks, chart, detail::saved_context_of<Context>(), options), local_(chart, local_options(options.crowd)) {
        attach(local_);
    }
    distributed_crowd(const communicator&, chart<Context>&&, const distributed_options& = {}) = delete;

    /// Adds an agent with the context Context{args...} on this rank, and starts it. If another rank is its home, the agent moves there when the next
    /// tick begins. If the id already exists, cluster_error (HSM-461) is thrown: by this call if this rank has a record of the id, otherwise by the
    /// next tick.
    template <class... Args> void add(global_id id, Args&&... args) {
        const auto position = reserve(id);
        try {
            new (context_at(position)) Context{std::forward<Args>(args)...};
        } catch (...) {
            give_back(position);
            throw;
        }
        start(id, position);
    }

    /// Delivers the waiting posts, then ticks the agents as crowd::tick does. You can also pass workers. All ranks must call tick together, with the
    /// same time. Returns busy in a hook. If a hook throws on a rank, that rank rethrows the exception after all agents were ticked, and all other
    /// ranks throw cluster_error (HSM-462).
    template <class... Args> result tick(Args&&... args) {
        if (!begin_tick()) return result::busy;
        auto outcome = result::unhandled;
        std::exception_ptr thrown;
        try {
            outcome = local_.tick(std::forward<Args>(args)...);
        } catch (...) {
            thrown = std::current_exception();
        }
        return end_tick(outcome, thrown);
    }

    /// Moves each agent of this rank to the rank that place(id, context) returns, for example that of its grid cell, when the next tick begins. Any
    /// rank can call it between ticks. A new agent moves to its home first. Replaces earlier calls of migrate, place and rebalance. Does not change
    /// the results of ticks. Throws cluster_error as migrate does; then nothing has changed.
    template <class Place> void place(const Place& place) {
        const auto rank_of = [](const void* self, global_id id, const void* context) -> int {
            return (*static_cast<const Place*>(self))(id, *static_cast<const Context*>(context));
        };
        distributed_base::place(rank_of, std::addressof(place));
    }

    /// Returns an object that posts for the agent whose hook is running. Pass the agent's context or a part of it. Requires a context of this crowd.
    template <class Part> acting_agent<Context> acting(const Part& context) { return {core(), std::addressof(context)}; }

    /// The crowd of this rank, for queries, conditions, batch hooks and observers. To add, remove and post, use the distributed crowd instead.
    crowd<Context>& local() { return local_; }
    const crowd<Context>& local() const { return local_; }

private:
    crowd<Context> local_;
};

template <class Context> distributed_crowd(const communicator&, const chart<Context>&) -> distributed_crowd<Context>;
template <class Context> distributed_crowd(const communicator&, const chart<Context>&, const distributed_options&) -> distributed_crowd<Context>;

} // namespace hsm
