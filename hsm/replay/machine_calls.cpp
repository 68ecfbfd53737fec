#include <hsm/replay/detail/machine_calls.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/replay/replay_error.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/event_queue.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/query_scope.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_layout.hpp>

#include <algorithm>

namespace hsm::detail {

void refuse_call(std::uint64_t call, const std::string& what) {
    throw replay_error({code::broken_log, "", fmt::format("call {} of the log {}", call, what), "replay a log that input_log wrote"});
}

std::span<const std::byte> take_value(call_operands& from, const value_layout& layout, std::uint64_t call) {
    image_reader in(from.rest());
    const auto value = in.take_value(layout);
    if (from.is_broken() || in.ends_early() || in.left() > 0) refuse_call(call, "is broken");
    return value;
}

log_call take_machine_call(call_operands& from, std::uint64_t call) {
    log_call what, behind;
    call_reader inner(from.rest(), 0, no_elapsed, false);
    if (from.is_broken() || !inner.next(what) || inner.next(behind) || !is_input_kind(what.code)) refuse_call(call, "is broken");
    return what;
}

namespace {
bool is_known(const chart_core& core, std::uint64_t column) {
    return column > 0 && column < core.column_events.size() && core.column_events[static_cast<std::size_t>(column)] != no_index;
}
} // namespace

std::uint32_t column_of(const event_view& event, const chart_core& core) {
    for (std::uint32_t c = 1; c < core.column_events.size(); ++c)
        if (core.column_events[c] == event.number()) return c;
    return 0;
}

std::uint32_t encode_event(const chart_core& core, const event_ref& event, std::vector<std::byte>& payload) {
    payload.clear();
    const auto column = core.find_column(event);
    if (!is_known(core, column)) return 0;
    if (!core.stores_payload(core.column_events[column], event.object)) return column; // a name without data
    append_value(payload, layout_of_column(core, image_layout_of(core), column), event.object);
    return column;
}

log_call call_of(const chart_core& core, const input& what, std::vector<std::byte>& payload) {
    log_call call{.code = static_cast<std::uint8_t>(what.kind), .factor = what.factor};
    switch (what.kind) {
    case input_kind::tick:
    case input_kind::update: call.number = static_cast<std::uint64_t>(what.elapsed); break;
    case input_kind::set:
    case input_kind::clear:
    case input_kind::pulse: call.number = what.condition; break;
    case input_kind::set_timer:
        call.number = what.timer;
        payload.assign(1, static_cast<std::byte>(what.change));
        put_number(payload, static_cast<std::uint64_t>(std::max<std::int64_t>(what.elapsed, 0)));
        call.bytes = payload;
        break;
    case input_kind::process:
    case input_kind::post:
    case input_kind::mailed:
        call.number = encode_event(core, *what.event, payload);
        call.bytes = payload;
        break;
    default: call.number = what.state;
    }
    return call;
}

namespace {
/// Returns null if there is no payload. Throws broken_bytes.
std::unique_ptr<built_value> build_payload(const value_layout& layout, std::span<const std::byte> bytes) {
    if (layout.codec == &codec_of_names && bytes.empty()) return nullptr; // a name without data
    if (layout.form == value_layout::fields) {
        image_reader in(bytes);
        bytes = in.take_value(layout);
        if (in.ends_early() || in.left() > 0) throw broken_bytes("its payload is cut off");
    } else if (layout.form == value_layout::bytes) {
        if (bytes.size() != layout.size) throw broken_bytes("its payload has another size");
    } else {
        if (!bytes.empty()) throw broken_bytes("it has no payload");
        return nullptr;
    }
    return std::make_unique<built_value>(layout, nullptr, bytes);
}
} // namespace

decoded_event::decoded_event(const chart_core& core, std::uint64_t call, std::uint64_t column, std::span<const std::byte> payload) {
    static constexpr std::string_view nobodys = "an event without a transition"; // no transition can wait for it
    const bool known = is_known(core, column);
    if (column > 0 && !known) refuse_call(call, "has an event that no transition waits for");
    event_ = known ? core.event_refs[core.column_events[static_cast<std::size_t>(column)]] : refer_name(nobodys);
    try {
        payload_ = build_payload(known ? layout_of_column(core, image_layout_of(core), static_cast<std::uint32_t>(column)) : value_layout(), payload);
    } catch (const broken_bytes& e) {
        refuse_call(call, std::string("is broken: ") + e.what());
    }
    const void* const object = payload_ ? payload_->object() : &any_named_event;
    if (!known) {
        event_.object = object;
        return;
    }
    event_ = core.event_at(core.column_events[static_cast<std::size_t>(column)], object);
    if (event_.type->value) event_.value = event_.type->value(event_.object);
    if (event_.type->store && core.stores_payload(core.column_events[static_cast<std::size_t>(column)], event_.object))
        event_.construct = [](void* slot, const event_ref& from) { from.type->store(slot, from.object); }; // the event may have several receivers
}
decoded_event::~decoded_event() = default;

namespace {

constexpr std::uint32_t bit_of_kind(input_kind kind) { return std::uint32_t(1) << static_cast<int>(kind); }
template <class... Kinds> constexpr std::uint32_t bits_of(Kinds... kinds) { return (bit_of_kind(kinds) | ...); }
constexpr auto with_state =
    bits_of(input_kind::start, input_kind::change_to, input_kind::force_to, input_kind::finish, input_kind::release, input_kind::set_state);
constexpr auto with_condition = bits_of(input_kind::set, input_kind::clear, input_kind::pulse);

void give_event(machine& m, const chart_core& core, const log_call& what, std::uint64_t call) {
    const decoded_event noted(core, call, what.number, what.bytes);
    const auto& event = noted.event();
    pass_over([&] {
        if (what.code == static_cast<int>(input_kind::process)) calls::process(m, event);
        if (what.code == static_cast<int>(input_kind::post)) calls::post(m, event);
        if (what.code != static_cast<int>(input_kind::mailed)) return;
        if (auto* const mailbox = mail_of(m, core)) mailbox->put_recorded(event);
    });
}

void set_timer(machine& m, const chart_core& core, const log_call& what, std::uint64_t call) {
    const auto t = std::ranges::find(core.transitions, what.number, &transition_row::timer);
    call_operands rest(what.bytes);
    const auto change = rest.number(), left = rest.number();
    if (what.number >= core.timers.size() || t == core.transitions.end()) refuse_call(call, "names a timer that does not exist");
    if (!rest.is_complete() || change > static_cast<std::uint64_t>(timer_change::cancel)) refuse_call(call, "is broken");
    pass_over([&] { calls::set_timer(m, *t->spec, static_cast<timer_change>(change), static_cast<std::int64_t>(left)); });
}

void make(machine& m, const chart_core& core, const log_call& what) {
    const auto elapsed = static_cast<std::int64_t>(what.number);
    const auto state = [&] { return state_key(*core.states[static_cast<index>(what.number)].node); };
    const auto change = [&](condition_change to) { calls::set_condition(m, static_cast<int>(what.number), to); };
    switch (static_cast<input_kind>(what.code)) {
    case input_kind::start:
        if (what.number == no_index)
            calls::start(m);
        else
            calls::start(m, state());
        break;
    case input_kind::stop: calls::stop(m); break;
    case input_kind::restart: calls::restart(m); break;
    case input_kind::destroy: calls::destroy(m); break;
    case input_kind::tick: calls::tick(m, elapsed); break;
    case input_kind::decide: calls::decide(m); break;
    case input_kind::update: calls::update(m, elapsed); break;
    case input_kind::drain: calls::drain(m); break;
    case input_kind::change_to: calls::change_to(m, state(), false); break;
    case input_kind::force_to: calls::change_to(m, state(), true); break;
    case input_kind::finish: {
        const auto s = state();
        calls::finish(m, &s);
        break;
    }
    case input_kind::release: {
        const auto s = state();
        calls::release(m, &s);
        break;
    }
    case input_kind::set: change(condition_change::on); break;
    case input_kind::clear: change(condition_change::off); break;
    case input_kind::pulse: change(condition_change::pulse); break;
    case input_kind::clear_all: calls::clear_conditions(m); break;
    case input_kind::pause: calls::pause(m, true); break;
    case input_kind::resume: calls::pause(m, false); break;
    case input_kind::time_scale: calls::scale_time(m, what.factor); break;
    case input_kind::reset: calls::reset(m); break;
    case input_kind::set_state: calls::set_state(m, state()); break;
    case input_kind::process:
    case input_kind::post:
    case input_kind::mailed:
    case input_kind::set_timer:
    case input_kind::reload: break;
    }
}

} // namespace

void make_machine_call(machine& m, const log_call& what, std::uint64_t call) {
    const auto& core = core_of(m);
    if (what.code == static_cast<int>(input_kind::tick)) [[likely]]
        return pass_over([&] { calls::tick(m, static_cast<std::int64_t>(what.number)); });
    if (what.has_event()) return give_event(m, core, what, call);
    if (what.code == static_cast<int>(input_kind::set_timer)) return set_timer(m, core, what, call);
    if (what.code == static_cast<int>(input_kind::reload)) refuse_call(call, "is a reload of one agent");
    const auto kind = bit_of_kind(static_cast<input_kind>(what.code));
    const bool is_usual_start = what.code == static_cast<int>(input_kind::start) && what.number == no_index;
    if ((kind & with_state) && what.number >= core.states.size() && !is_usual_start) refuse_call(call, "names a state that does not exist");
    if ((kind & with_condition) && (what.number == 0 || what.number >= core.conditions.size()))
        refuse_call(call, "names a condition that does not exist");
    pass_over([&] { make(m, core, what); });
}

} // namespace hsm::detail
