/// The format of a log of inputs, documented in docs/reference/log_format.md.
///
///     [ head | machines: chart, layout, context | keyframes: head, of each machine its image and its context | calls ]
#pragma once

#include <hsm/chart/fingerprint.hpp>
#include <hsm/op/input.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace hsm::detail {

inline constexpr std::uint32_t log_magic = 0x6c6d'7368; ///< "hsml"
inline constexpr std::uint16_t log_version = 1;
enum log_flag : std::uint16_t { log_has_checks = 1 };

struct log_head {
    std::uint32_t magic = log_magic;
    std::uint16_t version = log_version;
    std::uint16_t flags = 0;
    std::uint64_t calls = 0;  ///< number of calls
    std::uint64_t frames = 0; ///< ticks and updates of the first machine
    std::uint64_t call_bytes = 0;
    std::uint32_t machines = 0;
    std::uint32_t keyframes = 0;
};
static_assert(sizeof(log_head) == 40);

struct log_machine {
    enum kind_of : std::uint16_t { instance, crowd, manager };
    fingerprint chart = {}, layout = {}; ///< zeros for a manager
    std::uint16_t context_form = 0;      ///< value_layout::form_of; `nothing` if there is no separate context
    kind_of kind = instance;
    std::uint32_t context_size = 0;

    friend bool operator==(const log_machine&, const log_machine&) = default;
};
static_assert(sizeof(log_machine) == 40);

struct keyframe_head {
    std::uint64_t call = 0; ///< the state is that before this call
    std::uint64_t frame = 0;
    std::uint64_t offset = 0;  ///< of that call
    std::uint64_t elapsed = 0; ///< of the preceding tick
    std::uint64_t size = 0;    ///< number of bytes that follow
    std::uint64_t is_jump = 0; ///< 1: the machines were restored or taken over here
};
static_assert(sizeof(keyframe_head) == 48);

/// The low five bits of a call's first byte. The other bits are the machine; 7 means that its number follows.
enum log_code : std::uint8_t {
    // 0 to 23, 29, 30: input_kind
    log_tick_again = 24, ///< a tick of the same length as the previous one
    log_note = 25,
    log_jump = 26,  ///< to the keyframe that this number of jumps precedes
    log_other = 27, ///< a call of a crowd or a manager: see logged_crowd.cpp, logged_manager.cpp
    log_frame = 28, ///< an update of a manager with two times, in the same form
};
inline constexpr std::uint8_t log_machine_follows = 7;
constexpr bool is_input_kind(std::uint8_t code) {
    return code <= static_cast<int>(input_kind::set_state) || code == static_cast<int>(input_kind::set_timer) ||
           code == static_cast<int>(input_kind::reload);
}

/// Identifies a plan of hsm/reload.
struct log_plan {
    fingerprint from = {}, to = {};
    std::uint64_t steps = 0; ///< a hash of its steps and options

    friend bool operator==(const log_plan&, const log_plan&) = default;
};
static_assert(sizeof(log_plan) == 40);
/// The operands of a reload.
struct log_reload {
    log_plan plan;
    std::uint32_t joins = 0;  ///< 1: the same `apply` as the previous call
    std::uint32_t failed = 0; ///< 1: an exit hook threw, so the chart did not change
};
static_assert(sizeof(log_reload) == 48);

inline void put_number(std::vector<std::byte>& to, std::uint64_t number) { ///< LEB128
    for (; number >= 0x80; number >>= 7) to.push_back(static_cast<std::byte>(number | 0x80));
    to.push_back(static_cast<std::byte>(number));
}
inline void put_bytes(std::vector<std::byte>& to, const void* bytes, std::size_t size) {
    const auto* const from = static_cast<const std::byte*>(bytes);
    to.insert(to.end(), from, from + size);
}

/// A call in a log. `bytes` belong to an event, a timer, a note or a reload.
struct log_call {
    std::uint8_t code = 0;
    std::uint32_t machine = 0;
    std::uint32_t check = 0;  ///< of the state before the call; 0: not checked
    std::uint64_t number = 0; ///< nanoseconds, a state, a condition, a timer, a column or a jump
    double factor = 1.0;
    std::span<const std::byte> bytes = {};

    bool is_tick() const { return code == static_cast<int>(input_kind::tick) || code == static_cast<int>(input_kind::update); }
    bool is_frame() const { return machine == 0 && (is_tick() || code == log_frame); } ///< of the first machine
    bool has_event() const {
        const auto kind = static_cast<input_kind>(code);
        return kind == input_kind::process || kind == input_kind::post || kind == input_kind::mailed;
    }
};

/// Reads numbers and bytes from the bytes of a call.
class call_operands {
public:
    call_operands(std::span<const std::byte> from) : from_(from) {}
    std::uint64_t number();        ///< 0 after the end, and is_broken() is then true
    template <class T> T value() { ///< the same for a value of fixed size
        T value{};
        if (const auto bytes = take(sizeof value); !is_broken_) std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    std::span<const std::byte> bytes(); ///< preceded by their size
    std::span<const std::byte> rest() { return take(from_.size()); }
    bool is_broken() const { return is_broken_; }
    bool is_complete() const { return !is_broken_ && from_.empty(); }

private:
    std::span<const std::byte> take(std::uint64_t size);

    std::span<const std::byte> from_;
    bool is_broken_ = false;
};

/// Appends a call. `elapsed` is that of the last tick, and is updated.
void put_call(std::vector<std::byte>& to, const log_call& call, std::uint64_t& elapsed, bool has_checks);

/// Reads untrusted calls. next() returns false at the end, or if the data is invalid.
class call_reader {
public:
    call_reader(std::span<const std::byte> calls, std::size_t at, std::uint64_t elapsed, bool has_checks)
        : calls_(calls), at_(at), elapsed_(elapsed), has_checks_(has_checks) {}
    bool next(log_call& call) {
        if (at_ < calls_.size() && !has_checks_ && !is_broken_) [[likely]] { // the most frequent call
            const auto byte = std::to_integer<std::uint8_t>(calls_[at_]);
            if ((byte & 0x1f) == log_tick_again && byte >> 5 != log_machine_follows) {
                ++at_;
                call = {.code = static_cast<std::uint8_t>(input_kind::tick), .machine = static_cast<std::uint32_t>(byte >> 5), .number = elapsed_};
                return true;
            }
        }
        return next_other(call);
    }
    std::size_t at() const { return at_; }
    std::uint64_t elapsed() const { return elapsed_; }
    bool is_broken() const { return is_broken_; }

private:
    bool next_other(log_call& call);

    std::span<const std::byte> calls_;
    std::size_t at_;
    std::uint64_t elapsed_;
    bool has_checks_;
    bool is_broken_ = false;
};

/// The parts of a log. All spans refer to the log.
struct log_view {
    struct keyframe {
        keyframe_head head;
        std::span<const std::byte> state;
    };
    log_head head;
    std::vector<log_machine> machines;
    std::vector<keyframe> keyframes; ///< at least one
    std::span<const std::byte> calls;
    struct reload {
        std::uint64_t call; ///< its number
        std::uint32_t machine;
        log_reload what;
    };
    std::vector<reload> reloads; ///< found by read_log; ignored by write_log
};
log_view read_log(std::span<const std::byte> log); ///< throws replay_error (HSM-371, HSM-372)
std::vector<std::byte> write_log(const log_view& log);

} // namespace hsm::detail
