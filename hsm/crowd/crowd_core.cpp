// Who is in a crowd, and how a call gets to an agent.

#include <hsm/crowd/crowd_core.hpp>

#include <hsm/compile/block.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace hsm {

namespace {
crowd_options without_mailbox(crowd_options options) {
    options.agent.mailbox = 0;
    return options;
}
} // namespace

crowd_core::crowd_core(const chart_base& chart, const agent_kind& kind, const crowd_options& options, std::byte* contexts, std::size_t capacity)
    : chart_(chart), kind_(kind), shape_(chart.core(), without_mailbox(options), contexts ? 0 : kind.size, kind.alignment, kind.size), contexts_(contexts),
      capacity_(capacity) {
    if (shape_.core.states.size() > most_states)
        throw crowd_error({code::large_crowd_chart, chart_.root().path(),
                           fmt::format("the chart has {} states; for a crowd there can be {}", shape_.core.states.size(), most_states),
                           "use instances, or split the chart"});
    free_seat(take_seat());
    if (options.agent.mailbox == 0) return;
    mail_ = make_owned<mailbox_queue>(options.agent.mailbox, chart_.core());
    mailbox_ = make_owned<crowd_mailbox>(*mail_);
}

crowd_core::~crowd_core() {
    HSM_ASSERT(!running_ && sitting_ == 0); // or a hook of one of its agents destroys it
    for (const auto& p : pages_)
        for (std::uint32_t slot = 0; slot < p->used; ++slot) {
            if (!p->has_agent(slot)) continue;
            if (shape_.block_size > 0 || p->luggage_of(slot)) {
                auto& s = take_seat();
                s.board(*p, slot, now_);
                s.machine().reset(); // locals are destroyed, queues emptied
                s.leave_for_good();
                free_seat(s);
            }
            if (!contexts_) kind_.destroy(p->context(slot));
        }
}

page& crowd_core::page_for(std::uint32_t place) {
    while (pages_.size() <= place / page_agents) {
        if (!contexts_) free_.reserve((pages_.size() + 1) * page_agents); // so that agents can always be removed
        auto& p = *pages_.emplace_back(std::make_unique<page>(shape_, static_cast<std::uint32_t>(pages_.size())));
        if (contexts_) p.use_contexts(contexts_ + std::size_t(p.first) * kind_.size);
    }
    return page_at(place);
}

std::uint32_t crowd_core::find_place(std::size_t element, std::size_t any) {
    if (parallel_)
        throw crowd_error({code::crowd_parallel, chart_.root().path(), "an agent is to be added while workers tick the crowd",
                           "add it after the tick, or tick without workers"});
    const auto no_such = [&](std::string problem, std::string hint) {
        throw crowd_error({code::no_element, chart_.root().path(), std::move(problem), std::move(hint)});
    };
    const auto no_place = [&](std::string problem, std::string hint) {
        throw crowd_error({code::no_place, chart_.root().path(), std::move(problem), std::move(hint)});
    };
    if (element == any) {
        if (contexts_) no_such("an agent is to be added without an element to a crowd over an array", "add_element(i), and herd[id]->take_over(instance)");
        if (free_.empty() && untouched_ == most_places) no_place("2^32 agents have been in the crowd, and no place is free", "make another crowd");
        const auto place = static_cast<std::uint32_t>(free_.empty() ? untouched_ : free_.back());
        page_for(place);
        if (free_.empty())
            ++untouched_;
        else
            free_.pop_back();
        return place;
    }
    if (!contexts_) no_such(fmt::format("there is no element {}: the crowd keeps the contexts", element), "add(...) makes one");
    if (element >= capacity_)
        no_such(fmt::format("there is no element {}: the array has {}", element, capacity_), "agents are over elements of the array that the crowd was made with");
    if (element >= most_places) no_place(fmt::format("element {} has no handle: there are 2^32", element), "make another crowd over the rest of the array");
    const auto place = static_cast<std::uint32_t>(element);
    const auto slot = place % page_agents;
    const auto& p = page_for(place);
    if (p.has_agent(slot))
        throw crowd_error({code::element_taken, chart_.root().path(), fmt::format("element {} has an agent already", element), "remove that one first"});
    if (p.is_used_up(slot)) no_place(fmt::format("element {} has had 2^31 agents, and there are no more handles for it", element), "make a new crowd");
    return place;
}

void crowd_core::give_back(std::uint32_t place) noexcept {
    auto& p = page_at(place);
    const auto slot = place % page_agents;
    if (contexts_ || p.is_used_up(slot)) return;
    if (running_) {
        p.freed[slot / 64] |= std::uint64_t(1) << slot % 64;
        p.any_freed = true;
    } else {
        free_.push_back(place); // there is room for all: see page_for
    }
}

/// After a tick: the places that were left in it.
void crowd_core::take_back(page& p) noexcept {
    if (!std::exchange(p.any_freed, false)) return;
    for (std::size_t w = 0; w < p.freed.size(); ++w)
        for (auto rest = std::exchange(p.freed[w], 0); rest != 0; rest &= rest - 1)
            free_.push_back(p.first + static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
}

agent_id crowd_core::add(std::uint32_t place, instance_base* from) {
    auto& p = page_at(place);
    const auto slot = place % page_agents;
    seat* taken = nullptr;
    try {
        if (running_ && !p.newcomers) p.newcomers = p.no_newcomers ? std::move(p.no_newcomers) : std::make_unique<agent_bits>();
        taken = &take_seat(p);
    } catch (...) {
        if (!contexts_) kind_.destroy(p.context(slot));
        give_back(place);
        throw;
    }
    auto& s = *taken;
    p.used = std::max(p.used, slot + 1);
    ++p.alive;
    ++p.generation(slot);
    if (running_) {
        const auto bit = std::uint64_t(1) << slot % 64;
        (*p.newcomers)[slot / 64] |= bit;
        if (p.restless) (*p.restless)[slot / 64] &= ~bit; // as the one who was there before was
    }
    const auto id = p.id(slot);
    s.board_new(p, slot, clock_of(p, slot));
    const auto undo = [&] {
        s.machine().reset();
        s.leave_for_good();
        free_seat(s);
        forget(p, slot);
    };
    try {
        if (from && s.machine().take_over(*from) != result::taken) return undo(), agent_id();
        if (!from && shape_.options.start) s.machine().start();
    } catch (...) {
        undo();
        throw;
    }
    alight(s);
    return id;
}

result crowd_core::release(agent_id id, instance_base& to) {
    auto& s = board(id);
    result outcome;
    try {
        outcome = to.take_over(s.machine());
    } catch (...) {
        alight(s);
        throw;
    }
    if (outcome == result::taken) {
        ++page_at(id.index).generation(id.index % page_agents);
        s.remove_after(); // never started: no hook runs
    }
    alight(s);
    return outcome;
}

/// Its handles are stale at once.
bool crowd_core::remove(agent_id id) {
    if (!has(id)) return false;
    auto& p = page_at(id.index);
    const auto slot = id.index % page_agents;
    if (auto* const there = seat_of(p, slot)) {
        if (there->only_looks()) return false;
        ++p.generation(slot);
        there->remove_after();
        return true;
    }
    auto& s = take_seat();
    ++p.generation(slot);
    const freed_after at_the_end{*this, s};
    remove_in(s, p, slot);
    return true;
}

void crowd_core::clear() {
    std::exception_ptr first;
    for (std::size_t n = 0; n < pages_.size(); ++n)
        for (std::uint32_t slot = 0; slot < pages_[n]->used; ++slot) {
            try {
                remove(id_at(pages_[n]->first + slot));
            } catch (...) {
                if (!first) first = std::current_exception();
            }
        }
    if (first) std::rethrow_exception(first);
}

/// In a seat in which nobody sits.
void crowd_core::remove_in(seat& s, page& p, std::uint32_t slot) {
    s.board(p, slot, clock_of(p, slot));
    std::exception_ptr thrown;
    try {
        s.machine().destroy();
    } catch (...) {
        thrown = std::current_exception();
    }
    s.leave_for_good();
    forget(p, slot);
    if (thrown) std::rethrow_exception(thrown);
}

/// Of an agent that is inactive.
void crowd_core::forget(page& p, std::uint32_t slot) noexcept {
    p.take_luggage(slot);
    p.set_row(slot, shape_.none());
    p.set_bits(slot, 0);
    p.stir(slot);
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
    throw crowd_error({code::agent_gone, chart_.root().path(),
                       id ? fmt::format("agent {} (generation {}) is not in this crowd, or not any more", id.index, id.generation) : "a handle of no agent",
                       "has(id) says whether it is there"});
}

/// Those that were removed in a call of their own, which is still in progress.
template <class Visit> static void each_leaving(const page& p, Visit visit) {
    for (const auto* s = p.visits; s; s = s->below)
        if (s->is_removed()) visit(s->slot());
}

agent_bits crowd_core::without_leaving(const page& p, agent_bits agents) {
    each_leaving(p, [&](std::uint32_t slot) { agents[slot / 64] &= ~(std::uint64_t(1) << slot % 64); });
    return agents;
}

agent_id crowd_core::id_at(std::uint32_t place) const {
    auto& p = page_at(place);
    const auto slot = place % page_agents;
    bool is_there = p.has_agent(slot);
    each_leaving(p, [&](std::uint32_t leaving) { is_there = is_there && leaving != slot; });
    return is_there ? p.id(slot) : agent_id();
}

std::size_t crowd_core::count() const {
    std::size_t all = 0;
    for (const auto& p : pages_) {
        all += p->alive;
        each_leaving(*p, [&](std::uint32_t) { --all; });
    }
    return all;
}

/// Only workers share them.
std::unique_lock<std::mutex> crowd_core::lock_seats() {
    return parallel_ ? std::unique_lock(seats_mutex_) : std::unique_lock<std::mutex>();
}

seat& crowd_core::take_seat() {
    const auto lock = lock_seats();
    if (!spare_) spare_ = &seats_.emplace_back(std::make_unique<seat_with_machine>(chart_, kind_, shape_))->in_it;
    ++sitting_;
    return *std::exchange(spare_, spare_->below);
}

seat& crowd_core::take_seat(const page& p) {
    auto& s = take_seat();
    try {
        s.make_ready(p);
    } catch (...) {
        free_seat(s);
        throw;
    }
    return s;
}

void crowd_core::free_seat(seat& s) noexcept {
    const auto lock = lock_seats();
    s.below = std::exchange(spare_, &s);
    --sitting_;
}

seat* crowd_core::seat_of(const page& p, std::uint32_t slot) const {
    auto* s = p.visits;
    while (s && !s->holds(slot)) s = s->below;
    return s;
}

/// Of an agent that is ticked later in the tick in progress it is still as before.
std::int64_t crowd_core::clock_of(const page& p, std::uint32_t slot) const {
    if (!running_) return now_;
    const bool newcomer = p.newcomers && ((*p.newcomers)[slot / 64] >> slot % 64 & 1) != 0;
    return newcomer || slot < p.next ? running_->later : running_->now;
}

seat& crowd_core::board(agent_id id) {
    require(id);
    auto& p = page_at(id.index);
    const auto slot = id.index % page_agents;
    if (auto* const there = seat_of(p, slot)) {
        ++there->calls;
        return *there;
    }
    auto& s = take_seat(p);
    s.board(p, slot, clock_of(p, slot));
    return s;
}

void crowd_core::alight(seat& s) {
    if (s.calls > 0) {
        --s.calls;
        return;
    }
    auto& p = *s.where();
    const auto slot = s.slot();
    const bool removed = s.is_removed();
    s.alight(clock_of(p, slot));
    const freed_after at_the_end{*this, s};
    if (removed) remove_in(s, p, slot);
}

} // namespace hsm
