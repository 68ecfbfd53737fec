// An engine's memory, how calls begin and end, and what is left when a hook throws.

#include <hsm/compile/block.hpp>
#include <hsm/compile/condition_bits.hpp>
#include <hsm/compile/deferral.hpp>
#include <hsm/compile/holding.hpp>
#include <hsm/run/engine_parts.hpp>
#include <hsm/run/queue_head.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace hsm {

namespace {

constexpr instance_options defaults;

bool wants_queues(const instance_options& options) {
    return options.internal_queue > 0 || options.posted_queue > 0 || options.mailbox > 0 || options.chain_limit != defaults.chain_limit;
}

std::size_t queues_alignment(const chart_core& core) {
    return std::max({std::size_t(core.event_alignment), alignof(event_queue::entry), alignof(queue_head)});
}

std::size_t aligned(std::size_t offset, std::size_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

std::size_t slots_offset(const chart_core& core) {
    return aligned(sizeof(queue_head), queues_alignment(core));
}

std::size_t queue_memory(const chart_core& core, const instance_options& options) {
    return slots_offset(core) + event_queue::memory_size(options.internal_queue, core) + event_queue::memory_size(options.posted_queue, core);
}

/// Where what stands behind a block begins, that of the queues with it.
std::size_t behind_block(const chart_core& core, const instance_options& options) {
    return core.layout.queues + (wants_queues(options) ? sizeof(queue_head*) : 0);
}

/// The queues of an instance, which are in its own memory.
std::size_t queues_offset(const chart_core& core, const instance_options& options) {
    return aligned(behind_block(core, options), queues_alignment(core));
}

/// Where what is behind the queues begins.
std::size_t deferral_offset(const chart_core& core, const instance_options& options) {
    const auto end = wants_queues(options) ? queues_offset(core, options) + queue_memory(core, options) : core.layout.queues;
    return core.has_defers ? aligned(end, std::max<std::size_t>(core.event_alignment, 8)) : end;
}

queue_head*& queues_at(const machine& m, const chart_core& core) {
    return *reinterpret_cast<queue_head**>(m.block + core.layout.queues);
}
queue_head& queues_of(const machine& m, const chart_core& core) {
    return *queues_at(m, core);
}

} // namespace

std::size_t engine::block_size(const chart_core& core, const instance_options& options) {
    const auto deferred = core.has_defers ? deferral_memory(core, options.deferred_queue) : 0;
    return core.layout.moment + core.layout.front + deferral_offset(core, options) + deferred;
}

engine::agent_memory engine::agent_block(const chart_core& core, const instance_options& options) {
    const auto end = behind_block(core, options);
    if (!core.has_defers) return {end, 0};
    const auto deferral = aligned(end, std::max<std::size_t>(core.event_alignment, 8));
    return {deferral + deferral_memory(core, options.deferred_queue), deferral};
}

queue_head* engine::make_queues(const chart_core& core, const instance_options& options) {
    if (!wants_queues(options)) return nullptr;
    auto* const memory = static_cast<std::byte*>(::operator new(queue_memory(core, options), std::align_val_t(queues_alignment(core))));
    return new (memory) queue_head(core, options, memory + slots_offset(core), {});
}

std::size_t engine::queues_size(const chart_core& core, const instance_options& options) {
    return wants_queues(options) ? queue_memory(core, options) : 0;
}

void engine::delete_queues(const chart_core& core, queue_head* queues) {
    if (!queues) return;
    queues->~queue_head();
    ::operator delete(static_cast<void*>(queues), std::align_val_t(queues_alignment(core)));
}

std::size_t engine::block_alignment(const chart_core& core) {
    return core.layout.alignment;
}

engine::engine(const chart_core& core, void* root_context, const instance_options& options, void* memory) {
    chart = &core;
    context = root_context;
    auto mail = options.mailbox > 0 ? make_owned<mailbox_queue>(options.mailbox, core) : owned<mailbox_queue>();
    const auto size = block_size(core, options);
    if (memory) {
        block = static_cast<std::byte*>(memory);
    } else if (size > 0) {
        block = static_cast<std::byte*>(::operator new(size, std::align_val_t(core.layout.alignment)));
        state |= state_owner;
    }
    if (size > 0) {
        if (core.has_moment) new (block) hsm::moment;
        block += core.layout.moment + core.layout.front;
        prepare(options, deferral_offset(core, options));
    }
    if (core.has_moment) {
        *reinterpret_cast<hsm::moment**>(block) = reinterpret_cast<hsm::moment*>(block - core.layout.front - core.layout.moment);
        moment().root_context = root_context;
    }
    if (!wants_queues(options)) return;
    queues_at(*this, core) = new (block + queues_offset(core, options)) queue_head(core, options, block + queues_offset(core, options) + slots_offset(core), std::move(mail));
    state |= options.mailbox > 0 ? state_queues | state_posted : state_queues;
}

/// A block in which nothing is active.
void engine::prepare(const instance_options& options, std::size_t deferral) {
    std::memset(block - core().layout.front, 0, core().layout.front + core().layout.locals);
    if (core().has_holds) prepare_holding(*this, core());
    if (core().has_defers) prepare_deferral(*this, core(), deferral, options.deferred_queue);
    if (!core().driven) return;
    kept = 0; // a tick is not a run through the leaf's sections
    for (std::size_t r = 0; r < core().regions.size(); ++r) region_at(*this, core(), r) = {nullptr, no_index, no_index};
}

engine::engine(engine&& other) noexcept : machine(other) {
    HSM_ASSERT(!busy()); // or one of its hooks moves it
    static_cast<machine&>(other) = machine();
}

engine& engine::operator=(engine&& other) noexcept {
    std::swap(static_cast<machine&>(*this), static_cast<machine&>(other));
    return *this;
}

engine::~engine() {
    if (!chart) return;
    HSM_ASSERT(!busy()); // or one of its hooks destroys it
    forget_pending(*this, core());
    forget_deferred(*this, core());
    for (std::size_t s = core().driven ? core().states.size() : 0; s-- > 0;)
        if (is_active(*this, core(), static_cast<index>(s))) destroy_locals(*this, core(), static_cast<index>(s), core().states[s].locals.count);
    for (auto s = core().driven ? no_index : leaf; s != no_index; s = core().states[s].superstate) destroy_locals(*this, core(), s, core().states[s].locals.count);
    if (state & state_queues) queues_of(*this, core()).~queue_head();
    if (state & state_owner) ::operator delete(block - core().layout.front - core().layout.moment, std::align_val_t(core().layout.alignment));
}

event_queue* engine::internal_queue() const {
    return state & state_queues ? &queues_of(*this, core()).internal : nullptr;
}

event_queue* engine::posted_queue() const {
    return state & state_queues ? &queues_of(*this, core()).posted : nullptr;
}

mailbox_queue* engine::mail() const {
    return state & state_queues ? queues_of(*this, core()).mail.get() : nullptr;
}

hsm::mailbox* engine::mailbox() const {
    return mail();
}

std::string engine::root_path() const { return core().root->path(); }

/// All that wait, but not the one that is being handled.
void engine::drop_events(bool mailed) {
    forget_deferred(*this, core());
    auto* const internal = internal_queue();
    if (!internal) return;
    internal->clear();
    posted_queue()->clear();
    if (mail() && mailed) mail()->clear();
    if (!mail() && !has_pulses())
        state = static_cast<std::uint8_t>(state & ~state_posted);
}

std::uint16_t engine::chain_limit() const {
    return state & state_queues ? queues_of(*this, core()).chain_limit : defaults.chain_limit;
}

std::int64_t* engine::times() const {
    return reinterpret_cast<std::int64_t*>(block + core().layout.times);
}

double engine::time_scale() const {
    return state & state_scaled ? queues_of(*this, core()).time_scale : 1.0;
}

result engine::scale_time(double factor) {
    if (only_looks()) return result::busy;
    if (!(factor >= 0 && factor <= std::numeric_limits<double>::max())) return result::refused;
    if (!(state & state_queues)) return factor == 1.0 ? result::taken : result::full;
    queues_of(*this, core()).time_scale = factor;
    state = static_cast<std::uint8_t>(factor == 1.0 ? state & ~state_scaled : state | state_scaled);
    return result::taken;
}

void engine::enter() {
    at = at_work();
}

/// The next event may go straight to its program, unless there is none to go to, or something left to settle first.
void engine::leave() {
    end_waiting(*this, core());
    const bool ready = !over() && work == 0 && !core().rows.empty() && !core().has_unhandled;
    if (ready) row = core().driven ? row_of_regions(*this, core()) : core().row_of(leaf);
    at = ready ? nullptr : at_rest();
}

/// The innermost active one, where regions are driven of the region that `s` belongs to.
void engine::set_leaf(index s, index innermost) noexcept {
    if (core().driven)
        set_tip(*this, core(), s == no_index ? 0 : core().states[s].region, innermost);
    else
        leaf = innermost;
}

/// Where the hook at `at` threw: what is entered, and what is not.
void engine::recover() noexcept {
    const auto& ops = core().ops;
    if (!at || at < ops.data() || at >= ops.data() + ops.size()) return;
    const auto note = core().notes[static_cast<std::size_t>(at - ops.data())];
    at = at_work();
    switch (note.kind) {
    case op_note::still:
    case op_note::outside: return;
    case op_note::between:
        set_leaf(note.state, note.state);
        break;
    case op_note::entering:
    case op_note::exiting: {
        const auto& row_of_state = core().states[note.state];
        destroy_locals(*this, core(), note.state, note.kind == op_note::entering ? note.built : row_of_state.locals.count);
        clear_mark(*this, core(), note.state);
        let_go(*this, core(), note.state);
        set_leaf(note.state, note.state == core().regions[row_of_state.region] ? no_index : row_of_state.superstate);
        break;
    }
    }
    if (!core().driven) keep(leaf == no_index ? 0 : core().states[leaf].depth + 1);
}

/// Where regions are driven: has the hook that threw interrupted a step? A step that the driver has made says itself where it is;
/// one of programs is in the parallel of the region whose hook it is.
bool engine::is_in_step() const {
    auto& head = driver_of(*this, core());
    if (head.moving == driver_head::step) return true;
    index s = no_index;
    const bool moves = is_moving(s) || (head.moving == driver_head::turns && s != no_index);
    head.step_level = s == no_index ? no_index : core().regions[core().states[s].region];
    return moves;
}

/// A stop asked for by a hook that then threw still counts; the exception that is told is the first.
void engine::failed(bool was_active) noexcept {
    const bool in_step = core().driven && is_in_step();
    recover();
    if (in_step) abandon_step();
    if (core().driven) list_regions(*this, core());
    work = static_cast<std::uint8_t>(work & ~(work_transient | work_always | work_by_section));
    if (core().has_defers) deferral_of(*this, core()).recall = false;
    if (work & work_stop) {
        try {
            stop_now();
        } catch (...) {
        }
    }
    work = static_cast<std::uint8_t>(work & ~work_stop);
    if (auto* const queue = internal_queue(); queue && queue->size() == 0)
        work = static_cast<std::uint8_t>(work & ~work_internal);
    forget_fresh(*this, core());
    if (leaf == no_index) drop_events(was_active);
    if (leaf == no_index) work = 0;
    leave();
}

void engine::keep(int states) {
    kept = std::min(kept, static_cast<index>(states));
}

bool engine::outside_life() const {
    const auto& ops = core().ops;
    if (!at || at < ops.data() || at >= ops.data() + ops.size()) return false;
    return core().notes[static_cast<std::size_t>(at - ops.data())].kind == op_note::outside;
}

bool engine::asks_guard() const {
    const auto& ops = core().ops;
    if (!at || at < ops.data() || at >= ops.data() + ops.size()) return false;
    const auto note = core().notes[static_cast<std::size_t>(at - ops.data())];
    return note.kind == op_note::still && note.built != 0;
}

bool engine::only_looks() const {
    const auto& ops = core().ops;
    if (!at || at < ops.data() || at >= ops.data() + ops.size()) return false;
    const auto note = core().notes[static_cast<std::size_t>(at - ops.data())];
    return (note.kind == op_note::still || note.kind == op_note::between) && note.built != 0;
}

index engine::where() const {
    if (core().driven) return tip_now(0);
    if (!at) return leaf;
    const auto& ops = core().ops;
    if (at < ops.data() || at >= ops.data() + ops.size()) return leaf;
    const auto note = core().notes[static_cast<std::size_t>(at - ops.data())];
    return note.kind == op_note::still || note.kind == op_note::outside ? leaf : note.state;
}

bool engine::active(index s) const {
    if (s == no_index) return false;
    const auto innermost = core().driven ? tip_now(core().states[s].region) : where();
    return innermost != no_index && core().contains(s, innermost);
}

state_ref engine::next_leaf(state_ref last) const {
    const auto begin = last ? core().index_of(*last.get()) + 1u : 0u;
    for (auto s = begin; s < core().states.size(); ++s) {
        const auto i = static_cast<index>(s);
        const auto tip = core().driven ? tip_now(core().states[i].region) : where();
        if (tip == i && core().states[i].kind != state_kind::parallel) return state_ref(*core().states[i].node);
    }
    return {};
}

state_ref engine::current() const {
    const auto s = where();
    return s == no_index ? state_ref() : state_ref(*core().states[s].node);
}

std::uint32_t engine::find_column(const event_ref& event) const {
    const auto* const column = core().column_of(*event.type);
    if (!column) return 0;
    const auto offset = static_cast<std::uint64_t>(event.value) - static_cast<std::uint64_t>(column->first_value);
    if (offset < column->count) return column->first + static_cast<std::uint32_t>(offset);
    if (!column->listed) return 0;
    const auto number = core().find_event(event);
    return number == no_index ? 0 : core().event_columns[number];
}

void* engine::root_context() const {
    return core().has_projections ? moment().root_context : context;
}

void* engine::local(const state_base* from, const local_type& type) {
    if (core().has_init && outside_life()) return nullptr;
    const auto nearest = [&](auto is_meant) -> void* {
        for (auto s = from ? core().index_of(*from) : no_index; s != no_index; s = core().states[s].superstate) {
            const auto& span = core().states[s].locals;
            if (core().driven && !active(s)) continue; // another transition of the step has left it
            for (auto i = span.first; i < span.first + span.count; ++i)
                if (is_meant(*core().locals[i].type)) return block + core().layout.locals + core().locals[i].offset;
        }
        return nullptr;
    };
    if (auto* const found = nearest([&](const local_type& each) { return &each == &type; })) return found;
    return nearest([&](const local_type& each) { return same_type(each, type); }); // a chart's equal types are one, but `type` may be another module's
}

const host_calls host_calls::engine = {
    [](machine& m, const event_ref& event) { return static_cast<hsm::engine&>(m).process(event); },
    [](machine& m, const event_ref& event) { return static_cast<hsm::engine&>(m).post(event); },
    [](machine& m, const state_key& target, bool force) { return static_cast<hsm::engine&>(m).change_to(target, force); },
    [](machine& m) { return static_cast<hsm::engine&>(m).stop(); },
    [](machine& m, const state_base& s) {
        auto& self = static_cast<hsm::engine&>(m);
        const auto marked = self.core().index_of(s);
        if (self.active(marked)) mark_over(self, self.core(), marked);
    },
    [](machine& m, const state_base& s) {
        auto& self = static_cast<hsm::engine&>(m);
        const auto released = self.core().index_of(s);
        if (self.active(released)) release_state(self, self.core(), released);
    },
    [](const machine& m) { return static_cast<const hsm::engine&>(m).current(); },
    [](const machine& m, const state_base& s) { return static_cast<const hsm::engine&>(m).time_in_state(s); },
    [](machine& m, const state_base* from, const local_type& type) { return static_cast<hsm::engine&>(m).local(from, type); },
    [](const machine& m, const state_key& s) { return static_cast<const hsm::engine&>(m).is_in(s); },
    [](const machine& m, std::uint32_t number) { return static_cast<const hsm::engine&>(m).holds(number); },
    [](const machine& m, const condition_key& c) { return static_cast<const hsm::engine&>(m).get_condition(c); },
    [](machine& m, const condition_key& c, condition_change to) { static_cast<hsm::engine&>(m).set_condition(c, to); },
};

} // namespace hsm
