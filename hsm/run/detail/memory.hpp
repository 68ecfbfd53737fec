/// The memory of instances and of the agents of a crowd: blocks, and queues behind them or apart.
#pragma once

#include <hsm/run/detail/queue_head.hpp>
#include <hsm/vm/detail/block.hpp>

#include <cstddef>

namespace hsm::detail {

/// The same with queues that are there from the beginning.
instance_options at_creation(instance_options options);
std::size_t instance_size(const chart_core& core, const instance_options& options);
/// A block in which nothing is active.
void prepare_block(machine& m, const chart_core& core, const instance_options& options, std::size_t deferral);
/// The same of one whose locals have been destroyed, and in which nothing waits.
void clear_block(machine& m, const chart_core& core) noexcept;
/// Where in an instance's block deferred events are.
std::size_t deferral_offset(const chart_core& core, const instance_options& options);

/// What an agent of a crowd has instead of an instance's memory.
struct agent_memory {
    std::size_t size;     ///< of its block; in front of it stands the chart's block_layout::front
    std::size_t deferral; ///< where in it deferred events are
};
agent_memory agent_block(const chart_core& core, const instance_options& options);
/// Null if the options want none. An agent's count what is lost where all of its crowd do.
queue_head* make_queues(const chart_core& core, const instance_options& options, std::uint64_t* lost_of_all = nullptr);
std::size_t queues_size(const chart_core& core, const instance_options& options);
void delete_queues(const chart_core& core, queue_head* queues);

/// Only with state_queues.
inline queue_head*& queues_at(const machine& m, const chart_core& core) { return *reinterpret_cast<queue_head**>(m.block + core.layout.queues); }
/// Makes them if they are made when they are used. Null: it has none, or there is no memory for them.
queue_head* require_queues(machine& m, const chart_core& core) noexcept;
/// Null: it has none, or none yet.
inline queue_head* queues_of(const machine& m, const chart_core& core) { return m.state & state_queues ? queues_at(m, core) : nullptr; }
inline event_queue* internal_queue(const machine& m, const chart_core& core) {
    auto* const queues = queues_of(m, core);
    return queues ? &queues->internal : nullptr;
}
inline event_queue* posted_queue(const machine& m, const chart_core& core) {
    auto* const queues = queues_of(m, core);
    return queues ? &queues->posted : nullptr;
}
inline mailbox_queue* mail_of(const machine& m, const chart_core& core) {
    auto* const queues = queues_of(m, core);
    return queues ? queues->mail.get() : nullptr;
}
std::uint16_t chain_limit(const machine& m, const chart_core& core);

/// All that wait, but not the one that is being handled.
void drop_events(machine& m, const chart_core& core, bool mailed = true);

} // namespace hsm::detail
