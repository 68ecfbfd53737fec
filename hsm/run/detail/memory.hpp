/// The memory of instances and of agents in crowds: blocks and queues.
#pragma once

#include <hsm/run/detail/event_queue.hpp>
#include <hsm/vm/detail/block.hpp>

#include <cstddef>

namespace hsm::detail {

/// Returns the options with queues that are allocated when the instance is created.
instance_options at_creation(instance_options options);
/// Returns options that give another instance the same queues.
instance_options options_of(const machine& m, const chart_core& core);
std::size_t instance_size(const chart_core& core, const instance_options& options);
/// Initializes a block in which no state is active.
void prepare_block(machine& m, const chart_core& core, const instance_options& options, std::size_t deferral);
/// Initializes a block again. Requires that its locals are destroyed and no event waits.
void clear_block(machine& m, const chart_core& core) noexcept;
/// Returns the offset of deferred events in an instance's block.
std::size_t deferral_offset(const chart_core& core, const instance_options& options);

/// The layout of the memory of a crowd's agent.
struct agent_memory {
    std::size_t size;     ///< of its block, which follows chart_core::layout.front bytes
    std::size_t deferral; ///< the offset of deferred events in it
};
agent_memory agent_block(const chart_core& core, const instance_options& options);
/// Returns null if the options request no queues. The queues of an agent count lost events in `lost_of_all`.
queue_head* make_queues(const chart_core& core, const instance_options& options, std::uint64_t* lost_of_all = nullptr);
std::size_t queues_size(const chart_core& core, const instance_options& options);
void delete_queues(const chart_core& core, queue_head* queues);

/// Requires state_queues.
inline queue_head*& queues_at(const machine& m, const chart_core& core) { return *reinterpret_cast<queue_head**>(m.block + core.layout.queues); }
/// Allocates the queues if necessary. Returns null if the machine has none, or there is no memory.
queue_head* require_queues(machine& m, const chart_core& core) noexcept;
/// Returns null if the machine has no queues or they are not allocated yet.
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

/// Drops all waiting events, but not the one that is being handled.
void drop_events(machine& m, const chart_core& core, bool mailed = true);

/// Types that debuggers need. Linked into every program that runs machines.
const void* debugger_types(const void* shown_things);

} // namespace hsm::detail
