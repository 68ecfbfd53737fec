/// The data that a lane's thread and the server's thread exchange.
///
/// The lane's thread writes records to a ring and messages to a list. The server's thread takes both, and sends commands back.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/inspect/detail/watched.hpp>
#include <hsm/observe/chart_names.hpp>
#include <hsm/op/record.hpp>
#include <hsm/op/result.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hsm::inspect::detail {

inline constexpr std::uint32_t no_machine = 0; ///< ids of machines begin with 1, and are unique for the page

/// Measures the time since the page began, in nanoseconds. All lanes of a page copy one clock.
class page_clock {
public:
    std::int64_t now() const { return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - began_).count(); }

private:
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

struct recorded {
    std::uint32_t machine = no_machine;
    hsm::record record = {};
};

/// A bounded queue for one thread that pushes and one thread that pops. Positions count the items that were ever pushed.
class record_ring {
public:
    /// Allocates. Rounds the capacity up to a power of two.
    explicit record_ring(std::size_t capacity) : items_(std::bit_ceil(capacity)), mask_(items_.size() - 1) {}

    /// Stores the item. If the ring is full, counts it as dropped instead.
    void push(const recorded& item) {
        if (!has_room()) {
            dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            return;
        }
        const auto at = pushed_.load(std::memory_order_relaxed);
        items_[at & mask_] = item;
        pushed_.store(at + 1, std::memory_order_release);
    }
    /// Returns whether push can store an item. Only the thread that pushes may call it.
    bool has_room() {
        const auto at = pushed_.load(std::memory_order_relaxed);
        if (at - popped_seen_ > mask_) popped_seen_ = popped_.load(std::memory_order_acquire);
        return at - popped_seen_ <= mask_;
    }
    /// Appends the items before the position `end`, which pushed() has returned, and removes them from the ring.
    void pop(std::vector<recorded>& to, std::uint64_t end) {
        auto at = popped_.load(std::memory_order_relaxed);
        to.reserve(to.size() + static_cast<std::size_t>(end - at));
        for (; at != end; ++at) to.push_back(items_[at & mask_]);
        popped_.store(end, std::memory_order_release);
    }

    std::uint64_t pushed() const { return pushed_.load(std::memory_order_acquire); }
    std::uint64_t popped() const { return popped_.load(std::memory_order_relaxed); }
    std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); } ///< in total
    std::size_t capacity() const { return mask_ + 1; }

private:
    std::vector<recorded> items_;
    std::size_t mask_;
    std::uint64_t popped_seen_ = 0;                     ///< of the thread that pushes: an earlier value of popped_
    std::atomic<std::uint64_t> pushed_ = 0;             // written by the thread that pushes
    std::atomic<std::uint64_t> dropped_ = 0;            // written by the thread that pushes
    alignas(64) std::atomic<std::uint64_t> popped_ = 0; // written by the thread that pops
};

enum class break_kind : std::uint8_t { entry, exit, transition, condition, event, error };
inline constexpr std::array<std::string_view, 6> break_kind_names = {"entry", "exit", "transition", "condition", "event", "error"};

/// A place at which a machine stops. `number` is that of the state, transition, condition or event; of an error it is 0.
struct break_place {
    break_kind at = break_kind::entry;
    std::uint32_t number = 0;

    friend bool operator==(const break_place&, const break_place&) = default;
};

/// The properties of a machine that change rarely.
struct machine_facts {
    bool finished = false;
    bool stoppable = false; ///< its loop calls `runs`, so it can be paused
    bool paused = false;
    bool recording = false;
    std::optional<double> scale = {};        ///< none: it has no time scale
    std::optional<std::uint64_t> count = {}; ///< agents of a crowd, machines of a manager
    std::vector<break_place> stops = {};

    friend bool operator==(const machine_facts&, const machine_facts&) = default;
};

struct machine_added {
    std::uint32_t id = no_machine;
    std::uint32_t parent = no_machine;
    machine_kind kind = machine_kind::instance;
    std::string name = {};
    std::optional<chart_base> chart = {}; ///< none for a manager
    std::vector<std::uint16_t> leaves = {};
    machine_facts facts = {};
    /// The names of the chart's parts, if the program does not have the chart. Used for machines of a trace file.
    std::shared_ptr<const chart_names> names = {};
};

struct machine_removed {
    std::uint32_t id = no_machine;
};

/// Machines whose leaves have changed since the last sample. A machine without leaves is inactive.
struct leaves_changed {
    struct change {
        std::uint32_t id = no_machine;
        std::uint32_t count = 0; ///< of its leaves, which follow those of the change before it
    };
    std::vector<change> changes = {};
    std::vector<std::uint16_t> leaves = {};
};

struct facts_changed {
    std::uint32_t id = no_machine;
    machine_facts facts = {}; ///< all of them
};

/// The number of a crowd's agents in each leaf.
struct population {
    std::uint32_t id = no_machine;
    std::vector<std::pair<std::uint16_t, std::uint32_t>> counts = {}; ///< leaves with at least one agent, in ascending order
    std::uint32_t inactive = 0;
};

/// The state of a machine before the next record.
struct keyframe {
    std::int64_t clock = 0;                                          ///< of the machine, in nanoseconds
    std::vector<std::uint16_t> active = {};                          ///< all active states, in ascending order
    std::vector<std::uint32_t> conditions = {};                      ///< those that are on
    std::vector<std::pair<std::uint32_t, std::int64_t>> timers = {}; ///< those that run: their numbers, and when they are due
};

struct recording_began {
    std::uint32_t id = no_machine;
    keyframe state = {};
};

/// The machine is paused. The record that reached the breakpoint is this machine's last record before the message's position.
struct breakpoint_reached {
    std::uint32_t id = no_machine;
    break_place place = {};
    std::string by = {}; ///< "break at entry of hero/attack"
};

enum class verb : std::uint8_t {
    explain,
    agents,
    save, // reading
    agent,
    process,
    post,
    set,
    clear,
    pulse,
    change_to,
    force_to,
    start,
    stop,
    restart,
    pause,
    continue_,
    step,
    scale,
    break_,
    unbreak,
    load,
    record,
    close_agent,
    open,
    close, // sent by the server: the first viewer opens the machine, the last one closes it. No command_done follows.
};
inline constexpr std::array<std::string_view, 25> verb_names = {
    "explain", "agents", "save",     "agent", "process", "post",  "set",     "clear", "pulse",  "change_to",   "force_to", "start", "stop",
    "restart", "pause",  "continue", "step",  "scale",   "break", "unbreak", "load",  "record", "close_agent", "open",     "close",
};
constexpr bool only_reads(verb v) { return v <= verb::save; }

enum class explained : std::uint8_t { tick, event, state, possible };
inline constexpr std::array<std::string_view, 4> explained_names = {"tick", "event", "state", "possible"};

/// A request of a viewer. Each verb uses the fields that the comments name.
struct command {
    std::uint64_t number = 0;
    std::uint32_t viewer = 0;
    std::uint32_t machine = no_machine;
    detail::verb verb = verb::explain;
    explained of = explained::tick;          ///< explain
    std::optional<std::uint32_t> state = {}; ///< explain a state, change_to, force_to, agents (none: of all states)
    std::uint32_t condition = 0;             ///< set, clear, pulse
    std::uint32_t most = 100;                ///< agents
    std::uint32_t index = 0, generation = 0; ///< agent
    std::uint32_t ticks = 1;                 ///< step
    bool on = true;                          ///< record
    double factor = 1;                       ///< scale
    std::optional<break_place> place = {};   ///< break, unbreak (none: all)
    std::string event = {};                  ///< explain an event, process, post: event_view::text
    std::optional<std::string> data = {};    ///< of the event: the text of a JSON object
    std::string document = {};               ///< load
};

/// An explained transition.
struct candidate_text {
    std::uint32_t transition = 0;
    bool taken = false;
    std::vector<std::string> obstacles = {};
};
struct agent_place {
    std::uint32_t index = 0, generation = 0;
    std::uint16_t leaf = hsm::record::no_state; ///< none: inactive
};

/// An error if `message` is not empty.
struct command_result {
    std::string outcome = {}; ///< of a call: "taken"
    std::string text = {};    ///< of an explanation
    std::vector<candidate_text> candidates = {};
    std::optional<std::vector<agent_place>> agents = {};
    std::optional<std::string> document = {};
    std::uint32_t machine = no_machine; ///< of the verb agent: the id of the agent
    std::string code = {};              ///< "HSM-201"; empty for an exception without a code
    std::string message = {};
    std::string hint = {};
};

struct command_done {
    std::uint64_t number = 0;
    std::uint32_t viewer = 0;
    std::uint32_t machine = no_machine;
    detail::verb verb = verb::explain;
    command_result result = {};
};

struct message {
    std::int64_t at = 0;        ///< by the clock of the page
    std::uint64_t position = 0; ///< of the ring: the message belongs between the record before this position and the record at it
    std::variant<machine_added, machine_removed, leaves_changed, facts_changed, population, recording_began, breakpoint_reached, command_done>
        content = {};
};

/// The memory of one message, for a message that must not fail.
using message_slot = std::list<message>;

/// Connects one lane with the server. It must outlive the calls of both threads.
class feed {
public:
    static constexpr std::size_t most_commands = 64;
    static constexpr std::size_t most_messages = 4096;

    feed(std::uint32_t lane, std::size_t ring_capacity, const page_clock& clock) : lane_(lane), ring_(ring_capacity), clock_(clock) {}

    std::uint32_t lane() const { return lane_; }
    const page_clock& clock() const { return clock_; }

    // The lane's thread.
    record_ring& ring() { return ring_; }
    static message_slot new_slot() { return message_slot(1); }
    /// Adds a message with the current time and the current position of the ring. If it throws, the content has not been moved.
    template <class Content> void send(Content&& content) { send(std::forward<Content>(content), new_slot()); }
    /// Allocates nothing.
    template <class Content> void send(Content&& content, message_slot&& slot) {
        slot.front() = message{clock_.now(), ring_.pushed(), std::forward<Content>(content)};
        const std::lock_guard lock(mutex_);
        messages_.splice(messages_.end(), slot);
        messages_waiting_.store(messages_.size(), std::memory_order_relaxed);
    }
    /// Returns whether so many messages wait that samples should be skipped.
    bool is_behind() const { return messages_waiting_.load(std::memory_order_relaxed) >= most_messages; }
    /// Returns whether poll has work: viewers, commands, or a listed object that was destroyed or has another chart.
    bool needs_poll() const { return attention_.load(std::memory_order_acquire) != 0; }
    bool has_viewers() const { return attention_.load(std::memory_order_relaxed) >= one_viewer; }
    bool has_commands() const { return (attention_.load(std::memory_order_acquire) & (one_viewer - 1)) >= one_command; }
    std::optional<command> pop_command() {
        const std::lock_guard lock(mutex_);
        if (commands_.empty()) return {};
        std::optional<command> next(std::move(commands_.front()));
        commands_.pop_front();
        attention_.fetch_sub(one_command, std::memory_order_acq_rel);
        return next;
    }
    /// Any thread: reports that a listed object was destroyed or has another chart. take_change returns whether there was such a report, and ends it.
    void note_change() noexcept { attention_.fetch_or(changed, std::memory_order_acq_rel); }
    bool take_change() noexcept { return (attention_.fetch_and(~changed, std::memory_order_acq_rel) & changed) != 0; }

    // The server's threads.
    /// Appends all messages, and all records that belong before the next message. If it throws, they remain in the feed. Apply a message before the
    /// record at its position; the first record has the position that is returned. One thread may call this.
    std::uint64_t take(std::vector<message>& messages, std::vector<recorded>& records) {
        // A message was sent before the records that follow it. So the messages of all records before `end` are in the list.
        const auto end = ring_.pushed();
        records.reserve(records.size() + static_cast<std::size_t>(end - ring_.popped()));
        {
            const std::lock_guard lock(mutex_);
            messages.reserve(messages.size() + messages_.size());
            messages.insert(messages.end(), std::make_move_iterator(messages_.begin()), std::make_move_iterator(messages_.end()));
            messages_.clear();
            messages_waiting_.store(0, std::memory_order_relaxed);
        }
        const auto before = records.size();
        ring_.pop(records, end);
        return end - (records.size() - before);
    }
    std::uint64_t dropped() const { return ring_.dropped(); }
    /// Returns false if most_commands wait already.
    bool push_command(command&& c) {
        const std::lock_guard lock(mutex_);
        if (commands_.size() == most_commands) return false;
        commands_.push_back(std::move(c));
        attention_.fetch_add(one_command, std::memory_order_acq_rel);
        return true;
    }
    void add_viewer() { attention_.fetch_add(one_viewer, std::memory_order_acq_rel); }
    void remove_viewer() { attention_.fetch_sub(one_viewer, std::memory_order_acq_rel); }

private:
    // The parts of attention_.
    static constexpr std::uint32_t changed = 1, one_command = 2, one_viewer = 256;
    static_assert(most_commands * one_command < one_viewer);

    const std::uint32_t lane_;
    record_ring ring_;
    const page_clock clock_;
    std::atomic<std::uint32_t> attention_ = 0;
    std::atomic<std::size_t> messages_waiting_ = 0;
    std::mutex mutex_; ///< of the two lists
    std::list<message> messages_;
    std::deque<command> commands_;
};

} // namespace hsm::inspect::detail
