// Restores a machine from an image. Everything is checked and created first; then the exchange cannot fail.

#include <hsm/save/image.hpp>

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/savable.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/leave_requests.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <optional>

namespace hsm {

using namespace detail;

void detail::check_room(machine& m, const chart_core& core, const image_head& head) {
    const auto refuse = [&](std::string problem) {
        refuse_image(core, code::no_room_for_image, std::move(problem), "create the instance with the queue sizes of the saved one, or larger ones");
    };
    const auto no_room = [&](const char* where) { refuse(std::string(where) + " has no room for the saved events"); };
    auto* const queues = needs_queues(head) ? require_queues(m, core) : queues_of(m, core);
    if (needs_queues(head) && !queues) no_room("the queue");
    if (head.internal > 0 && head.internal > queues->internal.capacity()) no_room("the internal queue");
    if (head.posted > 0 && head.posted > queues->posted.capacity()) no_room("the posted queue");
    if (head.mailed > 0 && !queues->mail) refuse("there is no mailbox for the saved events");
    if (head.deferred > 0 && (!core.has_defers || head.deferred > deferral_of(m, core).capacity)) no_room("the deferred queue");
}

namespace {

/// Clears the machine's state without running hooks. The content of its mailbox is exchanged later.
void forget(machine& m, const chart_core& core) noexcept {
    if (m.work & work_pending) forget_pending(m, core);
    drop_events(m, core, false);
    if (!core.locals.empty())
        each_active_state(
            core, [&](std::size_t r) { return region_leaf_of(m, core, r); },
            [&](index s) { destroy_locals(m, core, s, core.states[s].locals.count); });
    clear_block(m, core);
}

/// Writes into a machine that is in its initial state.
class machine_sink {
public:
    machine_sink(machine& m, const chart_core& core, std::vector<built_value>& built, mailbox_queue::refill* mail, const image_head& head,
                 carried_objects* carried)
        : m_(m), core_(core), next_(built.data()), mail_(mail), head_(head), carried_(carried) {}

    bool leaf(std::size_t region, index leaf) { return set_region_leaf(m_, core_, region, leaf), true; }
    bool leaves_complete() { return true; }
    index leaf_of(std::size_t region) const { return region_leaf_of(m_, core_, region); }
    bool condition_word(std::size_t w, const hsm::detail::condition_word& word) {
        const condition_bits bits(m_, core_);
        bits.word(w) = word.bits;
        bits.pulsed(w) = word.pulsed;
        return true;
    }
    void path_times(const std::byte* times, std::size_t length) { std::memcpy(entry_times(m_, core_), times, length * sizeof(std::int64_t)); }
    bool entered(index s, std::int64_t time) { return entry_times(m_, core_)[entry_slot(core_, s)] = time, true; }
    bool entered_by(index s, std::uint32_t by) { return entered_by_of(m_, core_).slots()[core_.states[s].time_slot] = by, true; }
    bool marks(index s, std::uint8_t marks) {
        if (marks & mark_over_bit) marks_of(m_, core_).set(s);
        if (marks & mark_due_bit) due_of(m_, core_).set(s);
        if (marks & mark_released_bit) released_of(m_, core_).set(s);
        return true;
    }
    bool timer(std::uint32_t timer, std::int64_t due, std::int64_t period) {
        due_at(m_, core_, timer) = due;
        if (core_.timers[timer].periodic) period_of(m_, core_, timer) = period;
        return true;
    }
    bool local(const value_layout& layout, std::uint32_t local, std::span<const std::byte> value) {
        auto* const place = m_.block + core_.layout.locals + core_.locals[local].offset;
        if (layout.form == value_layout::object)
            carried_->add_local(place, object_in(value), core_.locals[local].prototype->type(), core_.locals[local].prototype->object());
        else
            put(layout, place, value);
        return true;
    }
    bool due_count(std::size_t) { return true; }
    bool due_state(std::size_t i, index s) {
        auto& list = due_list_of(m_, core_);
        list.states[i] = s;
        list.count = static_cast<std::uint32_t>(i + 1);
        return true;
    }
    bool record(std::size_t owner, index recorded) { return record_of(m_, core_, owner) = recorded, true; }
    bool region_record(std::size_t owner, std::uint32_t region, index recorded) {
        return region_records_of(m_, core_, owner)[region] = recorded, true;
    }
    bool record_complete(std::size_t) { return true; }
    bool chance(const chance_head& c) { return chance_of(m_, core_) = c, true; }
    bool cooldown(std::size_t i, std::int64_t until) { return cool_at(m_, core_, i) = until, true; }
    bool waiting(const waiting_entry& w) {
        waiting_at(m_, core_, w.slot) = {w.transition, w.holder};
        m_.work |= work_waiting;
        return true;
    }
    bool pending(const pending_entry& p) {
        auto& slot = pending_at(m_, core_, p.slot);
        m_.work |= work_pending;
        if (p.is_request) {
            slot = {pending_slot::request, false, false, p.source, p.target, 0, 0, slot.buffer};
            return true;
        }
        const auto& t = core_.transitions[p.transition];
        slot = {pending_slot::event, true, false, t.source, t.target, p.transition, t.priority, slot.buffer};
        return true;
    }
    bool leave_request_word(std::size_t w, std::uint64_t made) { return made_requests(m_, core_).word(w) = made, true; }
    bool pending_payload(const pending_entry& p, const value_layout& layout, std::span<const std::byte> value) {
        auto* const place = const_cast<void*>(payload_at(m_, core_, p.slot));
        unless_thrown([&] { put(layout, place, value); }, [&] { pending_at(m_, core_, p.slot).constructed = false; });
        return true;
    }
    bool deferred(std::uint16_t event, const value_layout& layout, std::span<const std::byte> value) {
        auto* const place = push_deferred(m_, core_, event);
        unless_thrown([&] { put(layout, place, value); }, [&] { --deferral_of(m_, core_).count; });
        return true;
    }
    bool queued(std::size_t i, const queue_entry& q) {
        if (!q.has_payload) push(i, q);
        return true;
    }
    bool queued_payload(std::size_t i, const queue_entry& q, const value_layout& layout, std::span<const std::byte> value) {
        auto& queues = *queues_of(m_, core_);
        put(layout, i < head_.internal ? queues.internal.next_payload() : is_posted(i) ? queues.posted.next_payload() : mail_->next_payload(), value);
        push(i, q);
        return true;
    }

private:
    template <class Body, class Undo> static void unless_thrown(Body body, Undo undo) {
        try {
            body();
        } catch (...) {
            undo();
            throw;
        }
    }
    bool is_posted(std::size_t i) const { return i < std::size_t(head_.internal) + head_.posted; }
    void push(std::size_t i, const queue_entry& q) {
        const queued_entry entry{q.column, q.target, q.has_payload != 0, q.force != 0};
        if (auto& queues = *queues_of(m_, core_); i < head_.internal)
            queues.internal.push_entry(entry);
        else if (is_posted(i))
            queues.posted.push_entry(entry);
        else
            mail_->push(entry);
    }
    void put(const value_layout& layout, void* place, std::span<const std::byte> value) {
        if (layout.form == value_layout::bytes) std::memcpy(place, value.data(), value.size());
        if (layout.codec == &codec_of_names && value.empty())
            new (place) named_event();
        else if (layout.form == value_layout::fields)
            (next_++)->move_to(place);
        else if (layout.form == value_layout::object)
            carried_->add_event(place, object_in(value), static_cast<const event_type&>(*layout.type));
    }

    machine& m_;
    const chart_core& core_;
    built_value* next_;
    mailbox_queue::refill* mail_;
    const image_head& head_;
    carried_objects* carried_;
};

} // namespace

namespace detail {

void carried_objects::add_local(void* place, void* from, const local_type& type, const void* prototype) {
    locals_.push_back({place, from, &type, false});
    if (type.move && from != prototype) return;
    type.copy(place, from);
    locals_.back().is_made = true;
}

void carried_objects::add_event(void* place, void* from, const event_type& type) {
    if (!(type.traits & value_unique)) return type.store(place, from);
    events_.push_back({place, from, &type});
    try {
        type.move(place, from);
    } catch (...) {
        events_.pop_back();
        throw;
    }
}

void carried_objects::finish() noexcept {
    for (auto& each : locals_)
        if (!each.is_made) each.type->move(each.place, each.from);
}

void carried_objects::undo() noexcept {
    for (auto& each : locals_)
        if (each.is_made) each.type->destroy(each.place);
    for (auto& each : events_) {
        each.type->destroy_at(each.from);
        each.type->move(each.from, each.place);
    }
}

void fill(machine& m, checked_image& image, const image_layout& layout, mailbox_queue::refill* mail, carried_objects* carried) {
    const auto& core = core_of(m);
    m.leaf = image.head.leaf;
    machine_sink sink(m, core, image.built, mail, image.head, carried);
    image_reader parts(image.parts);
    read_sections(parts, core, layout, image.head, sink);
    set_values(m, core, image.head);
}

void exchange(machine& m, checked_image& image, mailbox_queue::refill* mail) {
    const auto& core = core_of(m);
    exclusively(m, core, call_kind::restore, [&] {
        forget(m, core);
        if (mail) mail->clear();
        fill(m, image, image_layout_of(core), mail);
        trace_configuration(m, core, configuration_reason::restored);
        return result::taken;
    });
}

void restore_machine(machine& m, std::span<const std::byte> from) {
    const auto& core = core_of(m);
    const auto& layout = image_layout_of(core);
    auto image = check_image(core, layout, from);
    const auto& head = image.head;
    check_room(m, core, head);
    std::optional<mailbox_queue::refill> mail;
    if (auto* const box = mail_of(m, core)) {
        mail.emplace(*box, head.mailed);
        if (!mail->has_room())
            refuse_image(core, code::no_room_for_image, "the mailbox has no room for the saved events", "raise instance_options::mailbox");
    }
    exchange(m, image, mail ? &*mail : nullptr);
}

void savable_instance::restore(std::span<const std::byte> from) const {
    const auto& core = core_of(machine_);
    const auto& layout = image_layout_of(core);
    if (!layout.is_plain || !restore_plain(machine_, core, layout, from)) restore_machine(machine_, from);
}

} // namespace detail

result restore(instance_base& agent, std::span<const std::byte> from) {
    const savable_instance object(agent);
    if (object.is_busy()) return result::busy;
    object.restore(from);
    return result::taken;
}

} // namespace hsm
