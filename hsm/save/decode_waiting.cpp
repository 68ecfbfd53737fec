#include <hsm/save/detail/snapshot_decoder.hpp>

#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {
constexpr std::size_t most_waiting = 0xffff; ///< in one queue

bool is_free(std::size_t slot, const auto& list, const auto& slot_in) {
    return std::ranges::none_of(list, [&](const auto& other) { return slot_in(other) == slot; });
}
} // namespace

void snapshot_decoder::read_waiting() {
    if (made_.leaves[0] == no_index)
        for (const char* const name : {"waiting", "pending", "deferred", "internal", "posted"}) refuse_if_inactive(name);
    all_.each_item("waiting", [&](const document_node& each) { read_one_waiting(each); });
    all_.each_item("pending", [&](const document_node& each) { read_pending(each); });
    std::ranges::sort(made_.waiting, {}, &waiting_entry::slot);
    std::ranges::sort(made_.pending, {}, [](const auto& p) { return p.what.slot; });
    all_.each_item("deferred", [&](const document_node& each) { read_deferred(each); });
    read_queue("internal", snapshot::internal);
    read_queue("posted", snapshot::posted);
    read_queue("mailbox", snapshot::mailed);
}

void snapshot_decoder::refuse_if_inactive(const char* name) {
    if (all_.has(name)) all_[name].refuse("no state is active, so nothing can wait");
}

std::size_t snapshot_decoder::transition(const document_node& from) {
    const auto name = from["transition"];
    const auto number = names_.find_transition(name.text());
    const bool fits = number != saved_names::unknown && is_active(core_.transitions[number].source);
    if (!fits) note(name, "this transition no longer exists, or its source is not active");
    return fits ? number : saved_names::unknown;
}

void snapshot_decoder::read_one_waiting(const document_node& from) {
    from.only({"transition", "holder"});
    const auto number = transition(from);
    if (number == saved_names::unknown) return;
    const auto& t = core_.transitions[number];
    const auto slot = slot_of(core_, t.level);
    const bool fits = core_.has_holds && t.event == no_index && t.target != no_index && is_free(slot, made_.waiting, [](auto& w) { return w.slot; });
    if (!fits) return note(from, "this transition can no longer wait");
    const auto holder = from.has("holder") ? active_state(from["holder"]) : no_index;
    const bool holds = holder != no_index && core_.states[holder].holds;
    if (!holds) return note(from, "the state that it waited for no longer holds");
    made_.waiting.push_back({static_cast<std::uint16_t>(slot), holder, static_cast<std::uint32_t>(number + 1)});
}

void snapshot_decoder::read_pending(const document_node& from) {
    from.only({"transition", "value", "request", "from", "exits", "requested"});
    if (!core_.has_holds) return note(from, "no transition can be pending any longer");
    snapshot::pending_event p{};
    std::size_t slot = 0;
    if (from.has("request")) {
        const auto target = names_.find_state(from["request"].text());
        const auto source = active_state(from["from"]);
        if (!target.is_all || source == no_index) return note(from, "the request names a state that no longer exists");
        const bool stays = is_request_to_region(core_, source, target.state) && !from.flag("exits");
        slot = slot_of(core_, stays ? target.state : level_between(core_.states, source, target.state, false));
        p.what = {static_cast<std::uint16_t>(slot), source, target.state, 1, 0};
    } else {
        const auto number = transition(from);
        if (number == saved_names::unknown) return;
        const auto& t = core_.transitions[number];
        if (t.event == no_index) return note(from, "this transition no longer waits for an event");
        slot = slot_of(core_, t.level);
        p.what = {static_cast<std::uint16_t>(slot), 0, 0, 0, static_cast<std::uint32_t>(number)};
        p.payload = payload(from, t.event);
    }
    if (!is_free(slot, made_.pending, [](auto& other) { return other.what.slot; })) return note(from, "another transition is pending instead");
    made_.pending.push_back(std::move(p));
    from.each_item("requested", [&](const document_node& each) {
        if (const auto s = active_state(each); s != no_index) read_leave_request(each, s, no_transition, slot);
    });
}

value_bytes snapshot_decoder::payload(const document_node& from, std::size_t event) {
    const auto& layout = layout_.events[event];
    if (layout.form == value_layout::nothing) return {};
    const bool is_name = core_.events[event].type->is_name;
    if (is_name && !from.has("value")) return {};
    auto bytes = decode_value(from["value"], layout, nullptr, changed_);
    if (layout.codec == &codec_of_names && !bytes.empty()) {
        const built_value made(layout, nullptr, bytes);
        if (is_blank(*static_cast<const named_event*>(made.object()))) return {};
    }
    return bytes;
}

std::size_t snapshot_decoder::event(const document_node& from) {
    const auto name = from["event"];
    const auto number = names_.find_event(name.text());
    if (number == saved_names::unknown) note(name, "no transition waits for this event any longer: the event is dropped");
    return number;
}

void snapshot_decoder::read_deferred(const document_node& from) {
    from.only({"event", "value"});
    const auto number = event(from);
    if (number == saved_names::unknown) return;
    if (!core_.has_defers) return note(from, "no state defers events any longer: the event is dropped");
    if (made_.deferred.size() == most_waiting) from.refuse("too many events are deferred");
    made_.deferred.push_back({static_cast<std::uint16_t>(number), payload(from, number)});
}

void snapshot_decoder::read_queue(const char* name, snapshot::queue which) {
    auto& queue = made_.queues[which];
    all_.each_item(name, [&](const document_node& from) {
        from.only({"event", "value", "request", "force"});
        if (queue.size() == most_waiting) from.refuse("too many events are waiting");
        if (from.has("request")) {
            const auto target = names_.find_state(from["request"].text());
            if (!target.is_all) return note(from, "the request names a state that no longer exists");
            queue.push_back({{0, target.state, 0, from.flag("force")}, {}});
            return;
        }
        if (auto found = read_event(from)) queue.push_back(std::move(*found));
    });
}

std::optional<snapshot::queued_event> snapshot_decoder::read_event(const document_node& from) {
    const auto number = event(from);
    if (number == saved_names::unknown) return {};
    const bool has_payload = !core_.events[number].type->is_name || from.has("value");
    auto bytes = has_payload ? payload(from, number) : value_bytes();
    const auto column = column_of(number, bytes);
    if (column == 0) return note(from, "no transition waits for this event any longer: the event is dropped"), std::nullopt;
    return snapshot::queued_event{{column, no_index, has_payload, 0}, std::move(bytes)};
}

std::optional<snapshot::queued_event> decode_event(const chart_core& core, const document_node& from, changes& changed) {
    return snapshot_decoder(core, image_layout_of(core), from.value(), 0, changed).read_event(from);
}

std::uint32_t snapshot_decoder::column_of(std::size_t number, const value_bytes& bytes) const {
    const auto& e = core_.event_refs[number];
    if (e.type->is_name) return core_.event_columns[number];
    const void* const object = layout_.events[number].form == value_layout::object ? object_in(bytes) : bytes.data();
    const auto value = e.type->value && !bytes.empty() ? e.type->value(object) : e.value;
    const auto column = core_.column_for({e.type, value, e.name, nullptr, nullptr});
    return column < core_.column_events.size() && core_.column_events[column] != no_index ? column : 0;
}

} // namespace hsm::detail
