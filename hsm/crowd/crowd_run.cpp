// Frames for all agents: page by page, in one or several threads.

#include <hsm/crowd/detail/crowd_core.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace hsm::detail {

result crowd_core::run(std::int64_t elapsed, agent_slot::phase what, const parallel_for* workers) {
    if (running_ || taken_ > 0) return result::busy;
    if (elapsed < 0) return result::refused;
    first_exception first;
    if (what != agent_slot::phase::hooks) first.of([&] { deliver(first); });
    const auto later = elapsed > never - now_ ? never : now_ + elapsed;
    const agent_slot::frame frame{now_, later, elapsed, ticks_, what};
    for (const auto& p : pages_) {
        p->next = 0;
        p->fired = false;
    }
    auto broken = run_pages(frame, workers);
    now_ = later;
    if (what != agent_slot::phase::hooks) ++ticks_;
    bool fired = false;
    for (const auto& p : pages_) {
        fired |= p->fired;
        end_run(*p);
        first.take(p->failure);
    }
    insert(coming_);
    first.take(broken);
    rethrow(first);
    return fired ? result::taken : result::unhandled;
}

/// Returns an exception that the workers themselves threw.
first_exception crowd_core::run_pages(const agent_slot::frame& frame, const parallel_for* workers) {
    running_ = &frame;
    running_pages_ = pages_.size();
    parallel_ = workers != nullptr;
    first_exception broken;
    if (parallel_) {
        struct job {
            crowd_core& self;
            const agent_slot::frame& frame;
        } all{*this, frame};
        const auto run_one = [](void* data, std::size_t i) {
            const auto& j = *static_cast<job*>(data);
            HSM_ASSERT(i < j.self.running_pages_);
            j.self.run_page(*j.self.pages_[i], j.frame);
        };
        broken.of([&] { workers->call(workers->self, running_pages_, run_one, &all); });
    } else {
        for (std::size_t i = 0; i < running_pages_; ++i) run_page(*pages_[i], frame);
    }
    for (std::size_t i = 0; parallel_ && i < running_pages_; ++i) // the slots of the other workers are free now
        if (std::exchange(pages_[i]->waits, false)) tick_agents(*pages_[i], frame);
    parallel_ = false;
    running_ = nullptr;
    return broken;
}

/// Ends the tick of a page.
void crowd_core::end_run(page& p) {
    take_back(p);
    if (p.newcomers) {
        p.newcomers->fill(0);
        p.no_newcomers = std::move(p.newcomers);
    }
}

void crowd_core::run_page(page& p, const agent_slot::frame& f) {
    if (f.what != agent_slot::phase::decisions)
        for (const auto& b : batches_) p.failure.of([&] { run_batch(p, b, f); });
    tick_agents(p, f);
}

void crowd_core::tick_agents(page& p, const agent_slot::frame& f) {
    agent_bits must_tick;
    const auto groups = (p.used + 63) / 64;
    p.find_must_tick(must_tick, f.later);
    std::fill(must_tick.begin() + groups, must_tick.end(), 0);
    if (std::all_of(must_tick.begin(), must_tick.begin() + groups, [](auto word) { return word == 0; })) {
        p.next = page_agents;
        return;
    }
    if (p.newcomers) // added by a batch hook
        for (std::size_t w = 0; w < must_tick.size(); ++w) must_tick[w] &= ~(*p.newcomers)[w];
    agent_slot* s = nullptr;
    try {
        s = &take_agent_slot();
    } catch (...) { // one is available at the end, when other workers have returned theirs
        p.waits = true;
        return;
    }
    s->compute_scores(p, must_tick, f);
    p.must_tick = &must_tick;
    agent_bits visited{};
    if (layout_->options.update_order == update_order::by_state) p.visited = &visited;
    p.turn_of = 0;
    for (bool done = false; !done;) {
        p.failure.of([&] { done = s->run(p, f); });
        if (std::exchange(p.to_be_removed, false)) p.failure.of([&] { remove_in(*s, p, s->slot()); });
    }
    p.must_tick = p.visited = p.scored = nullptr;
    p.next = page_agents;
    free_agent_slot(*s);
}

void crowd_core::run_batch(page& p, const batch& b, const agent_slot::frame& f) {
    auto members = agents_in(p, b.state);
    if (p.newcomers)
        for (std::size_t w = 0; w < members.size(); ++w) members[w] &= ~(*p.newcomers)[w];
    std::uint16_t slots[page_agents];
    std::size_t count = 0;
    for (std::size_t w = 0; w < members.size(); ++w)
        for (auto rest = members[w]; rest != 0; rest &= rest - 1)
            slots[count++] = static_cast<std::uint16_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    if (count == 0) return;
    b.hook->call(batch_base(*this, static_cast<std::byte*>(p.context(0)), p.first, &p.generation(0), slots, count),
                 time_span::from_nanoseconds(f.elapsed));
}

/// A hook that is added in a tick is inserted at its end, because hooks are being called.
void crowd_core::add_batch(index state, owned<batch_hook> added) {
    std::list<batch> one;
    one.push_back({state, std::move(added)});
    if (running_)
        coming_.splice(coming_.end(), one);
    else
        insert(one);
}

void crowd_core::insert(std::list<batch>& added) noexcept {
    while (!added.empty()) {
        const auto behind = std::ranges::find_if(batches_, [&](const batch& b) { return b.state > added.front().state; });
        batches_.splice(behind, added, added.begin());
    }
}

void crowd_core::set_rate(agent_id id, std::uint16_t ticks) { page_at(id.index).set_rate(id.index % page_agents, std::max<std::uint16_t>(ticks, 1)); }

/// Reserves memory in the slot that is taken next, for an agent of any page.
void crowd_core::make_one_ready() {
    auto& s = take_agent_slot();
    const freed_after at_the_end{*this, s};
    s.make_ready();
}

/// Moves the events of the mailbox to the agents' queues. An agent whose queue is full first handles the events in it.
void crowd_core::deliver(first_exception& first) {
    if (!mail_) return;
    for (auto left = inputs ? inputs->arrived(*mail_) : mail_->gather(); left > 0; --left) {
        make_one_ready(); // if it throws, the event stays in the mailbox
        mail_->take([&](const queued_entry& entry, const void* payload, std::uint64_t tag) {
            const agent_id id{static_cast<std::uint32_t>(tag), static_cast<std::uint32_t>(tag >> 32)};
            if (!has(id)) return;
            auto event = layout_->core.event_at(layout_->core.column_events[entry.column], payload);
            if (entry.has_payload) event.construct = [](void* slot, const event_ref& from) { from.type->move(slot, from.object); };
            auto& s = load(id);
            first.of([&] {
                if (!s.has_room()) first.of([&] { s.machine().drain(); });
                if (s.has_room())
                    s.post(event);
                else
                    s.process(event); // the agent has no queue
            });
            first.of([&] { store(s); });
        });
    }
}

} // namespace hsm::detail
