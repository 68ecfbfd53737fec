#include <hsm/run/detail/memory.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/define/detail/assert.hpp>
#include <hsm/define/detail/hook_context.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/detail/engine.hpp>
#include <hsm/run/detail/followed.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/observed.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace hsm::detail {

namespace {

HSM_USED const auto keep_for_debuggers = &debugger_types;

constexpr instance_options defaults;

bool wants_queues(const instance_options& options) {
    return options.internal_queue > 0 || options.posted_queue > 0 || options.mailbox > 0 || options.chain_limit != defaults.chain_limit;
}

/// Returns whether the queues are allocated on first use.
bool waits_with_queues(const instance_options& options) {
    return options.internal_queue == when_used && options.posted_queue == when_used && options.mailbox == 0 &&
           options.chain_limit == defaults.chain_limit;
}

std::size_t queues_alignment(const chart_core& core) {
    return std::max({std::size_t(core.event_alignment), alignof(event_queue::entry), alignof(queue_head)});
}

std::size_t slots_offset(const chart_core& core) { return aligned(sizeof(queue_head), queues_alignment(core)); }

std::size_t queue_memory(const chart_core& core, const instance_options& options) {
    const auto all = at_creation(options);
    return slots_offset(core) + event_queue::memory_size(all.internal_queue, core) + event_queue::memory_size(all.posted_queue, core);
}

/// Returns the end of a block with its pointer to the queues.
std::size_t behind_block(const chart_core& core, const instance_options& options) {
    return core.layout.queues + (wants_queues(options) ? sizeof(queue_head*) : 0);
}

/// Returns the offset of queues in the instance's own memory.
std::size_t queues_offset(const chart_core& core, const instance_options& options) {
    return aligned(behind_block(core, options), queues_alignment(core));
}

/// Returns the size of the data in front of an instance's block.
std::size_t in_front(const chart_core& core) { return core.layout.hook_context + core.layout.front; }

} // namespace

instance_options at_creation(instance_options options) {
    constexpr std::uint16_t usual = 16;
    if (options.internal_queue == when_used) options.internal_queue = usual;
    if (options.posted_queue == when_used) options.posted_queue = usual;
    return options;
}

namespace {
std::size_t end_of_queues(const chart_core& core, const instance_options& options) {
    const bool there = wants_queues(options) && !waits_with_queues(options);
    return there ? queues_offset(core, options) + queue_memory(core, options) : behind_block(core, options);
}
} // namespace

std::size_t deferral_offset(const chart_core& core, const instance_options& options) {
    const auto end = end_of_queues(core, options);
    return core.has_defers ? aligned(end, std::max<std::size_t>(core.event_alignment, 8)) : end;
}

instance_options options_of(const machine& m, const chart_core& core) {
    instance_options options;
    const auto* const queues = queues_of(m, core);
    if (queues && !queues->is_separate) {
        options.seed = queues->seed;
        options.stream = queues->stream;
        options.deferred_queue = queues->deferred_queue;
        options.internal_queue = static_cast<std::uint16_t>(queues->internal.capacity());
        options.posted_queue = static_cast<std::uint16_t>(queues->posted.capacity());
        options.chain_limit = queues->chain_limit;
        if (queues->mail) options.mailbox = static_cast<std::uint32_t>(queues->mail->capacity());
    }
    if (!(m.state & state_queues)) options.internal_queue = options.posted_queue = 0;
    if (core.has_defers) options.deferred_queue = deferral_of(m, core).capacity;
    if (core.has_chance) options.seed = chance_of(m, core).seed, options.stream = chance_of(m, core).stream;
    return options;
}

std::size_t instance_size(const chart_core& core, const instance_options& options) {
    const auto deferred = core.has_defers ? deferral_memory(core, options.deferred_queue) : 0;
    return in_front(core) + deferral_offset(core, options) + deferred;
}

agent_memory agent_block(const chart_core& core, const instance_options& options) {
    const auto end = behind_block(core, options);
    if (!core.has_defers) return {end, 0};
    const auto deferral = aligned(end, std::max<std::size_t>(core.event_alignment, 8));
    return {deferral + deferral_memory(core, options.deferred_queue), deferral};
}

queue_head* make_queues(const chart_core& core, const instance_options& options, std::uint64_t* lost_of_all) {
    if (!wants_queues(options)) return nullptr;
    auto* const memory = static_cast<std::byte*>(::operator new(queue_memory(core, options), std::align_val_t(queues_alignment(core))));
    return new (memory) queue_head(core, at_creation(options), memory + slots_offset(core), {}, lost_of_all);
}

queue_head* require_queues(machine& m, const chart_core& core) noexcept {
    if (!(m.state & state_queues)) return nullptr;
    auto*& queues = queues_at(m, core);
    if (queues) return queues;
    try {
        queues = make_queues(core, defaults);
        queues->is_separate = true;
    } catch (const std::bad_alloc&) {
    }
    return queues;
}

std::size_t queues_size(const chart_core& core, const instance_options& options) { return wants_queues(options) ? queue_memory(core, options) : 0; }

void delete_queues(const chart_core& core, queue_head* queues) {
    if (!queues) return;
    queues->~queue_head();
    ::operator delete(static_cast<void*>(queues), std::align_val_t(queues_alignment(core)));
}

namespace {

#ifdef NDEBUG
void record_distance(const machine&, const void*) {}
void detect_context_move(machine&, const machine&) {}
#else
/// Returns the offset of an instance from its context.
std::uintptr_t distance_to_context(const machine& from, const void* root_context) {
    return reinterpret_cast<std::uintptr_t>(&from) - reinterpret_cast<std::uintptr_t>(root_context);
}

bool is_within(std::uintptr_t distance, std::uintptr_t most) { return distance + most <= 2 * most; }

/// Records the offset if the context is near: both can be members of one object.
void record_distance(const machine& m, const void* root_context) {
    constexpr std::uintptr_t near = 4096;
    const auto distance = distance_to_context(m, root_context);
    if (is_within(distance, near)) core_of(m).owner->neighbors.note(reinterpret_cast<std::uintptr_t>(&m), distance);
}

/// Detects whether the context moved with the instance: another instance has its context at the same offset, and the two instances are further
/// apart than each is from its context. Then both are members of objects of one class, and the context has moved, too.
void detect_context_move(machine& m, const machine& from) {
    if (!m.chart || is_busy(m)) return;
    const auto distance = distance_to_context(from, calls::root_context(m));
    const auto place = reinterpret_cast<std::uintptr_t>(&from);
    const auto is_like = [&](std::uintptr_t other, std::uintptr_t its) {
        const auto apart = other > place ? other - place : place - other;
        return its == distance && apart > sizeof(machine) && is_within(distance, apart);
    };
    if (core_of(m).owner->neighbors.any(is_like)) m.at = displaced();
}
#endif

/// Returns whether options must be kept for another chart. The queues keep them.
bool has_unused(const chart_core& core, const instance_options& options) {
    return (!core.has_chance && (options.seed != 0 || options.stream != 0)) ||
           (!core.has_defers && options.deferred_queue != defaults.deferred_queue);
}

} // namespace

engine::engine(const chart_core& core, void* root_context, const instance_options& wanted, void* memory) {
    const auto options = memory || has_unused(core, wanted) ? at_creation(wanted) : wanted;
    chart = &core;
    context = root_context;
    record_distance(*this, root_context);
    auto mail = options.mailbox > 0 ? make_owned<mailbox_queue>(options.mailbox, core) : owned<mailbox_queue>();
    const auto size = instance_size(core, options);
    if (memory) {
        block = static_cast<std::byte*>(memory);
    } else if (size > 0) {
        block = static_cast<std::byte*>(::operator new(size, std::align_val_t(core.layout.alignment)));
        state |= state_owner;
    }
    if (size > 0) {
        if (core.has_hook_context) new (block) detail::hook_context;
        block += in_front(core);
        prepare_block(*this, core, options, deferral_offset(core, options));
    }
    if (core.has_hook_context) {
        *reinterpret_cast<detail::hook_context**>(block) = reinterpret_cast<detail::hook_context*>(block - in_front(core));
        hook_context().root_context = root_context;
    }
    if (!wants_queues(options)) return;
    state |= state_queues;
    queues_at(*this, core) = nullptr;
    if (waits_with_queues(options)) return;
    const auto all = at_creation(options);
    auto* const queues = block + queues_offset(core, options);
    queues_at(*this, core) = new (queues) queue_head(core, all, queues + slots_offset(core), std::move(mail));
    if (all.mailbox > 0) state |= state_posted;
}

void prepare_block(machine& m, const chart_core& core, const instance_options& options, std::size_t deferral) {
    std::memset(m.block - core.layout.front, 0, core.layout.front + core.layout.locals);
    if (core.has_holds) prepare_holding(m, core);
    if (core.has_defers) prepare_deferral(m, core, deferral, options.deferred_queue);
    prepare_chance(m, core, options.seed, options.stream);
    if (!core.by_regions) return;
    m.shallowest_change = 0; // ticks of regions do not run the leaf's sections
    for (std::size_t r = 0; r < core.regions.size(); ++r) region_at(m, core, r) = inactive_region(core);
}

void clear_block(machine& m, const chart_core& core) noexcept {
    const auto& layout = core.layout;
    const std::size_t own = core.has_hook_context ? sizeof(hook_context*) : 0;
    m.leaf = no_index;
    m.work = 0;
    m.shallowest_change = 0;
    if (layout.front + layout.locals == 0) return;
    const auto deferral = core.has_defers ? deferral_of(m, core) : deferral_head();
    const auto chance = core.has_chance ? chance_of(m, core) : chance_head();
    std::memset(m.block - layout.front, 0, layout.front);
    std::memset(m.block + own, 0, layout.locals - own);
    if (core.has_defers) deferral_of(m, core) = deferral;
    prepare_chance(m, core, chance.seed, chance.stream);
    if (core.has_holds) prepare_holding(m, core);
    if (core.by_regions)
        for (std::size_t r = 0; r < core.regions.size(); ++r) region_at(m, core, r) = inactive_region(core);
}

engine::engine(engine&& other) noexcept : machine(other) {
    HSM_ASSERT(!is_busy(*this)); // otherwise one of its hooks moves it
    static_cast<machine&>(other) = machine();
    detect_context_move(*this, other);
    followed_moved(&other, this);
}

engine& engine::operator=(engine&& other) noexcept {
    std::swap(static_cast<machine&>(*this), static_cast<machine&>(other));
    detect_context_move(*this, other);
    detect_context_move(other, *this);
    followed_exchanged(this, &other);
    return *this;
}

engine::~engine() {
    followed_destroyed(this);
    if (!chart) return;
    HSM_ASSERT(!is_busy(*this)); // otherwise one of its hooks destroys it
    const auto& core = core_of(*this);
    forget_pending(*this, core);
    forget_deferred(*this, core);
    for (auto s = core.locals.empty() || leaf == no_index ? 0 : core.states.size(); s-- > 0;) // substates first
        if (is_active(*this, core, static_cast<index>(s))) destroy_locals(*this, core, static_cast<index>(s), core.states[s].locals.count);
    if (auto* const queues = queues_of(*this, core)) {
        if (queues->is_separate)
            delete_queues(core, queues);
        else
            queues->~queue_head();
    }
    if (state & state_owner) ::operator delete(block - in_front(core), std::align_val_t(core.layout.alignment));
    if (core.observed) [[unlikely]]
        delete &observed_core_of(*this);
}

std::uint16_t chain_limit(const machine& m, const chart_core& core) {
    const auto* const queues = queues_of(m, core);
    return queues ? queues->chain_limit : defaults.chain_limit;
}

namespace {
void trace_dropped(const machine& m, const chart_core& core, queue_head& queues, bool mailed) {
    const auto trace_one = [&](const queued_entry& e) {
        const auto event = e.is_request() ? record::no_number : core.column_events[e.column];
        trace(m, core, {record_kind::dropped, static_cast<std::uint8_t>(drop_reason::over), record::no_state, event, 0});
    };
    queues.internal.each(trace_one);
    queues.posted.each(trace_one);
    if (queues.mail && mailed) queues.mail->clear(trace_one);
}
} // namespace

void drop_events(machine& m, const chart_core& core, bool mailed) {
    forget_deferred(m, core);
    auto* const queues = queues_of(m, core);
    if (!queues) return;
    if (core.traced) trace_dropped(m, core, *queues, mailed);
    queues->internal.clear();
    queues->posted.clear();
    if (queues->mail && mailed) queues->mail->clear();
    if (!queues->mail && !has_pulses(m, core)) m.state = static_cast<std::uint8_t>(m.state & ~state_posted);
}

} // namespace hsm::detail
