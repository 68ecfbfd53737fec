#include <hsm/replay/detail/log_format.hpp>

#include <hsm/replay/replay_error.hpp>

#include <algorithm>
#include <cstring>
#include <string>

namespace hsm::detail {

namespace {

/// The operands after the first byte.
enum class operand { none, number, factor, bytes, column_and_bytes, unknown };

operand operand_of(std::uint8_t code) {
    if (code == log_tick_again) return operand::none;
    if (code == log_note || code == log_other || code == log_frame || code == static_cast<int>(input_kind::reload)) return operand::bytes;
    if (code == log_jump) return operand::number;
    if (!is_input_kind(code)) return operand::unknown;
    switch (static_cast<input_kind>(code)) {
    case input_kind::process:
    case input_kind::post:
    case input_kind::mailed:
    case input_kind::set_timer: return operand::column_and_bytes;
    case input_kind::time_scale: return operand::factor;
    case input_kind::start:
    case input_kind::tick:
    case input_kind::update:
    case input_kind::change_to:
    case input_kind::force_to:
    case input_kind::finish:
    case input_kind::release:
    case input_kind::set:
    case input_kind::clear:
    case input_kind::pulse:
    case input_kind::set_state: return operand::number;
    default: return operand::none;
    }
}

void append_call(std::vector<std::byte>& to, const log_call& call, std::uint64_t elapsed, bool has_checks) {
    if (has_checks) put_bytes(to, &call.check, sizeof call.check);
    const bool is_again = call.code == static_cast<int>(input_kind::tick) && call.number == elapsed;
    const auto code = is_again ? static_cast<std::uint8_t>(log_tick_again) : call.code;
    const auto machine = std::min<std::uint32_t>(call.machine, log_machine_follows);
    to.push_back(static_cast<std::byte>(code | machine << 5));
    if (machine == log_machine_follows) put_number(to, call.machine);
    switch (operand_of(code)) {
    case operand::number: return put_number(to, call.number);
    case operand::factor: return put_bytes(to, &call.factor, sizeof call.factor);
    case operand::column_and_bytes: put_number(to, call.number); [[fallthrough]];
    case operand::bytes: put_number(to, call.bytes.size()); return put_bytes(to, call.bytes.data(), call.bytes.size());
    default: return;
    }
}

} // namespace

void put_call(std::vector<std::byte>& to, const log_call& call, std::uint64_t& elapsed, bool has_checks) {
    const auto before = to.size();
    try {
        append_call(to, call, elapsed, has_checks);
    } catch (...) {
        to.resize(before);
        throw;
    }
    if (call.is_tick()) elapsed = call.number;
}

bool call_reader::next_other(log_call& call) {
    if (at_ == calls_.size() || is_broken_) return false;
    call = {};
    call_operands from(calls_.subspan(at_));
    if (has_checks_) call.check = from.value<std::uint32_t>();
    const auto first = from.value<std::uint8_t>();
    call.code = first & 0x1f;
    call.machine = first >> 5;
    if (call.machine == log_machine_follows) call.machine = static_cast<std::uint32_t>(std::min<std::uint64_t>(from.number(), 0xffff'ffff));
    switch (operand_of(call.code)) {
    case operand::unknown: is_broken_ = true; break;
    case operand::none: break;
    case operand::number: call.number = from.number(); break;
    case operand::factor: call.factor = from.value<double>(); break;
    case operand::column_and_bytes: call.number = from.number(); [[fallthrough]];
    case operand::bytes: call.bytes = from.bytes(); break;
    }
    is_broken_ |= from.is_broken();
    at_ = calls_.size() - from.rest().size();
    if (call.code == log_tick_again) {
        call.code = static_cast<std::uint8_t>(input_kind::tick);
        call.number = elapsed_;
    }
    if (call.is_tick()) elapsed_ = call.number;
    return !is_broken_;
}

std::span<const std::byte> call_operands::take(std::uint64_t size) {
    if (size > from_.size()) {
        is_broken_ = true;
        from_ = {};
        return {};
    }
    const auto bytes = from_.first(static_cast<std::size_t>(size));
    from_ = from_.subspan(bytes.size());
    return bytes;
}

std::uint64_t call_operands::number() {
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        const auto byte = value<std::uint8_t>();
        if (is_broken_) return 0;
        number |= std::uint64_t(byte & 0x7f) << shift;
        if (byte < 0x80) return number;
    }
    is_broken_ = true;
    return 0;
}

std::span<const std::byte> call_operands::bytes() { return take(number()); }

namespace {

[[noreturn]] void refuse(code number, const char* what) { throw replay_error({number, "", what, "replay a log that input_log wrote"}); }

/// Takes a value from the front.
template <class T> T taken(std::span<const std::byte>& from) {
    T value;
    if (from.size() < sizeof value) refuse(code::broken_log, "the log is truncated");
    std::memcpy(&value, from.data(), sizeof value);
    from = from.subspan(sizeof value);
    return value;
}

/// Checks the positions of keyframes and the number of calls, and finds the reloads.
void check_calls(log_view& log) {
    call_reader calls(log.calls, 0, 0, log.head.flags & log_has_checks);
    std::uint64_t count = 0, frames = 0, jumps = 0;
    auto keyframe = log.keyframes.begin();
    std::uint64_t known_jumps = 0;
    for (const auto& each : log.keyframes) known_jumps += each.head.is_jump;
    log_call call;
    for (bool more = true; more;) {
        for (; keyframe != log.keyframes.end() && keyframe->head.call == count; ++keyframe)
            if (keyframe->head.offset != calls.at() || keyframe->head.frame != frames || keyframe->head.elapsed != calls.elapsed())
                refuse(code::broken_log, "a keyframe of the log is misplaced");
        more = calls.next(call);
        if (!more) break;
        if (call.code == static_cast<int>(input_kind::reload)) log.reloads.push_back({count, call.machine, taken<log_reload>(call.bytes)});
        ++count;
        if (call.machine >= log.machines.size() && call.code != log_note && call.code != log_jump)
            refuse(code::broken_log, "the log contains a call to a machine that is not in the log");
        if (call.code == log_jump && (call.number != jumps++ || jumps > known_jumps))
            refuse(code::broken_log, "the log jumps to an invalid position");
        frames += call.is_frame();
    }
    if (calls.is_broken() || count != log.head.calls || frames != log.head.frames || keyframe != log.keyframes.end())
        refuse(code::broken_log, "the log contains an invalid call");
}

} // namespace

log_view read_log(std::span<const std::byte> from) {
    log_view log;
    log.head.magic = 0;
    if (from.size() >= sizeof log.head) std::memcpy(&log.head, from.data(), sizeof log.head);
    if (log.head.magic != log_magic || log.head.version != log_version) refuse(code::not_a_log, "this is not a log from this version of the library");
    if (log.head.flags & ~log_has_checks) refuse(code::broken_log, "the log has unknown flags");
    from = from.subspan(sizeof log.head);
    for (std::uint32_t i = 0; i < log.head.machines; ++i) {
        log.machines.push_back(taken<log_machine>(from));
        if (log.machines.back().kind > log_machine::manager) refuse(code::broken_log, "the log belongs to an unknown kind of object");
    }
    for (std::uint32_t i = 0; i < log.head.keyframes; ++i) {
        const auto head = taken<keyframe_head>(from);
        if (head.size > from.size() || head.is_jump > 1) refuse(code::broken_log, "the log is truncated");
        log.keyframes.push_back({head, from.first(static_cast<std::size_t>(head.size))});
        from = from.subspan(static_cast<std::size_t>(head.size));
    }
    if (log.keyframes.empty() || log.keyframes[0].head.call != 0) refuse(code::broken_log, "the log does not begin with a keyframe");
    if (!std::ranges::is_sorted(log.keyframes, {}, [](const auto& k) { return k.head.call; }))
        refuse(code::broken_log, "the keyframes of the log are out of order");
    if (log.head.call_bytes != from.size()) refuse(code::broken_log, "the log is truncated, or has data after its end");
    log.calls = from;
    check_calls(log);
    return log;
}

std::vector<std::byte> write_log(const log_view& log) {
    auto head = log.head;
    head.machines = static_cast<std::uint32_t>(log.machines.size());
    head.keyframes = static_cast<std::uint32_t>(log.keyframes.size());
    head.call_bytes = log.calls.size();
    std::vector<std::byte> to(sizeof head);
    std::memcpy(to.data(), &head, sizeof head);
    for (const auto& machine : log.machines) put_bytes(to, &machine, sizeof machine);
    for (const auto& keyframe : log.keyframes) {
        auto frame = keyframe.head;
        frame.size = keyframe.state.size();
        put_bytes(to, &frame, sizeof frame);
        put_bytes(to, keyframe.state.data(), keyframe.state.size());
    }
    put_bytes(to, log.calls.data(), log.calls.size());
    return to;
}

} // namespace hsm::detail
