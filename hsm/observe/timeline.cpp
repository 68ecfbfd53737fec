#include <hsm/observe/detail/timeline.hpp>

#include <hsm/observe/detail/output.hpp>
#include <hsm/observe/trace_error.hpp>
#include <hsm/op/result.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

chart_tree::chart_tree(const chart_names& names) : superstates(superstates_of(names)), region(names.states.size()), regions{0} {
    for (std::size_t s = 1; s < region.size(); ++s) {
        const auto superstate = names.states[s].superstate;
        const bool begins = names.states[superstate].parallel;
        region[s] = begins ? static_cast<std::uint16_t>(regions.size()) : region[superstate];
        if (begins) regions.push_back(static_cast<std::uint16_t>(s));
    }
}

namespace {

class machine_line {
public:
    machine_line(std::uint32_t number, const chart_names& names, const chart_tree& tree, timeline_view& to)
        : number_(number), names_(names), tree_(tree), to_(to), nests_(tree.regions.size()), configuration_(tree.superstates) {}

    void apply(const trace_entry& entry) {
        const auto& r = entry.what;
        time_.apply(r);
        switch (r.kind) {
        case record_kind::entered: enter(r.state); break;
        case record_kind::exited: exit(r.state); break;
        case record_kind::event: add_event(entry); break;
        case record_kind::call_end: event_ = shown_transition::no_event; break;
        case record_kind::transition: transit(r); break;
        case record_kind::configuration:
        case record_kind::more: configure(r); break;
        default: break;
        }
    }
    void end() {
        for (auto& each : nests_) end_from(each, 0);
    }

private:
    struct nest {
        std::vector<std::uint16_t> states; ///< active states, outermost first
        bool shown = false;
    };

    std::uint16_t region_of(std::uint16_t s) const { return tree_.regions[tree_.region[s]]; }
    nest& nest_of(std::uint16_t s) { return nests_[tree_.region[s]]; }
    nest& shown_nest_of(std::uint16_t s) {
        auto& in = nest_of(s);
        if (!std::exchange(in.shown, true) && region_of(s) != 0) to_.region(number_, region_of(s));
        return in;
    }
    void end_from(nest& in, std::size_t first) {
        while (in.states.size() > first) {
            const auto s = in.states.back();
            in.states.pop_back();
            to_.ends(number_, region_of(s), s, time_.now());
        }
    }
    void enter(std::uint16_t s) {
        if (s >= tree_.region.size()) return;
        exit(s);
        auto& in = shown_nest_of(s);
        in.states.push_back(s);
        to_.begins(number_, region_of(s), s, time_.now());
    }
    void exit(std::uint16_t s) {
        if (s >= tree_.region.size()) return;
        auto& in = nest_of(s);
        for (std::size_t i = in.states.size(); i > 0; --i)
            if (in.states[i - 1] == s) return end_from(in, i - 1);
    }
    /// Ends the states that are no longer active, and begins the newly active ones.
    void configure(const record& r) {
        configuration_.apply(r);
        if (!configuration_.known()) return;
        for (auto& in : nests_)
            for (std::size_t i = 0; i < in.states.size(); ++i)
                if (!configuration_.is_active(in.states[i])) end_from(in, i);
        for (const auto s : configuration_.active())
            if (std::ranges::find(nest_of(s).states, s) == nest_of(s).states.end()) enter(s);
    }
    void add_event(const trace_entry& entry) {
        event_ = entry.what.number;
        payload_ = entry.text;
    }
    void transit(const record& r) {
        const bool is_known = r.number != record::no_number;
        const bool by_event = static_cast<reason>(r.what) == reason::event && event_ != shown_transition::no_event;
        const auto target = r.value < record::no_state ? static_cast<std::uint16_t>(r.value) : record::no_state;
        const auto path = [&](std::uint16_t s) { return s == record::no_state ? std::string_view() : names_.path(s); };
        const bool has_source = r.state < tree_.region.size();
        if (has_source) shown_nest_of(r.state);
        const auto region = has_source ? region_of(r.state) : std::uint16_t(0);
        to_.transits(number_, region,
                     {r, by_event ? event_ : shown_transition::no_event, is_known ? names_.text(r.number) : to_string(static_cast<reason>(r.what)),
                      path(r.state), path(target), to_string(static_cast<reason>(r.what)), by_event ? names_.event(event_) : std::string_view(),
                      by_event ? std::string_view(payload_) : std::string_view()},
                     time_.now());
    }

    std::uint32_t number_;
    const chart_names& names_;
    const chart_tree& tree_;
    timeline_view& to_;
    std::vector<nest> nests_; ///< by region
    followed_states configuration_;
    steady_time time_;
    std::uint32_t event_ = shown_transition::no_event; ///< of the current call
    std::string payload_;
};

} // namespace

std::string name_of(const trace_track& track, const chart_names& names) {
    auto name = track.name.empty() ? std::string(names.path(0)) : track.name;
    if (track.agent != 0 || track.generation != 0) name.append(" ").append(std::to_string(track.agent)); // g++ 12 warns of the operator
    return name;
}

void finish_conversion(output& out, const trace_reader& from) {
    if (!out.flush()) throw trace_error(code::unreadable_trace, from.offset(), "the output cannot be written", "check the free disk space");
}

void play(trace_reader& from, timeline_view& to) {
    std::deque<chart_tree> trees;
    std::deque<machine_line> lines;
    while (const auto* const entry = from.next()) {
        while (lines.size() <= entry->track) {
            const auto number = static_cast<std::uint32_t>(lines.size());
            const auto& track = from.track(number);
            for (auto c = trees.size(); c <= track.chart; ++c) {
                trees.emplace_back(from.chart(static_cast<std::uint32_t>(c)));
                to.chart(static_cast<std::uint32_t>(c), from.chart(static_cast<std::uint32_t>(c)));
            }
            to.track(number, track, from.chart(track.chart));
            lines.emplace_back(number, from.chart(track.chart), trees[track.chart], to);
        }
        lines[entry->track].apply(*entry);
    }
    for (auto& line : lines) line.end();
}

} // namespace hsm::detail
