#include <hsm/crowd/detail/agent_slot.hpp>

#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/vm/detail/block.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/condition_bits.hpp>

#include <bit>
#include <mutex>
#include <utility>

namespace hsm::detail {

namespace {
std::uint64_t column_of(const crowd_layout& layout) {
    const auto conditions = layout.core.conditions.size();
    return layout.has_column ? (std::uint64_t(1) << conditions) - 1 : 0;
}
} // namespace

namespace {
/// The slots of all crowds.
std::mutex all_slots_mutex;
agent_slot* all_slots = nullptr;
} // namespace

agent_slot::agent_slot(const crowd_layout& layout, instance_base& made_for_agents)
    : layout_(layout), core_(layout.core), machine_(made_for_agents), engine_(made_for_agents.engine_), own_block_(engine_.block),
      own_hook_context_(core_.has_hook_context ? &engine_.hook_context() : nullptr),
      own_queues_(engine_.state & state_queues ? queues_at(engine_, core_) : nullptr), region_leaves_(core_.regions.size(), no_index),
      queues_(make_queues(core_, layout.options.agent, &layout.lost)), lasting_(engine_.state & (state_queues | state_owner)),
      column_(column_of(layout)), plain_(!core_.by_regions && !core_.carries && layout.has_column),
      scores_(layout.choosers.empty() ? 0 : (layout.most_candidates + 2) * page_agents) {
    const std::lock_guard lock(all_slots_mutex);
    next_slot_ = std::exchange(all_slots, this);
}

agent_slot::~agent_slot() {
    {
        const std::lock_guard lock(all_slots_mutex);
        auto** at = &all_slots;
        while (*at != this) at = &(*at)->next_slot_;
        *at = next_slot_;
    }
    if (own_queues_) queues_at(engine_, core_) = own_queues_;
    delete_queues(core_, queues_);
}

bool agent_slot::uses(const engine& m) {
    const std::lock_guard lock(all_slots_mutex);
    const auto* s = all_slots;
    while (s && &s->engine_ != &m) s = s->next_slot_;
    return s != nullptr;
}

/// Loads the data that each agent of the page has, in any state of its machine.
void agent_slot::select_agent(page& p, std::uint32_t slot) {
    select_context(p, slot);
    if (layout_.block_size > 0)
        select_block(p, slot);
    else if (own_queues_)
        queues_at(engine_, core_) = queues_;
}

void agent_slot::select_block(page& p, std::uint32_t slot) {
    engine_.block = p.block(slot);
    if (own_hook_context_) *reinterpret_cast<hook_context**>(engine_.block) = own_hook_context_;
    if (own_queues_) queues_at(engine_, core_) = queues_;
}

/// Sets the data that all agents of a page without remaining work have in common, as a plain program leaves it.
void agent_slot::settle(std::int64_t now) {
    if (layout_.block_size == 0 && own_queues_) queues_at(engine_, core_) = queues_;
    engine_.at = nullptr;
    engine_.now = now;
    engine_.work = 0;
    engine_.state = static_cast<std::uint8_t>(lasting_ | state_ready);
    settled_ = true;
}

void agent_slot::load_new(page& p, std::uint32_t slot, std::int64_t now) {
    select_agent(p, slot);
    engine_.state = lasting_;
    if (layout_.block_size > 0) {
        const auto id = std::uint64_t(p.generation(slot)) << 32 | (p.first + slot);
        prepare_block(engine_, core_, layout_.options.agent, layout_.deferral);
        prepare_chance(engine_, core_, layout_.options.agent.seed, layout_.options.agent.stream + id);
        select_agent(p, slot);
    }
    p.set_row(slot, layout_.parked());
    p.set_bits(slot, 0);
    load(p, slot, now);
}

void agent_slot::load(page& p, std::uint32_t slot, std::int64_t now) {
    select_agent(p, slot);
    page_ = &p;
    below = std::exchange(p.visits, this);
    const auto row = p.row(slot);
    engine_.leaf = row >= layout_.none() ? no_index : static_cast<index>(row);
    read_columns(now, p.overflow_of(slot));
    if (layout_.options.lists) remember_region_leaves();
}

/// The marks of an agent without a block are in the instance's block, where they are 0 between agents.
std::uint64_t& agent_slot::marks() const { return *reinterpret_cast<std::uint64_t*>(engine_.block + core_.layout.marks); }
std::uint64_t& agent_slot::due_marks() const { return *reinterpret_cast<std::uint64_t*>(engine_.block + core_.layout.due); }

/// An observed agent has its own chart while it is loaded.
void agent_slot::take_observers(observed_core* observed) {
    if (!observed) return;
    engine_.chart = observed;
    observation_of(engine_).by_calls = true;
    observation_of(engine_).agent = page_->first + slot_;
    observation_of(engine_).generation = static_cast<std::uint16_t>(page_->generation(slot_));
    update_region_rows(engine_, core_of(engine_));
}

observed_core* agent_slot::restore_chart() noexcept {
    if (engine_.chart == &core_) return nullptr;
    auto* const observed = &observed_core_of(engine_);
    engine_.chart = &core_;
    undo_traced_row(engine_);
    update_region_rows(engine_, core_);
    return observed;
}

void agent_slot::read_columns(std::int64_t now, overflow_state* l) {
    if (l && own_queues_) queues_at(engine_, core_) = l->queues;
    if (l) engine_.leaf = l->leaf;
    engine_.now = l && l->own_clock ? l->now : now;
    engine_.work = l ? l->work : 0;
    engine_.state = static_cast<std::uint8_t>(lasting_ | (l ? l->state : page_->row(slot_) == layout_.parked() ? 0 : state_ready));
    engine_.shallowest_change = core_.by_regions || engine_.leaf == no_index ? 0 : no_index;
    if (column_) {
        const condition_bits bits(engine_, core_);
        bits.word(0) = page_->bits(slot_) & column_;
        if (layout_.block_size == 0) bits.pulsed(0) = l ? l->pulses : 0;
    }
    if (marks_overflow() && l) {
        marks() = l->marks;
        due_marks() = l->due;
    }
    if (l) take_observers(std::exchange(l->observed, nullptr));
    end_call(engine_, core_of(engine_));
    if (page_->arriving && !l && (page_->bits(slot_) & layout_.attention)) page_->arriving->give(*this);
}

void agent_slot::store(std::int64_t now) noexcept {
    write_back(now);
    unload();
}

void agent_slot::discard() noexcept {
    delete restore_chart();
    if (layout_.options.lists) list();
    if (column_ && layout_.block_size == 0) condition_bits(engine_, core_).pulsed(0) = 0;
    if (marks_overflow()) marks() = due_marks() = 0;
    if (own_queues_) queues_at(engine_, core_)->internal.clear();
    if (own_queues_) queues_at(engine_, core_)->posted.clear();
    if (layout_.has_dues) page_->set_due(slot_, never);
    page_->mark(slot_);
    unload();
}

/// Stamps the entry times of the states that were entered in this visit, as `stamp` does.
void agent_slot::stamp_entries() noexcept {
    if (!core_.options.entry_times || core_.by_regions || engine_.leaf == no_index) return;
    for (int depth = engine_.shallowest_change; depth <= core_.states[engine_.leaf].depth; ++depth) entry_times(engine_, core_)[depth] = engine_.now;
}

void agent_slot::write_back(std::int64_t now) noexcept {
    settled_ = false;
    stamp_entries();
    auto* const observed = restore_chart();
    write_columns(now, observed);
    if (layout_.options.lists) list();
    page_->mark(slot_);
}

void agent_slot::unload() noexcept {
    for (auto** s = &page_->visits;; s = &(*s)->below)
        if (*s == this) {
            *s = below;
            break;
        }
    page_ = nullptr;
    engine_.block = own_block_;
    if (own_hook_context_) own_hook_context_->root_context = nullptr;
    engine_.leaf = no_index;
    engine_.work = 0;
    engine_.state = lasting_;
    engine_.at = not_ready();
    engine_.context = nullptr;
    stops_ = 0;
}

bool agent_slot::fits_columns(std::int64_t now) const {
    if (engine_.leaf != no_index && !(engine_.state & state_ready)) return false; // set_state does not run on_init
    if ((engine_.state & special_states) != 0 || engine_.work != 0 || engine_.now != now) return false;
    if (marks_overflow() && marks() != 0) return false;
    return !own_queues_ || (queues_at(engine_, core_)->internal.empty() && queues_at(engine_, core_)->posted.empty());
}

/// Writes the columns, or the spilled state if the agent does not fit into the columns.
void agent_slot::write_columns(std::int64_t now, observed_core* observed) noexcept {
    auto& p = *page_;
    auto bits = column_ ? condition_bits(engine_, core_).word(0) & column_ : 0;
    if (core_.has_over && column_)
        bits = (bits & ~std::uint64_t(1)) | (engine_.leaf != no_index && leaf_is_over(engine_, core_, engine_.leaf) ? 1 : 0);
    engine_.state = static_cast<std::uint8_t>(engine_.state & ~(lasting_ | state_fired | state_watched));
    if (!observed && fits_columns(now)) {
        p.drop_overflow(slot_);
        p.set_row(slot_, engine_.leaf != no_index ? engine_.leaf : engine_.state & state_ready ? layout_.stopped() : layout_.parked());
        p.set_bits(slot_, bits);
        if (layout_.has_dues) store_due();
        return;
    }
    if (layout_.has_dues) p.set_due(slot_, never);
    const bool had = p.overflow_of(slot_) != nullptr;
    auto& l = p.overflow(slot_, reserve_);
    if (!reserve_.one) stops_ |= used_up;
    if (!had && own_queues_) std::swap(l.queues, queues_);
    l.observed = observed;
    l.leaf = engine_.leaf;
    l.work = engine_.work;
    l.state = engine_.state;
    l.own_clock = engine_.now != now;
    l.now = engine_.now;
    const bool changes = l.own_clock || (engine_.state & (state_paused | state_scaled)) || has_pulses(engine_, core_); // also if it has finished
    const bool ticks = engine_.leaf != no_index && (!(engine_.work & work_over) || changes);
    l.pulses = column_ && layout_.block_size == 0 ? std::exchange(condition_bits(engine_, core_).pulsed(0), 0) : 0;
    if (marks_overflow()) {
        l.marks = std::exchange(marks(), 0);
        l.due = std::exchange(due_marks(), 0);
    }
    p.set_row(slot_, ticks ? engine_.leaf : layout_.parked());
    p.set_bits(slot_, ticks ? bits | layout_.attention : bits);
}

void agent_slot::remember_region_leaves() {
    for (std::size_t r = 0; r < region_leaves_.size(); ++r) region_leaves_[r] = region_leaf_of(engine_, core_, r);
}

/// Updates the lists of the page.
void agent_slot::list() noexcept {
    const auto bit = std::uint64_t(1) << slot_ % 64;
    for (std::size_t r = 0; r < region_leaves_.size(); ++r) {
        const auto region_leaf = region_leaf_of(engine_, core_, r);
        if (region_leaf == region_leaves_[r]) continue;
        if (region_leaves_[r] != no_index) {
            auto& before = page_->list(region_leaves_[r], reserve_);
            before.agents[slot_ / 64] &= ~bit;
            --before.count;
        }
        if (region_leaf != no_index) {
            if (!page_->list_if_any(region_leaf)) stops_ |= used_up;
            auto& after = page_->list(region_leaf, reserve_);
            after.agents[slot_ / 64] |= bit;
            ++after.count;
        }
    }
}

} // namespace hsm::detail
