/// The environment of the machines of the differential test: contexts, events, locals, and the running machine for its hooks.
#pragma once

#include <hsm/define/condition.hpp>
#include <hsm/define/event.hpp>
#include <hsm/define/state_key.hpp>
#include <hsm/define/state_ref.hpp>
#include <hsm/define/time_span.hpp>
#include <hsm/op/result.hpp>
#include <tests/support/differential/plan.hpp>

#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace differential {

/// The exception that hooks throw.
struct fault : std::runtime_error {
    explicit fault(int token) : std::runtime_error("fault " + std::to_string(token)) {}
};

/// A running machine of any engine.
class agent {
public:
    virtual ~agent() = default;
    virtual hsm::result start() = 0;
    virtual hsm::result stop() = 0;
    virtual hsm::result tick(std::int64_t nanoseconds) = 0;
    virtual hsm::result update(std::int64_t nanoseconds) = 0;
    virtual hsm::result decide() = 0;
    virtual hsm::result drain() = 0;
    virtual hsm::result process(int event, int payload) = 0;
    virtual hsm::result post(int event, int payload) = 0;
    virtual hsm::result can(int event, int payload) = 0;
    virtual hsm::result change_to(int state) = 0;
    virtual hsm::result change_to_place(int place) = 0;
    virtual hsm::result finish() = 0;
    virtual hsm::result finish(int state) = 0;
    virtual hsm::result release() = 0;
    virtual hsm::result release(int state) = 0;
    virtual hsm::result force_to(int state) = 0;
    virtual hsm::result restart() = 0;
    virtual hsm::result destroy() = 0;
    virtual hsm::result reset() = 0;
    virtual hsm::result set_state(int state) = 0;
    virtual void pause(bool paused) = 0;
    virtual hsm::result scale(int percent) = 0;
    virtual std::string times_left() const = 0;
    virtual std::optional<hsm::timer_key> timer(int what) const = 0; ///< for calls through a step
    virtual hsm::result set_timer(int what) = 0;
    virtual hsm::condition_key key(int condition) const = 0; ///< for calls through a step
    virtual void change(int condition, hsm::condition_change to) = 0;
    virtual bool get(int condition) const = 0;
    virtual void clear() = 0; ///< all conditions
    virtual void move() = 0;
    virtual hsm::state_ref current() const = 0;
    virtual std::vector<hsm::state_ref> leaves() const = 0;
    virtual bool is_in(int state) const = 0;
    virtual const hsm::state_base& node(int state) const = 0; ///< for calls through a step
    virtual bool is_in_place(int place) const = 0;
    virtual bool has_tag(int tag) const = 0; ///< of an active state
    virtual bool finished() const = 0;
    virtual std::size_t queued() const = 0;
    virtual std::int64_t time_in_state(int state) const = 0;
    virtual std::int64_t now() const = 0;

    bool asked = false; ///< a guard has called can()
};

/// Changes one of the chart's timers, if there are any: `what` contains the call, the time left and the timer.
template <class Machine> hsm::result set_timer(Machine& machine, const std::optional<hsm::timer_key>& timer, int what) {
    if (!timer) return hsm::result::unhandled;
    switch (what % 4) {
    case 0: return machine.restart_timer(*timer);
    case 1: return machine.cancel_timer(*timer);
    default: return machine.set_time_left(*timer, hsm::time_span::from_nanoseconds(what / 4 % 5 * 8 - 1));
    }
}

/// The active states, as recorded by hooks.
class activity_checker {
public:
    explicit activity_checker(const plan& p) : plan_(p), active_(p.states.size()) {}

    void entered(int s) {
        const int above = at(s).superstate;
        if (is(s)) accuse("entered twice", s);
        if (above != none && !is(above)) accuse("entered before its superstate", s);
        if (above != none && at(above).kind == kind::machine && any_below(above)) accuse("entered beside another", s);
        active_[static_cast<std::size_t>(s)] = true;
    }
    void exited(int s) {
        if (!is(s)) accuse("exited without having been entered", s);
        if (any_below(s)) accuse("exited before its substates", s);
        active_[static_cast<std::size_t>(s)] = false;
    }
    bool is(int s) const { return active_[static_cast<std::size_t>(s)]; }
    void set(int s, bool active) { active_[static_cast<std::size_t>(s)] = active; }
    void accuse(const char* what, int s) { complaints += " WRONG: s" + std::to_string(s) + " " + what; }

    std::string complaints;

private:
    const state_plan& at(int s) const { return plan_.states[static_cast<std::size_t>(s)]; }
    bool any_below(int s) const {
        for (int i = s + 1; i < static_cast<int>(active_.size()); ++i)
            if (at(i).superstate == s && is(i)) return true;
        return false;
    }

    const plan& plan_;
    std::vector<bool> active_;
};

struct test_context;

/// The context of nested machines.
struct part {
    test_context* whole;
    char side;
};

/// The root's context.
struct test_context {
    explicit test_context(const plan& p) : made_from(p), kept(p) {}
    test_context(const test_context&) = delete;
    test_context& operator=(const test_context&) = delete;

    bool has(int bit) const { return bit == none || (bits >> bit & 1) != 0; }
    void note(std::string_view text) const {
        if (silent) return;
        trace += text;
        trace += ' ';
    }

    const plan& made_from;
    std::uint32_t bits = 0;
    bool silent = false; ///< hooks record nothing, because that allocates
    mutable std::string trace;
    agent* self = nullptr;
    int alive = 0;                                  ///< locals and queued events
    std::vector<std::pair<int, bool>> answers = {}; ///< of guards, by their token, instead of their results
    activity_checker kept;
    part left{this, 'L'};
    part right{this, 'R'};
};

inline test_context& whole(test_context& w) { return w; }
inline const test_context& whole(const test_context& w) { return w; }
inline test_context& whole(part& p) { return *p.whole; }
inline const test_context& whole(const part& p) { return *p.whole; }
inline char side(const test_context&) { return '.'; }
inline char side(const part& p) { return p.side; }

/// The world of the current agent, for objects that are copied and destroyed without arguments; null while charts are built.
inline test_context* in_call = nullptr;

/// Counts its objects, and detects double destruction.
class counted {
public:
    explicit counted(int token, int fault_bit = none) : token_(token), fault_(fault_bit) { count(); }
    counted(const counted& other) : token_(other.token_), fault_(other.fault_) {
        if (in_call && fault_ != none && in_call->has(fault_)) throw fault(token_);
        count();
    }
    counted(counted&& other) noexcept : token_(other.token_), fault_(other.fault_) { count(); }
    counted& operator=(const counted&) = delete;
    ~counted() {
        if (in_call) {
            --in_call->alive;
            if (magic_ != intact) in_call->note("destroyed twice!");
        }
        magic_ = 0;
    }

    int token() const { return token_; }
    template <class A> friend void serialize(A& archive, counted& c) { archive("token", c.token_)("fault", c.fault_); }
    bool whole() const { return magic_ == intact; }

private:
    void count() {
        if (in_call) ++in_call->alive;
    }

    static constexpr std::uint32_t intact = 0x600df00d;
    volatile std::uint32_t magic_ = intact;
    int token_;
    int fault_;
};

// --- events ---

struct hit {
    int power;
};
struct parcel { ///< larger, with its own memory; its copy can throw
    parcel() : parcel(0) {}
    explicit parcel(int p) : text(40, static_cast<char>('a' + p % 26)), count(p, ordinary_bits) {}
    std::string text;
    counted count;
};
enum class key { up, down, left };
enum class far_apart { low = -5, high = 1'000'000 };
struct unexpected {}; ///< no transition waits for it

inline constexpr int event_count = 9; ///< event_count itself is `unexpected`

/// Only for transitions, with numbers after all events: several events each.
enum several {
    every_key = event_count + 1,
    outer_keys,
    other_keys,
    far_range,
    other_far,
    ping_names,
    long_ping_names,
    some_names,
    all_names,
    first_raised, ///< events that the machine raises
    done_of_first = first_raised,
    done_of_second,
    all_done,
    guard_errors,
    anything, ///< hsm::any_event
    several_end
};

/// Only for hooks and inputs, with numbers after all of these: names that no transition uses.
inline constexpr std::string_view unknown_names[] = {"ping.a", "ping.a.b", "pings", "other", "pong.x", "done.state"};
inline constexpr int first_unknown = several_end;
inline constexpr int end_of_unknown = first_unknown + static_cast<int>(std::size(unknown_names));

inline std::string describe(const hit& e) { return "hit" + std::to_string(e.power); }
inline std::string describe(const parcel& e) { return "parcel" + e.text.substr(0, 1) + (e.count.whole() ? "" : "(broken)"); }
inline std::string describe(const key& e) { return "key" + std::to_string(static_cast<int>(e)); }
inline std::string describe(const far_apart& e) { return "far" + std::to_string(static_cast<int>(e)); }

inline std::string describe(const hsm::named_event& e) { return "named " + std::string(e.name()) + "=" + hsm::to_string(e.data()); }

/// Calls f(event) with that event; events with odd payloads are lvalues.
template <class F> auto with_event(int event, int payload, F f) {
    const auto pass = [&](auto e) {
        if (payload % 2 != 0) return f(e);
        return f(std::move(e));
    };
    switch (event) {
    case 0: return pass(hit{payload});
    case 1: return pass(parcel(payload));
    case 2: return pass(key::up);
    case 3: return pass(key::down);
    case 4: return pass(key::left);
    case 5: return pass(far_apart::low);
    case 6: return pass(far_apart::high);
    case 7: return f(std::string_view("ping"));
    case 8: return f(std::string_view("pong"));
    default:
        if (event >= first_unknown) return f(unknown_names[event - first_unknown]);
        return pass(unexpected{});
    }
}

template <class A> void serialize(A& archive, parcel& p) { archive("text", p.text)("count", p.count); }

// --- states by enumerator ---

enum class place { p0, p1, p2, p3 };
inline constexpr int place_count = 4;

inline std::string tag_name(int tag) { return "t" + std::to_string(tag); }
/// Calls `visit` with each tag that a state has.
template <class Visit> void each_tag(const plan& p, Visit visit) {
    unsigned all = 0;
    for (const auto& s : p.states) all |= s.tags;
    for (int tag = 0; tag < tag_count; ++tag)
        if (all >> tag & 1) visit(tag);
}

// --- locals ---

inline constexpr int local_types = 3;
inline constexpr int bare_type = 0;
inline constexpr int timer_type = 1;

struct bare { ///< data without hooks
    counted count;
    int value = 0;
};

template <class Context> struct timer { ///< a local with hooks that finishes
    counted count;
    int left;
    void note_call(Context& c, const char* what) const {
        if (whole(c).silent) return;
        whole(c).note(std::string(what) + std::to_string(count.token()) + side(c) + std::to_string(left) + (count.whole() ? "" : "!"));
    }
    void enter(Context& c) { note_call(c, "le"); }
    void update(Context& c, float) {
        note_call(c, "lu");
        --left;
    }
    void exit(Context& c) { note_call(c, "lx"); }
    bool finished() const {
        if (in_call && !in_call->silent) in_call->note("lf" + std::to_string(count.token()));
        return left <= 0;
    }
};

template <class A> void serialize(A& archive, bare& b) { archive("count", b.count)("value", b.value); }
template <class A, class Context> void serialize(A& archive, timer<Context>& t) { archive("count", t.count)("left", t.left); }

struct alignas(64) heavy { ///< a local with its own memory
    counted count;
    std::string text = "a text that does not fit into the string itself";
};
template <class A> void serialize(A& archive, heavy& h) { archive("count", h.count)("text", h.text); }

} // namespace differential
