#include <hsm/tool/detail/record_lines.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/observe/detail/timeline.hpp>
#include <hsm/observe/followed_states.hpp>
#include <hsm/observe/record_text.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <deque>
#include <optional>

namespace hsm::detail::tool {

namespace {

style style_of_record(record_kind kind) {
    switch (kind) {
    case record_kind::call:
    case record_kind::call_end: return style::faint;
    case record_kind::event: return style::cyan;
    case record_kind::transition: return style::bold;
    case record_kind::exited: return style::yellow;
    case record_kind::entered:
    case record_kind::configuration: return style::green;
    case record_kind::error:
    case record_kind::dropped:
    case record_kind::lost: return style::red;
    default: return style::plain;
    }
}

/// A chart, and which of its states are selected.
struct chart_of_lines {
    chart_of_lines(const chart_names& its_names, const std::vector<std::string>& wanted);
    const chart_names* names;
    superstate_list superstates;
    std::vector<bool> is_wanted; ///< by state
};

chart_of_lines::chart_of_lines(const chart_names& its_names, const std::vector<std::string>& wanted)
    : names(&its_names), superstates(superstates_of(its_names)), is_wanted(its_names.states.size()) {
    const auto is_meant = [&](std::string_view path) {
        return std::ranges::any_of(wanted, [&](const std::string& w) {
            return path == w || (path.size() > w.size() && path.ends_with(w) && path[path.size() - w.size() - 1] == '/');
        });
    };
    for (std::size_t s = 0; s < is_wanted.size(); ++s)
        is_wanted[s] = is_meant(names->states[s].path) || (superstates[s] < s && is_wanted[superstates[s]]);
}

struct machine_of_lines {
    machine_of_lines(const chart_of_lines& its_chart, std::string its_name, bool wanted)
        : chart(&its_chart), active(its_chart.superstates), name(std::move(its_name)), is_wanted(wanted) {}
    const chart_of_lines* chart;
    followed_states active;
    steady_time time;
    std::string name;
    bool is_wanted;
    bool is_in_call = false;
    record pending; ///< a configuration whose remaining records follow
};

class lines_of_trace final : public record_lines {
public:
    lines_of_trace(const std::string& path, const line_filter& which, environment& here);
    lines_of_trace(byte_source& from, const std::string& name, const line_filter& which);

    bool next(record_line& line) override;
    std::string remark() const override;
    bool has_several_machines() const override { return machines_.size() > 1; }

private:
    lines_of_trace(const std::string& name, const line_filter& which);
    machine_of_lines& machine_of(std::uint32_t track);
    /// Returns false for a record that has no line of its own.
    bool is_line(machine_of_lines& m, const record& r) const;
    bool is_wanted(const machine_of_lines& m, const record& r) const;
    bool is_wanted_state(const machine_of_lines& m, const record& r) const;
    static std::string text_of(const machine_of_lines& m, const trace_entry& entry);

    const std::string path_;
    line_filter which_;
    line_filter::range times_;
    std::optional<trace_input> input_;
    std::optional<trace_reader> of_source_;
    trace_reader* reader_ = nullptr;
    bool complete_ = false;
    std::deque<chart_of_lines> charts_;
    std::deque<machine_of_lines> machines_;
};

void require_kind(const std::string& kind) {
    std::vector<std::string_view> known;
    for (std::size_t k = 1; k < record_kind_count; ++k) known.push_back(to_string(static_cast<record_kind>(k))); // all except `more`
    if (std::ranges::find(known, kind) == known.end())
        throw command_error(fmt::format("there is no kind of records \"{}\"", kind), suggestion(kind, known));
}

lines_of_trace::lines_of_trace(const std::string& name, const line_filter& which) : path_(name), which_(which), times_(which.times()) {
    for (const auto& kind : which_.kinds) require_kind(kind);
}

lines_of_trace::lines_of_trace(const std::string& path, const line_filter& which, environment& here) : lines_of_trace(path, which) {
    reader_ = &input_.emplace(path, "reading", here).reader();
}

lines_of_trace::lines_of_trace(byte_source& from, const std::string& name, const line_filter& which) : lines_of_trace(name, which) {
    reader_ = &of_source_.emplace(from);
}

machine_of_lines& lines_of_trace::machine_of(std::uint32_t track) {
    while (machines_.size() <= track) {
        const auto number = static_cast<std::uint32_t>(machines_.size());
        const auto& t = reader_->track(number);
        while (charts_.size() <= t.chart) charts_.emplace_back(reader_->chart(static_cast<std::uint32_t>(charts_.size())), which_.states);
        const auto name = t.name.empty() ? fmt::format("{}", number) : t.name;
        machines_.emplace_back(charts_[t.chart], name, which_.selects_machine(name, number));
    }
    return machines_[track];
}

bool lines_of_trace::is_line(machine_of_lines& m, const record& r) const {
    m.time.apply(r);
    m.active.apply(r);
    if (r.kind == record_kind::configuration) m.pending = r;
    if (r.kind != record_kind::configuration && r.kind != record_kind::more) return true;
    return m.pending.kind == record_kind::configuration && m.active.known();
}

bool lines_of_trace::is_wanted_state(const machine_of_lines& m, const record& r) const {
    const auto wanted = [&](std::uint64_t s) { return s < m.chart->is_wanted.size() && m.chart->is_wanted[static_cast<std::size_t>(s)]; };
    const auto of_transition = [&](std::uint64_t t) {
        if (t >= m.chart->names->transitions.size()) return false;
        const auto& known = m.chart->names->transitions[static_cast<std::size_t>(t)];
        return wanted(known.source) || wanted(known.target);
    };
    switch (r.kind) {
    case record_kind::configuration: return std::ranges::any_of(m.active.active(), wanted);
    case record_kind::transition: return wanted(r.state) || wanted(r.value) || of_transition(r.number);
    case record_kind::guard:
    case record_kind::action: return wanted(r.state) || of_transition(r.value);
    case record_kind::held:
    case record_kind::leave_requested:
    case record_kind::scored:
    case record_kind::refused: return wanted(r.state) || of_transition(r.number);
    case record_kind::call: // `state` of these records has another meaning
    case record_kind::call_end:
    case record_kind::event:
    case record_kind::deferred:
    case record_kind::recalled:
    case record_kind::dropped:
    case record_kind::condition:
    case record_kind::lost: return false;
    default: return wanted(r.state);
    }
}

bool lines_of_trace::is_wanted(const machine_of_lines& m, const record& r) const {
    if (!m.is_wanted || !times_.contains(m.time.now())) return false;
    const auto kind = r.kind == record_kind::more ? record_kind::configuration : r.kind;
    if (!which_.selects_kind(to_string(kind))) return false;
    return which_.states.empty() || is_wanted_state(m, r.kind == record_kind::more ? m.pending : r);
}

std::string lines_of_trace::text_of(const machine_of_lines& m, const trace_entry& entry) {
    const auto& names = *m.chart->names;
    const auto& r = entry.what.kind == record_kind::more ? m.pending : entry.what;
    if (r.kind == record_kind::configuration && r.number > 1) { // list all leaves instead of "and 2 more"
        const auto active = m.active.active();
        std::string leaves;
        for (std::size_t i = 0; i < active.size(); ++i)
            if (i + 1 == active.size() || m.chart->superstates[active[i + 1]] != active[i])
                leaves += fmt::format("{}{}", leaves.empty() ? "" : ", ", names.path(active[i]));
        return fmt::format("active ({}): {}", to_string(static_cast<configuration_reason>(r.what)), leaves);
    }
    if (r.kind == record_kind::call && r.what == static_cast<std::uint8_t>(call_kind::none)) return "the trace of this machine begins";
    auto text = to_string(r, names);
    if (!entry.text.empty()) text += fmt::format(": {}", entry.text);
    return text;
}

bool lines_of_trace::next(record_line& line) {
    return with_file(path_, [&] {
        while (const auto* const entry = reader_->next()) {
            auto& m = machine_of(entry->track);
            const auto kind = entry->what.kind;
            if (!is_line(m, entry->what)) continue;
            const bool wanted = is_wanted(m, entry->what);
            if (wanted) {
                const auto shown = kind == record_kind::more ? record_kind::configuration : kind;
                const std::size_t depth = m.is_in_call && kind != record_kind::call ? 1 : 0;
                line = {m.time.now(), entry->track, m.name, std::string(to_string(shown)), text_of(m, *entry), depth, style_of_record(shown)};
            }
            if (kind == record_kind::call || kind == record_kind::call_end) m.is_in_call = kind == record_kind::call;
            if (kind == record_kind::more) m.pending = {};
            if (wanted) return true;
        }
        complete_ = reader_->complete();
        return false;
    });
}

std::string lines_of_trace::remark() const { return std::string(complete_ ? std::string_view() : cut_trace); }

} // namespace

std::unique_ptr<record_lines> trace_lines(const std::string& path, const line_filter& which, environment& here) {
    return with_file(path, [&] { return std::unique_ptr<record_lines>(std::make_unique<lines_of_trace>(path, which, here)); });
}

std::unique_ptr<record_lines> trace_lines(byte_source& from, const std::string& name, const line_filter& which) {
    return with_file(name, [&] { return std::unique_ptr<record_lines>(std::make_unique<lines_of_trace>(from, name, which)); });
}

} // namespace hsm::detail::tool
