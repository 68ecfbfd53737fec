#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/record_lines.hpp>

#include <hsm/draw/detail/lines.hpp>
#include <hsm/observe/detail/timeline.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/escape.hpp>

#include <algorithm>
#include <deque>
#include <map>

namespace hsm::detail::tool {

namespace {

struct visits {
    std::uint64_t count = 0;
    time_span time, longest;
};

struct chart_totals {
    const chart_names* names = nullptr;
    std::uint64_t machines = 0;
    time_span time; ///< of all machines
    std::vector<visits> states;
    std::map<std::string, std::uint64_t> transitions; ///< by text
};

/// Collects statistics by chart; machines of one chart are added up.
class figures_of_trace final : public timeline_view {
public:
    void chart(std::uint32_t number, const chart_names& names) override {
        while (charts_.size() <= number) charts_.emplace_back();
        charts_[number].names = &names;
        charts_[number].states.resize(names.states.size());
    }
    void track(std::uint32_t number, const trace_track& track, const chart_names&) override {
        while (tracks_.size() <= number) tracks_.emplace_back();
        tracks_[number].chart = track.chart;
        ++charts_[track.chart].machines;
    }
    void region(std::uint32_t, std::uint16_t) override {}
    void begins(std::uint32_t track, std::uint16_t, std::uint16_t state, std::int64_t time) override {
        tracks_[track].began[state] = time;
        ++of(track).states[state].count;
    }
    void ends(std::uint32_t track, std::uint16_t, std::uint16_t state, std::int64_t time) override {
        const auto lasted = time_span::from_nanoseconds(time - tracks_[track].began[state]);
        auto& s = of(track).states[state];
        s.time = s.time + lasted; // saturates
        s.longest = std::max(s.longest, lasted);
        if (state == 0) of(track).time = of(track).time + lasted;
    }
    void transits(std::uint32_t track, std::uint16_t, const shown_transition& t, std::int64_t) override {
        const auto text = t.text.empty() ? fmt::format("{} -> {}", t.from, t.to) : std::string(t.text);
        ++of(track).transitions[text == t.reason ? text : fmt::format("{} ({})", text, t.reason)];
    }

    const std::deque<chart_totals>& charts() const { return charts_; }

private:
    struct track_figures {
        std::uint32_t chart = 0;
        std::map<std::uint16_t, std::int64_t> began;
    };
    chart_totals& of(std::uint32_t track) { return charts_[tracks_[track].chart]; }

    std::deque<chart_totals> charts_;
    std::deque<track_figures> tracks_;
};

std::vector<std::pair<std::string, std::uint64_t>> by_frequency(const std::map<std::string, std::uint64_t>& counts) {
    std::vector<std::pair<std::string, std::uint64_t>> all(counts.begin(), counts.end());
    std::ranges::stable_sort(all, std::ranges::greater(), &std::pair<std::string, std::uint64_t>::second);
    return all;
}

std::size_t depth_of(const chart_names& names, std::size_t state) {
    std::size_t depth = 0;
    for (std::size_t s = names.states[state].superstate; s < names.states.size(); s = names.states[s].superstate) ++depth;
    return depth;
}

std::string as_text(const chart_totals& c) {
    const auto& names = *c.names;
    auto text = fmt::format("{}: {} machine{}, {:.6f} s\n\n", legible_line(names.path(0)), c.machines, c.machines == 1 ? "" : "s", c.time.seconds());
    std::size_t width = 5;
    for (std::size_t s = 0; s < names.states.size(); ++s)
        width = std::max(width, 2 * depth_of(names, s) + legible_line(names.name(static_cast<std::uint16_t>(s))).size());
    text += fmt::format("{:{}}  {:>9}  {:>14}  {:>6}  {:>14}\n", "state", width, "visits", "time", "", "longest");
    for (std::size_t s = 0; s < names.states.size(); ++s) {
        const auto& v = c.states[s];
        const auto name = fmt::format("{:{}}{}", "", 2 * depth_of(names, s), legible_line(names.name(static_cast<std::uint16_t>(s))));
        if (v.count == 0)
            text += fmt::format("{:{}}  {:>9}\n", name, width, "-");
        else
            text += fmt::format("{:{}}  {:>9}  {:>12.6f} s  {:>5.1f}%  {:>12.6f} s\n", name, width, v.count, v.time.seconds(),
                                c.time > time_span() ? 100.0 * v.time.seconds() / c.time.seconds() : 0.0, v.longest.seconds());
    }
    text += fmt::format("\n{:>9}  transition\n", "taken");
    for (const auto& [what, count] : by_frequency(c.transitions)) text += fmt::format("{:>9}  {}\n", count, legible_line(what));
    return text;
}

std::string as_json(const chart_totals& c) {
    const auto& names = *c.names;
    auto text =
        fmt::format("{{\"chart\": {}, \"machines\": {}, \"time\": {}, \"states\": [", json_string(names.path(0)), c.machines, c.time.nanoseconds());
    for (std::size_t s = 0; s < names.states.size(); ++s)
        text += fmt::format("{}\n  {{\"state\": {}, \"visits\": {}, \"time\": {}, \"longest\": {}}}", s ? "," : "", json_string(names.states[s].path),
                            c.states[s].count, c.states[s].time.nanoseconds(), c.states[s].longest.nanoseconds());
    text += "\n], \"transitions\": [";
    const char* between = "";
    for (const auto& [what, count] : by_frequency(c.transitions)) {
        text += fmt::format("{}\n  {{\"transition\": {}, \"taken\": {}}}", between, json_string(what), count);
        between = ",";
    }
    return text + "\n]}";
}

class trace_stats final : public command {
public:
    std::string_view name() const override { return "trace stats"; }
    std::string_view summary() const override { return "count visits, times and transitions of a trace"; }
    std::string_view description() const override {
        return "Machines of one chart are counted together. A visit is counted when a state is entered, and for states that are active when the "
               "trace begins. Percentages refer to the total time of all machines. The trace must contain the records entered, exited and "
               "transition.";
    }
    std::vector<example> examples() const override {
        return {{"trace stats run.trace", "a table of states as a tree, then the transitions, the most frequent first"},
                {"trace stats --format json run.trace", "the same as JSON"}};
    }
    void declare(option_list& takes) override {
        takes.format(json_);
        takes.argument("LOG", file_, "A trace file; \"-\" is stdin.").required().file();
    }
    exit_code run(environment& here) override {
        trace_input input = with_file(file_, [&] { return trace_input(file_, "counting", here); });
        figures_of_trace figures;
        with_file(file_, [&] { play(input.reader(), figures); });
        std::string text = json_ ? "[" : "";
        const char* between = "";
        for (const auto& c : figures.charts()) {
            if (!c.names || c.machines == 0) continue;
            text += between + (json_ ? as_json(c) : as_text(c));
            between = json_ ? ",\n" : "\n";
        }
        here.terminal.print(json_ ? text + "]\n" : text);
        input.report_cut(here);
        return exit_code::fine;
    }

private:
    bool json_ = false;
    std::string file_;
};

} // namespace

owned<command> trace_stats_command() { return make_owned<trace_stats>(); }

} // namespace hsm::detail::tool
