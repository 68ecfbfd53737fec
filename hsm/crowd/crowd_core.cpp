// The agents of a crowd, and calls to one of them.

#include <hsm/crowd/detail/crowd_core.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/vm/detail/block.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace hsm::detail {

namespace {
/// Returns the options of agents: the mailbox belongs to the crowd, and queues are allocated when an agent needs them.
crowd_options of_agents(crowd_options options) {
    options.agent = at_creation(options.agent);
    options.agent.mailbox = 0;
    return options;
}
} // namespace

crowd_core::crowd_core(const chart_base& chart, const agent_kind& kind, const crowd_options& options, std::byte* contexts, std::size_t capacity)
    : chart_(chart), kind_(kind),
      layout_(std::make_unique<crowd_layout>(chart.core(), of_agents(options), contexts ? 0 : kind.size, kind.alignment, kind.size)),
      event_tables_(std::make_unique<event_tables>(*layout_)), contexts_(contexts), capacity_(capacity) {
    if (layout_->core.states.size() > most_states)
        throw crowd_error({code::large_crowd_chart, chart_.root().path(),
                           fmt::format("the chart has {} states; a crowd supports {}", layout_->core.states.size(), most_states),
                           "use instances, or split the chart"});
    free_agent_slot(take_agent_slot());
    if (options.agent.mailbox == 0) return;
    mail_ = make_owned<mailbox_queue>(options.agent.mailbox, chart_.core());
    mailbox_ = make_owned<crowd_mailbox>(*mail_);
}

crowd_core::~crowd_core() {
    if (inputs) inputs->object_gone();
    HSM_ASSERT(!running_ && taken_ == 0); // otherwise a hook of one of its agents destroys it
    const auto& core = layout_->core;
    const bool has_objects = !core.locals.empty() || core.has_defers || core.has_holds; // in blocks
    for (const auto& p : pages_)
        for (std::uint32_t slot = 0; p->has_columns() && (has_objects || p->has_overflow() || p->owns_contexts()) && slot < p->used; ++slot) {
            if (!p->has_agent(slot)) continue;
            if (auto* const l = p->overflow_of(slot)) delete std::exchange(l->observed, nullptr); // observers are not notified
            if (has_objects || p->overflow_of(slot)) {
                auto& s = take_agent_slot();
                s.load(*p, slot, now_);
                s.machine().reset(); // destroys locals, empties queues
                s.discard();
                free_agent_slot(s);
            }
            if (p->owns_contexts()) kind_.destroy(p->context(slot));
        }
    for (auto* const link : observers_) end_use(link);
}

page& crowd_core::page_for(std::uint32_t position) {
    while (pages_.size() <= position / page_agents) {
        if (!contexts_) free_.reserve((pages_.size() + 1) * page_agents); // so that removing agents never allocates
        auto& p = *pages_.emplace_back(std::make_unique<page>(*layout_, static_cast<std::uint32_t>(pages_.size())));
        if (contexts_) p.use_contexts(contexts_ + std::size_t(p.first) * kind_.size);
    }
    return page_at(position);
}

std::uint32_t crowd_core::find_position(std::size_t element, std::size_t any) {
    if (parallel_)
        throw crowd_error({code::crowd_parallel, chart_.root().path(), "an agent cannot be added while workers tick the crowd",
                           "add it after the tick, or tick without workers"});
    const auto no_such = [&](std::string problem, std::string hint) {
        throw crowd_error({code::no_element, chart_.root().path(), std::move(problem), std::move(hint)});
    };
    const auto no_position = [&](std::string problem, std::string hint) {
        throw crowd_error({code::no_place, chart_.root().path(), std::move(problem), std::move(hint)});
    };
    if (element == any) {
        if (contexts_)
            no_such("the crowd is over an array, so each agent needs an element of the array",
                    "call add_element(i), then herd[id]->take_over(instance)");
        if (free_.empty() && untouched_ == most_positions) no_position("the crowd has no free place: all 2^32 were used", "create another crowd");
        const auto position = static_cast<std::uint32_t>(free_.empty() ? untouched_ : free_.back());
        page_for(position);
        if (free_.empty())
            ++untouched_;
        else
            free_.pop_back();
        return position;
    }
    if (!contexts_) no_such(fmt::format("there is no element {}: the crowd stores the contexts", element), "call add(...)");
    if (element >= capacity_)
        no_such(fmt::format("there is no element {}: the array has {} elements", element, capacity_),
                "pass the index of an element of the crowd's array");
    if (element >= most_positions)
        no_position(fmt::format("element {} has no handle: a crowd has only 2^32 handles", element),
                    "create another crowd over the rest of the array");
    const auto position = static_cast<std::uint32_t>(element);
    const auto slot = position % page_agents;
    const auto& p = page_for(position);
    if (p.has_agent(slot))
        throw crowd_error(
            {code::element_taken, chart_.root().path(), fmt::format("element {} already has an agent", element), "remove that agent first"});
    if (p.is_used_up(slot)) no_position(fmt::format("element {} has had 2^31 agents and has no more handles", element), "create a new crowd");
    return position;
}

void crowd_core::give_back(std::uint32_t position) noexcept {
    auto& p = page_at(position);
    const auto slot = position % page_agents;
    if (contexts_ || p.is_used_up(slot)) return;
    if (position + 1 == untouched_ && p.generation(slot) == 0) {
        --untouched_; // an agent that could not be added has changed nothing
    } else if (running_) {
        p.freed[slot / 64] |= std::uint64_t(1) << slot % 64;
        p.any_freed = true;
    } else {
        free_.push_back(position); // page_for has reserved room for all
    }
}

/// Frees the places of agents that were removed in a tick.
void crowd_core::take_back(page& p) noexcept {
    if (!std::exchange(p.any_freed, false)) return;
    for (std::size_t w = 0; w < p.freed.size(); ++w)
        for (auto rest = std::exchange(p.freed[w], 0); rest != 0; rest &= rest - 1)
            free_.push_back(p.first + static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
}

void crowd_core::abandon(std::uint32_t position) noexcept {
    if (!contexts_) kind_.destroy(context(position));
    give_back(position);
}

agent_id crowd_core::add(std::uint32_t position, instance_base* from) {
    auto& p = page_at(position);
    const auto slot = position % page_agents;
    agent_slot* taken = nullptr;
    try {
        if (running_ && !p.newcomers) p.newcomers = p.no_newcomers ? std::move(p.no_newcomers) : std::make_unique<agent_bits>();
        taken = &take_agent_slot(p);
    } catch (...) {
        abandon(position);
        throw;
    }
    auto& s = *taken;
    p.used = std::max(p.used, slot + 1);
    ++p.alive;
    p.begin_generation(slot);
    if (running_) {
        const auto bit = std::uint64_t(1) << slot % 64;
        (*p.newcomers)[slot / 64] |= bit;
        if (p.must_tick) (*p.must_tick)[slot / 64] &= ~bit; // the previous agent of this place had to tick
    }
    if (p.round && p.round->what.by_handle) p.round->exclude(slot);
    const auto id = p.id(slot);
    s.load_new(p, slot, clock_of(p, slot));
    const auto undo = [&] {
        s.machine().reset();
        s.discard();
        free_agent_slot(s);
        forget(p, slot);
    };
    try {
        if (!observers_.empty()) observe_newcomer(s);
        if (from && s.machine().take_over(*from) != result::taken) return undo(), agent_id();
        if (!from && layout_->options.start) s.machine().start();
    } catch (...) {
        undo();
        throw;
    }
    store(s);
    return id;
}

result crowd_core::release(agent_id id, instance_base& to) {
    auto& s = load(id);
    result outcome;
    try {
        outcome = to.take_over(s.machine());
    } catch (...) {
        store(s);
        throw;
    }
    if (outcome == result::taken) {
        ++page_at(id.index).generation(id.index % page_agents);
        s.remove_after(); // never started: no hook runs
    }
    store(s);
    return outcome;
}

/// Makes the handles stale immediately.
bool crowd_core::remove(agent_id id) {
    if (!has(id)) return false;
    auto& p = page_at(id.index);
    const auto slot = id.index % page_agents;
    if (auto* const there = agent_slot_of(p, slot)) {
        if (there->is_locked()) return false;
        ++p.generation(slot);
        there->remove_after();
        return true;
    }
    auto& s = take_agent_slot();
    ++p.generation(slot);
    const freed_after at_the_end{*this, s};
    remove_in(s, p, slot);
    return true;
}

void crowd_core::drop(agent_id id) {
    auto& s = load(id);
    auto& p = page_at(id.index);
    ++p.generation(id.index % page_agents);
    s.machine().reset();
    s.discard();
    free_agent_slot(s);
    forget(p, id.index % page_agents);
}

void crowd_core::drop_plain(agent_id id) noexcept {
    auto& p = page_at(id.index);
    const auto slot = id.index % page_agents;
    ++p.generation(slot);
    if (layout_->has_dues) p.set_due(slot, never);
    forget(p, slot);
}

agent_id crowd_core::begin_plain(std::uint32_t position) noexcept {
    auto& p = page_at(position);
    const auto slot = position % page_agents;
    p.used = std::max(p.used, slot + 1);
    ++p.alive;
    p.begin_generation(slot);
    return p.id(slot);
}

void crowd_core::end_plain(agent_id id) {
    auto& p = page_at(id.index);
    const auto slot = id.index % page_agents;
    if (const auto row = p.row(slot); layout_->has_dues && row < layout_->none())
        p.set_due(slot, layout_->timed.next_due(p.block(slot), static_cast<index>(row)));
    if (observers_.empty()) return;
    auto& s = load(id);
    const stored_after at_the_end{*this, s};
    observe_newcomer(s);
}

void crowd_core::clear() {
    first_exception first;
    for (std::size_t n = 0; n < pages_.size(); ++n)
        for (std::uint32_t slot = 0; slot < pages_[n]->used; ++slot) first.of([&] { remove(id_at(pages_[n]->first + slot)); });
    rethrow(first);
}

void crowd_core::rethrow(const first_exception& first) const {
    if (inputs && first.lacked_memory()) inputs->jump();
    first.rethrow();
}

/// Requires an empty slot.
void crowd_core::remove_in(agent_slot& s, page& p, std::uint32_t slot) {
    s.load(p, slot, clock_of(p, slot));
    std::exception_ptr thrown;
    try {
        s.machine().destroy();
    } catch (...) {
        thrown = std::current_exception();
    }
    s.discard();
    forget(p, slot);
    if (thrown) std::rethrow_exception(thrown);
}

/// Requires an inactive agent.
void crowd_core::forget(page& p, std::uint32_t slot) noexcept {
    p.drop_overflow(slot);
    p.set_row(slot, layout_->none());
    p.set_bits(slot, 0);
    p.mark(slot);
    p.reset_rate(slot);
    --p.alive;
    if (!contexts_) kind_.destroy(p.context(slot));
    give_back(p.first + slot);
}

bool crowd_core::has(agent_id id) const {
    if (!id || id.index / page_agents >= pages_.size()) return false;
    auto& p = page_at(id.index);
    const auto slot = id.index % page_agents;
    return p.has_agent(slot) && p.generation(slot) == id.generation;
}

void crowd_core::require(agent_id id) const {
    if (has(id)) return;
    throw crowd_error(
        {code::agent_gone, chart_.root().path(),
         id ? fmt::format("agent {} (generation {}) is not in this crowd, or was removed", id.index, id.generation) : "the handle is empty",
         "call has(id) first"});
}

/// Visits the agents that were removed by their own hooks in calls that are still in progress.
template <class Visit> static void each_removed(const page& p, Visit visit) {
    for (const auto* s = p.visits; s; s = s->below)
        if (s->is_removed()) visit(s->slot());
}

agent_bits crowd_core::without_removed(const page& p, agent_bits agents) {
    each_removed(p, [&](std::uint32_t slot) { agents[slot / 64] &= ~(std::uint64_t(1) << slot % 64); });
    return agents;
}

agent_id crowd_core::id_at(std::uint32_t position) const {
    auto& p = page_at(position);
    const auto slot = position % page_agents;
    bool is_there = p.has_agent(slot);
    each_removed(p, [&](std::uint32_t removed) { is_there = is_there && removed != slot; });
    return is_there ? p.id(slot) : agent_id();
}

std::size_t crowd_core::count() const {
    std::size_t all = 0;
    for (const auto& p : pages_) {
        all += p->alive;
        each_removed(*p, [&](std::uint32_t) { --all; });
    }
    return all;
}

/// Locks only if workers share the slots.
std::unique_lock<std::mutex> crowd_core::lock_agent_slots() {
    return parallel_ ? std::unique_lock(agent_slots_mutex_) : std::unique_lock<std::mutex>();
}

agent_slot& crowd_core::take_agent_slot() {
    const auto lock = lock_agent_slots();
    if (!spare_) spare_ = &agent_slots_.emplace_back(std::make_unique<agent_slot_with_machine>(chart_, kind_, *layout_))->in_it;
    ++taken_;
    return *std::exchange(spare_, spare_->below);
}

agent_slot& crowd_core::take_agent_slot(const page& p) {
    auto& s = take_agent_slot();
    try {
        s.make_ready(p);
    } catch (...) {
        free_agent_slot(s);
        throw;
    }
    return s;
}

void crowd_core::free_agent_slot(agent_slot& s) noexcept {
    const auto lock = lock_agent_slots();
    s.below = std::exchange(spare_, &s);
    --taken_;
}

agent_slot* crowd_core::agent_slot_of(const page& p, std::uint32_t slot) const {
    auto* s = p.visits;
    while (s && !s->holds(slot)) s = s->below;
    return s;
}

/// Returns the clock of an agent. Before its turn in the tick in progress, that is the clock before the tick.
std::int64_t crowd_core::clock_of(const page& p, std::uint32_t slot) const {
    if (!running_) return now_;
    const bool newcomer = p.newcomers && ((*p.newcomers)[slot / 64] >> slot % 64 & 1) != 0;
    return newcomer || p.was_visited(slot) ? running_->later : running_->now;
}

agent_slot& crowd_core::load(agent_id id) {
    require(id);
    auto& p = page_at(id.index);
    const auto slot = id.index % page_agents;
    if (auto* const there = agent_slot_of(p, slot)) {
        ++there->calls;
        return *there;
    }
    auto& s = take_agent_slot(p);
    s.load(p, slot, clock_of(p, slot));
    return s;
}

void crowd_core::store(agent_slot& s) {
    if (s.calls > 0) {
        --s.calls;
        return;
    }
    auto& p = *s.where();
    const auto slot = s.slot();
    const bool removed = s.is_removed();
    s.store(clock_of(p, slot));
    const freed_after at_the_end{*this, s};
    if (removed) remove_in(s, p, slot);
}

void crowd_core::make_pages_like(const crowd_core& other) {
    pages_.reserve(other.pages_.size());
    for (const auto& p : other.pages_) pages_.push_back(std::make_unique<page>(*layout_, p->first / page_agents, p.get()));
    now_ = other.now_;
    layout_->lost = other.layout_->lost;
}

void crowd_core::exchange(crowd_core& other, std::span<const index> states, std::span<const std::uint16_t> rows) noexcept {
    for (std::size_t n = 0; n < pages_.size(); ++n) {
        pages_[n]->exchange_contexts(*other.pages_[n]);
        if (!other.pages_[n]->has_columns()) other.pages_[n]->take_columns(*pages_[n], rows);
    }
    std::swap(chart_, other.chart_);
    layout_.swap(other.layout_);
    event_tables_.swap(other.event_tables_);
    pages_.swap(other.pages_);
    agent_slots_.swap(other.agent_slots_);
    std::swap(spare_, other.spare_);
    if (mail_) mail_->exchange(*other.mail_);
    batches_.remove_if([&](const batch& b) { return states[b.state] == no_index; });
    for (auto& b : batches_) b.state = states[b.state];
    batches_.sort([](const batch& a, const batch& b) { return a.state < b.state; });
}

} // namespace hsm::detail
