/// Converts a trace to intervals of states. In each region, active states are nested and begin and end one by one.
///
/// Derive from timeline_view to display them. Whatever the records contain, each interval ends, inner ones first, and times never decrease.
#pragma once

#include <hsm/define/time_span.hpp>
#include <hsm/observe/chart_names.hpp>
#include <hsm/observe/followed_states.hpp>
#include <hsm/observe/trace_reader.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

class output;

/// The time of a machine in nanoseconds, which never decreases: if the machine's clock was reset, this time continues from its last value. Any clock
/// is accepted, since a trace may come from anywhere; the sum saturates.
class steady_time {
public:
    std::int64_t now() const { return now_.nanoseconds(); }
    void apply(const record& r) {
        if (r.kind != record_kind::call && r.kind != record_kind::call_end && r.kind != record_kind::configuration) return;
        const auto clock = time_span::from_nanoseconds(static_cast<std::int64_t>(r.value));
        if (clock > clock_) now_ = now_ + (clock - clock_);
        clock_ = clock;
    }

private:
    time_span now_, clock_;
};

/// Data of a chart, computed once.
struct chart_tree {
    explicit chart_tree(const chart_names& names);
    superstate_list superstates;
    std::vector<std::uint16_t> region;  ///< by state
    std::vector<std::uint16_t> regions; ///< the outermost state of each region; the first is the root
};

/// A transition with its texts.
struct shown_transition {
    record what;
    std::uint32_t event_number; ///< as in `event` records; no_event if no event caused it
    std::string_view text, from, to, reason, event, payload;
    static constexpr std::uint32_t no_event = record::no_number - 1;
};

class timeline_view {
public:
    virtual ~timeline_view() = default;
    virtual void chart(std::uint32_t number, const chart_names& names) = 0;
    virtual void track(std::uint32_t number, const trace_track& track, const chart_names& names) = 0;
    virtual void region(std::uint32_t track, std::uint16_t region) = 0; ///< the first state of a region other than the root's
    virtual void begins(std::uint32_t track, std::uint16_t region, std::uint16_t state, std::int64_t time) = 0;
    virtual void ends(std::uint32_t track, std::uint16_t region, std::uint16_t state, std::int64_t time) = 0;
    virtual void transits(std::uint32_t track, std::uint16_t region, const shown_transition& t, std::int64_t time) = 0;
};

/// Returns the name of a machine for readers of the trace.
std::string name_of(const trace_track& track, const chart_names& names);

/// Completes the output of a conversion. Throws trace_error (HSM-331) if it was not written completely.
void finish_conversion(output& out, const trace_reader& from);

/// Sends the whole trace to the view.
void play(trace_reader& from, timeline_view& to);

} // namespace hsm::detail
