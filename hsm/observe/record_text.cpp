#include <hsm/observe/record_text.hpp>

#include <hsm/chart/detail/rows.hpp>
#include <hsm/observe/followed_states.hpp>
#include <hsm/op/result.hpp>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

namespace hsm {

namespace {

template <class Enumeration> std::string_view word(const record& r) { return to_string(static_cast<Enumeration>(r.what)); }

double seconds(std::uint64_t nanoseconds) { return static_cast<double>(static_cast<std::int64_t>(nanoseconds)) / 1e9; }

std::string_view result_word(const record& r) { return r.what == record::thrown ? "an exception" : word<result>(r); }

std::string_view step_word(const record& r) {
    constexpr std::string_view words[] = {"off", "on", "on, for a tick", "off, the tick has ended"};
    return r.what < std::size(words) ? words[r.what] : "?";
}

/// Returns the transition or request that waits or was refused.
std::string_view waiting(const record& r, const chart_names& names) { return r.number == record::no_number ? "a request" : names.text(r.number); }

class line {
public:
    line(const record& r, const chart_names& names, std::string& out) : r_(r), names_(names), out_(out) {}

    void write() const;

private:
    template <class Format, class... Args> void add(Format format, const Args&... args) const {
        fmt::format_to(std::back_inserter(out_), format, args...);
    }
    void add_state(std::string_view what) const { add(FMT_COMPILE("{} {}"), what, names_.path(r_.state)); }
    void add_call() const;
    void add_event() const;
    void add_guard() const;
    void add_transition() const;
    void add_error() const;
    void add_configuration() const;
    void add_more() const;

    const record& r_;
    const chart_names& names_;
    std::string& out_;
};

void line::add_call() const {
    add(FMT_COMPILE("{} at {:.6f} s"), word<call_kind>(r_), seconds(r_.value));
    if (r_.number != 0 || r_.state != 0) add(FMT_COMPILE(", agent {}"), r_.number);
}

void line::add_event() const {
    add(FMT_COMPILE("event {} ({})"), names_.event(r_.number), word<event_origin>(r_));
    if (r_.value != 0) add(FMT_COMPILE(", value {}"), static_cast<std::int64_t>(r_.value));
}

void line::add_guard() const {
    const bool yes = r_.what % 2 == 1;
    if (r_.what < 2)
        add(FMT_COMPILE("{}: {}"), name_in(names_.guards, r_.number), yes ? "yes" : "no");
    else
        add(FMT_COMPILE("conditions of {}: {}"),
            r_.value < names_.transitions.size() ? names_.text(static_cast<std::uint32_t>(r_.value)) : names_.path(r_.state), yes ? "yes" : "no");
}

void line::add_transition() const {
    if (r_.number != record::no_number)
        add(FMT_COMPILE("transition {} ({})"), names_.text(r_.number), word<reason>(r_));
    else
        add(FMT_COMPILE("transition {} -> {} ({})"), r_.state == record::no_state ? "nowhere" : names_.path(r_.state),
            r_.value >= record::no_state ? "nowhere" : names_.path(static_cast<std::uint16_t>(r_.value)), word<reason>(r_));
}

void line::add_error() const {
    add(FMT_COMPILE("a hook threw an exception"));
    if (r_.state != record::no_state) add(FMT_COMPILE(", {} {}"), word<hook_place>(r_), names_.path(r_.state));
}

void line::add_configuration() const {
    add(FMT_COMPILE("active ({}): "), word<configuration_reason>(r_));
    add(FMT_COMPILE("{}"), r_.number == 0 ? "nothing" : names_.path(r_.state));
    if (r_.number > 1) add(FMT_COMPILE(" and {} more"), r_.number - 1);
}

void line::add_more() const {
    const auto further = further_states_of(r_);
    add(FMT_COMPILE("more:"));
    for (std::size_t i = 0; i < further.count; ++i) add(FMT_COMPILE(" {}"), names_.path(further.number[i]));
}

void line::write() const {
    switch (r_.kind) {
    case record_kind::more: return add_more();
    case record_kind::call: return add_call();
    case record_kind::call_end: return add(FMT_COMPILE("-> {}"), result_word(r_));
    case record_kind::event: return add_event();
    case record_kind::guard: return add_guard();
    case record_kind::transition: return add_transition();
    case record_kind::exited: return add_state("exited");
    case record_kind::action: return add(FMT_COMPILE("{}"), name_in(names_.hooks, r_.number));
    case record_kind::entered: return add_state("entered");
    case record_kind::arrived: return add_state("arrived in");
    case record_kind::updated: return add_state("updated");
    case record_kind::held: return add(FMT_COMPILE("{} waits until {} no longer holds"), waiting(r_, names_), names_.path(r_.state));
    case record_kind::leave_requested: return add(FMT_COMPILE("{} requests to leave {}"), waiting(r_, names_), names_.path(r_.state));
    case record_kind::released: return add_state("released");
    case record_kind::deferred: return add(FMT_COMPILE("deferred {}"), names_.event(r_.number));
    case record_kind::recalled: return add(FMT_COMPILE("recalled {}"), names_.event(r_.number));
    case record_kind::refused: return add(FMT_COMPILE("refused {}: a transition of higher priority waits"), waiting(r_, names_));
    case record_kind::dropped:
        return add(FMT_COMPILE("dropped {} ({})"), r_.number == record::no_number ? "a request" : names_.event(r_.number), word<drop_reason>(r_));
    case record_kind::finished: return add_state("finished");
    case record_kind::armed:
        if (static_cast<std::int64_t>(r_.value) == detail::never) return add(FMT_COMPILE("stopped {}"), name_in(names_.timers, r_.number));
        return add(FMT_COMPILE("armed {}, due at {:.6f} s"), name_in(names_.timers, r_.number), seconds(r_.value));
    case record_kind::due: return add(FMT_COMPILE("due {}"), name_in(names_.timers, r_.number));
    case record_kind::condition: return add(FMT_COMPILE("condition {} {}"), name_in(names_.conditions, r_.number), step_word(r_));
    case record_kind::error: return add_error();
    case record_kind::configuration: return add_configuration();
    case record_kind::lost: return add(FMT_COMPILE("{} records are missing"), r_.value);
    case record_kind::scored:
        return add(FMT_COMPILE("score {} of {}{}"), std::bit_cast<double>(r_.value), names_.text(r_.number), r_.what ? "" : ", which is invalid");
    }
    add(FMT_COMPILE("a record of an unknown kind"));
}

} // namespace

std::string_view further_text(const record& r) { return {reinterpret_cast<const char*>(&r) + 2, std::min<std::size_t>(r.what, 14)}; }

void append_text(const record& r, const chart_names& names, std::string& out) { line(r, names, out).write(); }

std::string to_string(const record& r, const chart_names& names) {
    std::string out;
    append_text(r, names, out);
    return out;
}

std::string to_string(const record& r, const chart_base& chart) { return to_string(r, names_of(chart)); }

} // namespace hsm
