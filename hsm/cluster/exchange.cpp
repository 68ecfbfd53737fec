// A tick: one exchange in two rounds, then the tick of each rank.

#include <hsm/cluster/cluster_error.hpp>
#include <hsm/cluster/detail/cluster_core.hpp>
#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_machine.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

bool cluster_core::begin_tick() {
    if (is_ticking_ || crowd_access(*crowd_).is_busy()) return false;
    is_ticking_ = true;
    net.agreed = false;
    try {
        exchange(true);
    } catch (...) {
        is_ticking_ = false;
        throw;
    }
    began_ = std::chrono::steady_clock::now();
    return true;
}

result cluster_core::end_tick(result outcome, const std::exception_ptr& thrown) {
    cost_ += std::chrono::steady_clock::now() - began_;
    is_ticking_ = false;
    ++ticks;
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
    auto& first = failure_;
    left_.clear();
    pack_agents();
    if (with_events) {
        pack(outside_.bytes);
        for (const auto& each : outboxes_) pack(each.bytes);
        const auto clear = [](outbox& box) {
            box.bytes.clear();
            box.count = 0;
        };
        clear(outside_);
        std::ranges::for_each(outboxes_, clear);
    }
    commands_.clear();
    events_.clear();
    net.exchange(out_, in_);
    take_round(in_, first);
    forward(in_);
    net.exchange(out_, forwarded_);
    first.of([&] {
        for (const auto& from : forwarded_) each_message(from, [&](message each, const message_head& head) { keep(each, head); });
    });
    deliver(first);
}

/// Returns -1 if there is no such agent.
int cluster_core::route(global_id to) const {
    if (here_.find(to)) return net.rank();
    if (const auto left = left_.find(to)) return static_cast<int>(left.rank) - 1;
    if (const auto owner = away_.find(to)) return static_cast<int>(owner) - 1;
    const auto at = home(to);
    return at == net.rank() ? -1 : at;
}

/// If a message cannot be sent, the others are.
void cluster_core::pack(std::span<const std::byte> messages) {
    each_message(messages, [&](message each, const message_head& head) {
        const auto size = message::size(head);
        failure_.of([&] {
            if (head.to_all) {
                for (auto& to : out_) append_bytes(to, each.at, size);
                return;
            }
            const auto known = head.kind == message_kind::removal ? home(head.to) : route(head.to); // the home forgets the agent
            const auto to = known < 0 ? net.rank() : known; // an agent that does not exist yet can arrive in this exchange
            append_bytes(out_[static_cast<std::size_t>(to)], each.at, size);
        });
    });
}

/// An agent that cannot be packed stays, and leaves in a later tick.
void cluster_core::pack_agents() {
    leaving_.each([&](global_id id, leave where) { failure_.of([&] { pack_agent(id, where); }); });
    left_.each([&](global_id id, leave) { leaving_.erase(id); });
}

void cluster_core::pack_agent(global_id id, leave where) {
    const auto rank = where.rank - 1;
    const auto at = home(id);
    left_.reserve();
    away_.reserve();
    if (static_cast<int>(rank) != net.rank()) {
        auto& to_home = out_[static_cast<std::size_t>(at)];
        const auto before = to_home.size();
        if (at != net.rank() && at != static_cast<int>(rank)) append_message(to_home, {.to = id, .sequence = rank, .kind = message_kind::moved}, {});
        try {
            append_agent(out_[rank], id, where.is_new ? message_kind::newcomer : message_kind::agent);
        } catch (...) {
            to_home.resize(before);
            throw;
        }
        crowd_->drop(here_.find(id));
        here_.erase(id);
        if (at == net.rank()) away_.set(id, rank + 1);
    }
    left_.set(id, where);
}

void cluster_core::append_agent(std::vector<std::byte>& to, global_id id, message_kind kind) {
    const auto local = here_.find(id);
    const auto at = to.size();
    try {
        append_message(to, {.to = id, .kind = kind}, {});
        append_value(to, layout_->context, crowd_->context(local.index));
        with_machine(local, [&](agent_slot& s) {
            auto& m = instance_access::engine_of(s.machine());
            const auto before = to.size();
            const auto write = [&] {
                to.resize(before + image_size_);
                return save_machine(m, std::span(to).subspan(before), false);
            };
            const auto size = write();
            if (std::exchange(image_size_, size) < size) write();
            to.resize(before + size);
        });
        end_message(to, at);
    } catch (...) {
        to.resize(at);
        throw;
    }
}

/// Takes agents, so that messages find them.
void cluster_core::take_round(const transport::buffers& from, first_exception& first) {
    for (const auto& bytes : from) {
        each_message(bytes, [&](message each, const message_head& head) {
            if (head.kind == message_kind::agent || head.kind == message_kind::newcomer) first.of([&] { take_agent(head, each.payload(head)); });
            if (head.kind == message_kind::moved) first.of([&] { away_.set(head.to, static_cast<std::uint32_t>(head.sequence) + 1); });
        });
    }
    for (const auto& bytes : from)
        each_message(bytes, [&](message each, const message_head& head) {
            if (head.kind == message_kind::child) first.of([&] { take_child(head, each.payload(head)); });
        });
}

void cluster_core::forward(const transport::buffers& from) {
    for (const auto& bytes : from)
        each_message(bytes, [&](message each, const message_head& head) {
            if (head.kind < message_kind::removal) return;
            failure_.of([&] {
                const auto to = head.to_all ? net.rank() : route(head.to);
                if (head.kind == message_kind::removal && home(head.to) == net.rank()) away_.erase(head.to);
                if (to == net.rank())
                    keep(each, head);
                else if (to >= 0)
                    append_bytes(out_[static_cast<std::size_t>(to)], each.at, message::size(head));
                else if (head.kind != message_kind::migration)
                    ++unknown;
            });
        });
}

void cluster_core::keep(message each, const message_head& head) {
    (is_event(head.kind) ? events_ : commands_).push_back({head.kind, head.from, head.sequence, each});
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
    image_reader in(payload);
    const auto value = in.take_value(layout_->context);
    const auto position = reserve_place();
    make_context(position, value);
    const auto local = crowd_->add(position, nullptr);
    place(head.to, local);
    away_.erase(head.to);
    try {
        with_machine(local, [&](agent_slot& s) { restore_machine(instance_access::engine_of(s.machine()), {in.here(), in.left()}); });
    } catch (...) {
        drop(head.to);
        throw;
    }
}

void cluster_core::take_child(const message_head& head, std::span<const std::byte> payload) {
    const auto position = reserve(head.to);
    make_context(position, image_reader(payload).take_value(layout_->context));
    start(head.to, position, false);
}

/// In an order that does not depend on the ranks.
void cluster_core::deliver(first_exception& first) {
    for (auto* const messages : {&commands_, &events_}) {
        // Often sorted already: ranks that have blocks of ids send them in order.
        if (!std::is_sorted(messages->begin(), messages->end())) std::sort(messages->begin(), messages->end());
        for (const auto& each : *messages)
            first.of([&] {
                const auto head = each.at.head();
                deliver(head, each.at.payload(head));
            });
    }
}

namespace {
/// Refers to the event of a message. Aligned payloads stay in the buffer.
class received_event {
public:
    received_event(const chart_core& chart, const message_head& head, std::span<const std::byte> payload) {
        const auto number = chart.column_events[head.column];
        const auto& layout = image_layout_of(chart).events[number];
        if (layout.form == value_layout::bytes && layout.type->alignment <= alignof(message_head)) {
            event_ = chart.event_at(number, payload.data());
            if (event_.type->value) event_.value = event_.type->value(event_.object);
            event_.construct = [](void* slot, const event_ref& from) { from.type->store(slot, from.object); };
        } else {
            decoded_.emplace(chart, 0, head.column, payload);
            event_ = decoded_->event();
        }
    }
    operator const event_ref&() const { return event_; }

private:
    std::optional<decoded_event> decoded_;
    event_ref event_;
};
} // namespace

void cluster_core::deliver(const message_head& head, std::span<const std::byte> payload) {
    const auto local = here_.find(head.to);
    if (head.kind == message_kind::removal && local) {
        here_.erase(head.to);
        leaving_.erase(head.to);
        crowd_->remove(local);
    } else if (head.kind == message_kind::migration) {
        if (local && !leaving_.find(head.to)) leaving_.set(head.to, {head.column + 1u, false});
    } else if (head.to_all) {
        crowd_->give(received_event(chart(), head, payload), true, nullptr);
    } else if (local) {
        with_machine(local, [&](agent_slot& s) { s.post(received_event(chart(), head, payload)); });
    } else {
        ++unknown;
    }
}

} // namespace hsm::detail
