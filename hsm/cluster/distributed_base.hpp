/// The part of a distributed crowd that does not depend on the type of the contexts. See distributed_crowd.hpp.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/cluster/communicator.hpp>
#include <hsm/cluster/distributed_options.hpp>
#include <hsm/crowd/crowd_base.hpp>
#include <hsm/define/detail/held_event.hpp>
#include <hsm/define/event.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/op/result.hpp>
#include <hsm/save/serialize.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm {

namespace detail {
class cluster_core;
struct outbox;
} // namespace detail

/// Acts for an agent whose hook is running, for example as the sender of posts. Valid until the hook returns.
class acting_agent_base {
public:
    global_id id() const { return id_; }

    // These functions post an event to an agent on any rank, or to all agents. The event waits for the next tick. They return unhandled if no
    // transition of the chart handles the event; refused for a variant without a value.
    template <event_object E> result post(global_id to, const E& event) {
        return detail::holds_event(event) ? put(to, false, detail::refer_to_queue(event)) : result::refused;
    }
    template <detail::no_event_object E> result post(global_id, const E&) { return detail::refuse_event<E>(), result::refused; }
    result post(global_id to, std::string_view event, event_data data = {}) {
        return put(to, false, detail::refer_name(event, static_cast<event_data&&>(data)));
    }
    template <event_object E> result post_all(const E& event) {
        return detail::holds_event(event) ? put(0, true, detail::refer_to_queue(event)) : result::refused;
    }
    template <detail::no_event_object E> result post_all(const E&) { return detail::refuse_event<E>(), result::refused; }
    result post_all(std::string_view event, event_data data = {}) {
        return put(0, true, detail::refer_name(event, static_cast<event_data&&>(data)));
    }
    // These functions act when the next tick begins, before posted events are delivered.
    void remove(global_id id);            ///< see distributed_base::remove; an agent can also remove itself
    void migrate(global_id id, int rank); ///< see distributed_base::migrate

protected:
    acting_agent_base(detail::cluster_core& core, const void* context);
    void put_child(global_id id, const void* context);

private:
    result put(global_id to, bool to_all, const event_ref& event);

    detail::cluster_core& core_;
    detail::outbox* outbox_;
    global_id id_;
};

class distributed_base {
public:
    distributed_base(const distributed_base&) = delete;
    distributed_base& operator=(const distributed_base&) = delete;

    int rank() const; ///< the rank of this process, from 0
    int ranks() const;
    int home(global_id id) const; ///< the agent's home rank, which records where the agent is
    bool is_home(global_id id) const { return home(id) == rank(); }
    /// Returns the handle of an agent in the crowd of this rank. It is empty if the agent is not on this rank.
    agent_id local_id(global_id id) const;
    global_id global(agent_id id) const; ///< requires an agent of this rank's crowd

    // Any rank can call these functions between ticks. They act when the next tick begins; migrate acts one tick later. In hooks, they throw
    // cluster_error (HSM-476); use acting_agent there.
    /// Posts an event to an agent on any rank. Events from outside are delivered first: sorted by `order`, then by rank, then by the order of the
    /// calls. Events that agents posted follow.
    template <event_object E> result post(global_id to, const E& event, std::uint64_t order = 0) {
        return detail::holds_event(event) ? put(to, false, order, detail::refer_to_queue(event)) : result::refused;
    }
    template <detail::no_event_object E> result post(global_id, const E&, std::uint64_t = 0) { return detail::refuse_event<E>(), result::refused; }
    result post(global_id to, std::string_view event, event_data data = {}, std::uint64_t order = 0) {
        return put(to, false, order, detail::refer_name(event, static_cast<event_data&&>(data)));
    }
    template <event_object E> result post_all(const E& event, std::uint64_t order = 0) {
        return detail::holds_event(event) ? put(0, true, order, detail::refer_to_queue(event)) : result::refused;
    }
    template <detail::no_event_object E> result post_all(const E&, std::uint64_t = 0) { return detail::refuse_event<E>(), result::refused; }
    result post_all(std::string_view event, event_data data = {}, std::uint64_t order = 0) {
        return put(0, true, order, detail::refer_name(event, static_cast<event_data&&>(data)));
    }
    /// Stops the agent and runs its on_destroy hooks, as crowd::remove does. An unknown id has no effect.
    void remove(global_id id);
    /// Moves the agent to another rank when the tick after the next one begins. This does not change the results of ticks. Throws cluster_error
    /// (HSM-463) for a rank that does not exist.
    void migrate(global_id id, int rank);

    // All ranks must call these functions together. If one rank fails, they throw on all ranks, or the job ends. In hooks, they throw cluster_error
    // (HSM-476).
    std::uint64_t count();
    std::uint64_t count(const state_query& state); ///< throws state_error for an unknown state or tag
    /// Returns the number of agents in each state, indexed by the state's number in the chart.
    std::vector<std::uint64_t> populations();
    int owner(global_id id);  ///< the rank of the agent; -1 if there is no such agent
    std::uint64_t lost();     ///< the number of events for which an agent's queue was full
    std::uint64_t unknown();  ///< the number of events and removals whose agent did not exist
    /// Returns a hash of all agents, their contexts and their ids. It does not depend on the ranks. Takes much longer than a tick. Throws save_error
    /// (HSM-351) as hsm::hash does.
    std::uint64_t hash();
    /// Moves agents from slow ranks to fast ranks. The speed of a rank is measured by the time of its ticks since the last call of rebalance. This
    /// does not change the results of ticks. Returns the number of agents that move when the next tick begins.
    std::uint64_t rebalance();
    /// Writes the agents, their contexts and the waiting events into a file, which is replaced atomically. Throws cluster_error (HSM-464).
    void save(const std::string& path);
    /// Reads a file of a crowd with the chart, build and options of this one. The number of ranks can differ. All present agents and waiting events
    /// are dropped, without running hooks. During the call, each rank needs memory for the present agents and for those of the file. Throws
    /// cluster_error: HSM-464 if the file cannot be read, HSM-465 if it is broken or belongs to another chart. In both cases, nothing has changed.
    void restore(const std::string& path);

    time_span now() const;       ///< the sum of the times of all ticks
    std::uint64_t ticks() const; ///< the number of ticks, including those before a restore

protected:
    distributed_base(const communicator& ranks, const chart_base& chart, const detail::saved_context& kind, const distributed_options& options);
    ~distributed_base();
    static crowd_options local_options(crowd_options options);
    void attach(crowd_base& local);
    detail::cluster_core& core() const { return *core_; }

    void place(int (*rank_of)(const void* self, global_id id, const void* context), const void* self);
    std::uint32_t reserve(global_id id);
    void* context_at(std::uint32_t position) const;
    void give_back(std::uint32_t position);
    void start(global_id id, std::uint32_t position);
    bool begin_tick();
    result end_tick(result outcome, std::exception_ptr thrown);

private:
    result put(global_id to, bool to_all, std::uint64_t order, const event_ref& event);

    owned<detail::cluster_core> core_;
};

} // namespace hsm
