// A tick: one exchange in two rounds, then the tick of each rank.

#include <hsm/cluster/cluster_error.hpp>
#include <hsm/cluster/detail/cluster_core.hpp>
#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_machine.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

namespace hsm::detail {

bool cluster_core::begin_tick() {
    if (crowd_access(*crowd_).is_busy()) return false;
    net.agreed = false;
    exchange(true);
    began_ = std::chrono::steady_clock::now();
    return true;
}

result cluster_core::end_tick(result outcome, const std::exception_ptr& thrown) {
    cost_ += std::chrono::steady_clock::now() - began_;
    ++ticks;
    for (auto& each : arriving_) {
        each.give_rest();
        failure_.take(each.failure);
    }
    arriving_.clear();
    auto first = std::exchange(failure_, {});
    first.of([&] {
        if (thrown) std::rethrow_exception(thrown);
    });
    std::int64_t fired[] = {outcome == result::taken};
    net.most(fired);
    net.agree(first, path_, crowd_->now(), "the time of the ticks");
    return outcome == result::unhandled && fired[0] ? result::taken : outcome;
}

/// An exception on one rank must not keep the others waiting, so each rank takes part in both rounds.
void cluster_core::exchange(bool with_events) {
    for (auto* const list : {&removals_, &migrations_, &events_}) list->clear();
    some_to_all_ = false;
    failure_.of([&] { pack_agents(); });
    if (with_events) {
        const auto send = [&](outbox& box) {
            pack(box.bytes);
            std::swap(box.sent, box.bytes);
            box.bytes.clear();
            box.count = 0;
        };
        send(outside_);
        std::ranges::for_each(outboxes_, send);
    }
    net.exchange(out_, in_);
    take_round(in_);
    for (const auto& bytes : in_) forward(bytes);
    for (const auto id : left_) agents_.erase(id);
    left_.clear();
    net.exchange(out_, forwarded_);
    for (const auto& bytes : forwarded_) visit(bytes, [&](message each, const message_head& head) { keep(each, head, agents_.find(head.to)); });
    deliver();
}

/// Returns -1 if there is no such agent.
int cluster_core::route(global_id id, agent_id known) const {
    if (known) return net.rank();
    if (known != agent_id()) return static_cast<int>(known.index) - 1;
    const auto at = home(id);
    return at == net.rank() ? -1 : at;
}

void cluster_core::pack(std::span<const std::byte> messages) {
    visit(messages, [&](message each, const message_head& head) {
        if (head.to_all) {
            for (auto& to : out_) append_bytes(to, each.at, message::size(head));
            return;
        }
        const auto known = agents_.find(head.to);
        if (known && head.kind > message_kind::removal)
            return (head.kind == message_kind::migration ? migrations_ : events_).push_back({known, each});
        // The home forgets the agent that is removed. An agent that does not exist yet can arrive in this exchange.
        const auto to = head.kind == message_kind::removal ? home(head.to) : route(head.to, known);
        append_bytes(out_[static_cast<std::size_t>(to < 0 ? net.rank() : to)], each.at, message::size(head));
    });
}

/// An agent that cannot be packed stays, and leaves in a later tick.
void cluster_core::pack_agents() {
    std::size_t kept = 0;
    moving_.reserve(leaving_.size());
    left_.reserve(leaving_.size());
    for (std::size_t n = 0; n < leaving_.size(); ++n) {
        const auto ahead = [&](std::size_t by) { return leaving_[std::min(n + by, leaving_.size() - 1)].agent.index; };
        HSM_PREFETCH_TO_WRITE(&ids_[ahead(20)]);
        prefetch(ahead(12));
        agents_.prefetch(ids_[ahead(10)]);
        const auto each = leaving_[n];
        leaving_[kept++] = each;
        failure_.of([&] {
            pack_agent(each);
            --kept;
        });
    }
    leaving_.resize(kept);
    write_columns();
    for (const auto& each : moving_) crowd_->drop_plain(each.agent);
    moving_.clear();
}

/// Returns whether all data of an agent is in its columns, as bytes. A plan can have changed the chart of the local crowd.
bool cluster_core::has_columns_only(agent_id local) const {
    if (&image_layout_of(chart()) != &layout_->machine || !layout_->has_columns || layout_->context.form == value_layout::fields ||
        crowd_->layout().options.lists)
        return false;
    return !crowd_->page_number(local.index / page_agents).overflow_of(local.index % page_agents);
}

// packing.py counts the instructions of the next two functions.
HSM_NOINLINE void cluster_core::write_columns() {
    const auto& crowd = *crowd_;
    const auto* const out = out_.data();
    for (const auto& [agent, rank, at, from] : moving_)
        crowd.page_number(agent.index / page_agents).write_agent(agent.index % page_agents, out[rank].data() + at);
}
HSM_NOINLINE void cluster_core::read_columns() {
    for (const auto& each : moving_) crowd_->page_number(each.agent.index / page_agents).read_agent(each.agent.index % page_agents, each.from);
}

void cluster_core::unpack_columns() {
    read_columns();
    for (const auto& each : moving_) failure_.of([&] { crowd_->end_plain(each.agent); });
    moving_.clear();
}

void cluster_core::pack_agent(const leave& where) {
    const auto [local, rank, is_new] = where;
    const auto id = ids_[local.index];
    if (rank == net.rank() || agents_.find(id) != local) return;
    const auto at = home(id);
    const bool is_away = at != net.rank() && at != rank, is_plain = has_columns_only(local);
    auto& to = out_[static_cast<std::size_t>(rank)];
    auto& to_home = out_[static_cast<std::size_t>(at)];
    if (is_away) to_home.reserve(to_home.size() + sizeof(message_head)); // nothing fails after the agent is packed
    const message_head head{.to = id, .column = is_plain, .kind = is_new && at == rank ? message_kind::newcomer : message_kind::agent};
    if (is_plain) {
        append_message(to, head, crowd_->layout().size_of_agent());
        moving_.push_back({local, rank, to.size() - padded(crowd_->layout().size_of_agent()), nullptr}); // has room
    } else {
        append_message(to, head, image_of(local));
        crowd_->drop(local);
    }
    if (is_away) append_message(to_home, {.to = id, .sequence = static_cast<std::uint64_t>(rank), .kind = message_kind::moved}, {});
    if (is_away) left_.push_back(id);
    if (at == rank)
        agents_.erase(id);
    else
        agents_.set(id, away(rank));
}

/// The context and the image.
std::span<const std::byte> cluster_core::image_of(agent_id local) {
    scratch_.clear();
    append_value(scratch_, layout_->context, crowd_->context(local.index));
    with_machine(local, [&](agent_slot& s) {
        auto& m = instance_access::engine_of(s.machine());
        const auto before = scratch_.size();
        scratch_.resize(before + save_machine(m, {}, false));
        save_machine(m, std::span(scratch_).subspan(before), false);
    });
    return scratch_;
}

/// Takes agents, so that messages find them.
void cluster_core::take_round(const transport::buffers& from) {
    bool some_children = false;
    for (const auto& bytes : from)
        visit(bytes, [&](message each, const message_head& head) {
            if (head.kind == message_kind::agent || head.kind == message_kind::newcomer) take_agent(head, each.payload(head));
            if (head.kind == message_kind::moved) agents_.set(head.to, away(static_cast<int>(head.sequence)));
            some_children = some_children || head.kind == message_kind::child;
        });
    unpack_columns();
    for (const auto& bytes : from)
        if (some_children)
            visit(bytes, [&](message each, const message_head& head) {
                if (head.kind == message_kind::child) take_child(head, each.payload(head));
            });
}

void cluster_core::forward(std::span<const std::byte> bytes) {
    visit(bytes, [&](message each, const message_head& head) {
        if (head.kind < message_kind::removal) return;
        const auto known = agents_.find(head.to);
        const auto to = head.to_all ? net.rank() : route(head.to, known);
        if (head.kind == message_kind::removal && !known && home(head.to) == net.rank()) agents_.erase(head.to);
        if (to == net.rank())
            keep(each, head, known);
        else if (to >= 0)
            append_bytes(out_[static_cast<std::size_t>(to)], each.at, message::size(head));
        else if (head.kind != message_kind::migration)
            ++unknown;
    });
}

void cluster_core::keep(message each, const message_head& head, agent_id local) {
    some_to_all_ = some_to_all_ || head.to_all;
    auto& list = head.kind == message_kind::removal ? removals_ : head.kind == message_kind::migration ? migrations_ : events_;
    if (local || head.to_all)
        list.push_back({local, each});
    else if (head.kind != message_kind::migration)
        ++unknown;
}

void cluster_core::make_context(std::uint32_t position, std::span<const std::byte> value) {
    auto* const context = crowd_->context(position);
    try {
        if (layout_->context.form == value_layout::bytes) std::memcpy(context, value.data(), value.size());
        if (layout_->context.form == value_layout::fields) built_value(layout_->context, nullptr, value).move_to(context);
    } catch (...) {
        crowd_->give_back(position);
        throw;
    }
}

void cluster_core::take_agent(const message_head& head, std::span<const std::byte> payload) {
    if (head.kind == message_kind::newcomer && is_known(head.to)) refuse_duplicate(head.to);
    const auto position = reserve_place();
    if (const auto& next = crowd_access(*crowd_).free_positions(); next.size() > 12) prefetch(next[next.size() - 12]);
    if (head.column != 0) {
        const auto local = crowd_->begin_plain(position);
        moving_.push_back({local, 0, 0, payload.data()}); // has room
        return place(head.to, local);
    }
    image_reader in(payload);
    make_context(position, in.take_value(layout_->context));
    add_agent(head.to, position, [&](agent_slot& s) { restore_machine(instance_access::engine_of(s.machine()), {in.here(), in.left()}); });
}

void cluster_core::take_child(const message_head& head, std::span<const std::byte> payload) {
    const auto position = reserve(head.to);
    make_context(position, image_reader(payload).take_value(layout_->context));
    start(head.to, position, false);
}

/// An order that does not depend on the ranks.
bool cluster_core::is_before(const kept_message& one, const kept_message& other) {
    const auto a = one.at.head(), b = other.at.head();
    if (a.kind != b.kind) return a.kind < b.kind;
    return a.from != b.from ? a.from < b.from : a.sequence < b.sequence;
}

namespace {
/// Calls visit(span) for each run of messages to one place, or to places of one page.
template <class Message, class Visit> void each_group(std::span<Message> all, std::uint32_t places, const Visit& visit) {
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        const auto group = all[begin].position() / places;
        while (++end < all.size() && all[end].position() / places == group) {
        }
        visit(all.subspan(begin, end - begin));
    }
}
} // namespace

void cluster_core::deliver() {
    std::ranges::sort(removals_, is_before);
    for (const auto& each : removals_) failure_.of([&] { deliver(each.at); });
    sort_by_place(migrations_);
    each_group(std::span(migrations_), 1, [&](std::span<kept_message> of_agent) {
        const auto first = std::ranges::min(of_agent, is_before);
        const int rank = first.at.head().column;
        if (rank != net.rank()) failure_.of([&] { leaving_.push_back({first.agent, rank, false}); });
    });
    try {
        arriving_.reserve(crowd_->pages());
        if (!some_to_all_) return deliver_by_place();
    } catch (const std::bad_alloc&) { // needs no memory otherwise
    }
    std::ranges::sort(events_, is_before);
    for (const auto& each : events_) failure_.of([&] { deliver(each.at); });
}

void cluster_core::deliver(message each) {
    const auto head = each.head();
    const auto local = agents_.find(head.to);
    if (head.kind == message_kind::removal && local) {
        failure_.of([&] { crowd_->remove(local); });
        if (!crowd_->has(local)) agents_.erase(head.to);
    } else if (head.to_all) {
        crowd_->give(decoded_event(chart(), 0, head.column, each.payload(head)).event(), true, nullptr);
    } else if (local) {
        with_machine(local, [&](agent_slot& s) { post(s, each); });
    } else {
        ++unknown;
    }
}

HSM_NOINLINE void cluster_core::post(agent_slot& to, message event) {
    const auto head = event.head();
    const auto payload = event.payload(head);
    const bool is_bytes = layout_of_column(chart(), image_layout_of(chart()), head.column).form == value_layout::bytes && !payload.empty();
    if (auto* const at = is_bytes ? calls::post_bytes(instance_access::engine_of(to.machine()), head.column) : nullptr)
        std::memcpy(at, payload.data(), payload.size());
    else
        to.post(decoded_event(chart(), 0, head.column, payload).event());
}

/// The places of neighbors are often adjacent.
void cluster_core::sort_by_place(std::vector<kept_message>& list) {
    try {
        sorted_.resize(list.size());
    } catch (const std::bad_alloc&) {
        std::ranges::sort(list, {}, &kept_message::position);
        return;
    }
    for (int shift = 0; ids_.size() >> shift > 0; shift += 11) {
        const auto digit = [&](const kept_message& each) { return each.position() >> shift & 2047; };
        std::array<std::size_t, 2049> begins{};
        for (const auto& each : list) ++begins[digit(each) + 1];
        std::partial_sum(begins.begin(), begins.end(), begins.begin());
        for (const auto& each : list) sorted_[begins[digit(each)]++] = each;
        list.swap(sorted_);
    }
}

/// Agents get their events in their turn of the tick, so that most need no queue of their own.
void cluster_core::deliver_by_place() {
    sort_by_place(events_);
    const auto& layout = crowd_->layout();
    each_group(std::span(events_), page_agents, [&](std::span<kept_message> of_page) {
        auto& p = crowd_->page_number(of_page[0].position() / page_agents);
        std::size_t arriving = 0;
        each_group(of_page, 1, [&](std::span<kept_message> of_agent) {
            if (of_agent.size() > 1) std::ranges::sort(of_agent, is_before);
            const auto slot = of_agent[0].position() % page_agents;
            const auto bits = p.bits(slot);
            const bool is_there = removals_.empty() || crowd_->has(of_agent[0].agent);
            if (is_there && p.row(slot) < layout.none() && !(bits & layout.attention) && !crowd_->inputs) {
                p.set_bits(slot, bits | layout.attention);
                for (const auto& each : of_agent) of_page[arriving++] = each;
            } else {
                for (const auto& each : of_agent) failure_.of([&] { deliver(each.at); });
            }
        });
        if (arriving > 0) p.arriving = &arriving_.emplace_back(*this, p, of_page.first(arriving)); // was reserved
    });
}

void cluster_core::page_events::give(agent_slot& loaded) noexcept {
    const auto position = loaded.where()->first + loaded.slot();
    if (next_ == events_.size() || events_[next_].position() != position)
        next_ = static_cast<std::size_t>(std::ranges::lower_bound(events_, position, {}, &kept_message::position) - events_.begin());
    for (; next_ < events_.size() && events_[next_].position() == position; ++next_, ++given_)
        failure.of([&] { core_.post(loaded, events_[next_].at); });
}

/// Agents that had no turn, because memory was not available, now get their events.
void cluster_core::page_events::give_rest() {
    for (std::size_t n = 0; n < events_.size() && given_ < events_.size(); ++n) {
        const auto slot = events_[n].position() % page_agents;
        if (!page_.has_agent(slot) || page_.overflow_of(slot) || !(page_.bits(slot) & core_.crowd_->layout().attention)) continue;
        failure.of([&] { core_.with_machine(page_.id(slot), [](agent_slot&) {}); });
    }
}

} // namespace hsm::detail
