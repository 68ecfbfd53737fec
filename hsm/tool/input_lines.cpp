#include <hsm/tool/detail/record_lines.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/observe/chart_names.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/replay/detail/log_format.hpp>
#include <hsm/tool/detail/output_file.hpp>

#include <algorithm>
#include <span>

namespace hsm::detail::tool {

namespace {

/// Of input_kind and log_code.
constexpr std::string_view names_of_codes[] = {"start", "stop",   "restart",   "destroy",   "tick",     "decide",     "update",  "process",
                                               "post",  "mailed", "drain",     "change_to", "force_to", "finish",     "release", "set",
                                               "clear", "pulse",  "clear_all", "pause",     "resume",   "time_scale", "reset",   "set_state",
                                               "tick",  "note",   "jump",      "other",     "frame",    "set_timer",  "reload"};
static_assert(std::size(names_of_codes) == static_cast<int>(input_kind::reload) + 1);

std::string_view name_of(std::uint8_t code) { return names_of_codes[code]; }

double seconds(std::uint64_t nanoseconds) { return static_cast<double>(static_cast<std::int64_t>(nanoseconds)) / 1e9; }

/// Shows the number of bytes, and the first 16.
std::string shown_bytes(std::span<const std::byte> bytes) {
    std::string text;
    for (const auto b : bytes.first(std::min<std::size_t>(bytes.size(), 16))) text += fmt::format(" {:02x}", std::to_integer<int>(b));
    return fmt::format("{} byte{}{}{}{}", bytes.size(), bytes.size() == 1 ? "" : "s", bytes.empty() ? "" : ":", text,
                       bytes.size() > 16 ? " ..." : "");
}

std::string timer_text(const std::vector<std::string>& names, const log_call& call) {
    call_operands rest(call.bytes);
    const auto change = rest.number(), left = rest.number();
    auto text = call.number < names.size() ? names[static_cast<std::size_t>(call.number)] : fmt::format("timer {}", call.number);
    switch (static_cast<timer_change>(change)) {
    case timer_change::restart: return "restart of " + text;
    case timer_change::cancel: return "cancel of " + text;
    default: return fmt::format("set of {} to {:g} s", text, seconds(left));
    }
}

/// The lines of a log. Names require that the program has the chart; otherwise numbers are shown.
class lines_of_log final : public record_lines {
public:
    lines_of_log(const std::string& path, const line_filter& which, environment& here);

    bool next(record_line& line) override;
    std::string remark() const override;
    bool has_several_machines() const override { return log_.machines.size() > 1; }

private:
    struct machine {
        std::string name;
        chart_view chart; ///< empty: the program does not have the chart
        std::vector<std::string> timers;
        time_span time;
        bool is_wanted = true;
    };
    void know(const log_machine& m, environment& here);
    std::string state(const machine& m, std::uint64_t number) const;
    std::string text_of(const machine& m, const log_call& call) const;

    const std::string path_;
    const std::string bytes_;
    line_filter which_;
    line_filter::range times_;
    log_view log_;
    std::vector<machine> machines_;
    std::vector<chart_base> charts_;
    std::optional<call_reader> calls_;
};

lines_of_log::lines_of_log(const std::string& path, const line_filter& which, environment& here)
    : path_(path), bytes_(read_input(path, here)), which_(which), times_(which.times()), log_(read_log(std::as_bytes(std::span(bytes_)))) {
    if (!which_.states.empty())
        throw command_error("a log of inputs contains no states", "record a trace, or replay the log with the program that recorded it");
    for (const auto& m : log_.machines) know(m, here);
    calls_.emplace(log_.calls, 0, 0, (log_.head.flags & log_has_checks) != 0);
}

void lines_of_log::know(const log_machine& m, environment& here) {
    machine made;
    made.name = std::to_string(machines_.size());
    for (const auto* const known : here.machines)
        if (m.kind != log_machine::manager && known->chart() && known->chart().fingerprint() == m.chart) {
            made.name = known->name();
            made.chart = known->chart().view();
            made.timers = names_of(made.chart).timers;
        }
    made.is_wanted = which_.selects_machine(made.name, machines_.size());
    machines_.push_back(std::move(made));
}

std::string lines_of_log::state(const machine& m, std::uint64_t number) const {
    if (number == input::no_state) return {};
    const auto known = m.chart ? m.chart.state(static_cast<std::size_t>(number)) : state_view();
    return known ? fmt::format(" {}", known.path()) : fmt::format(" state {}", number);
}

std::string lines_of_log::text_of(const machine& m, const log_call& call) const {
    const auto name = name_of(call.code);
    if (call.is_tick()) return fmt::format("{} of {:g} s", name, seconds(call.number));
    if (call.has_event()) return fmt::format("{} event {}, {}", name, call.number, shown_bytes(call.bytes));
    if (call.code == log_note || call.code == log_other || call.code == log_frame) return fmt::format("{} of {}", name, shown_bytes(call.bytes));
    if (call.code == log_jump) return std::string(name) + ": the machine was restored";
    switch (static_cast<input_kind>(call.code)) {
    case input_kind::time_scale: return fmt::format("{} {:g}", name, call.factor);
    case input_kind::set_timer: return fmt::format("{}: {}", name, timer_text(m.timers, call));
    case input_kind::set:
    case input_kind::clear:
    case input_kind::pulse: {
        const auto known = m.chart ? m.chart.condition(static_cast<std::size_t>(call.number)) : condition_view();
        return known ? fmt::format("{} {}", name, known.text()) : fmt::format("{} condition {}", name, call.number);
    }
    case input_kind::start:
    case input_kind::change_to:
    case input_kind::force_to:
    case input_kind::finish:
    case input_kind::release:
    case input_kind::set_state: return std::string(name) + state(m, call.number);
    default: return std::string(name);
    }
}

bool lines_of_log::next(record_line& line) {
    log_call call;
    while (calls_->next(call)) {
        if (call.machine >= machines_.size()) break;
        auto& m = machines_[call.machine];
        if (call.is_tick()) m.time = m.time + time_span::from_nanoseconds(static_cast<std::int64_t>(call.number));
        const auto name = name_of(call.code);
        const auto now = m.time.nanoseconds();
        if (!m.is_wanted || !times_.contains(now) || !which_.selects_kind(name)) continue;
        line = {now, call.machine, m.name, std::string(name), text_of(m, call), 0, call.has_event() ? style::cyan : style::plain};
        return true;
    }
    if (calls_->is_broken() || call.machine >= machines_.size())
        throw command_error({{.text = "the log ends within a call", .where = {path_, 0, 0}, .code = code::broken_log}}, exit_code::found);
    return false;
}

std::string lines_of_log::remark() const {
    const auto& h = log_.head;
    auto text = fmt::format("{} machine{}, {} calls, {} frames, {} keyframe{}", h.machines, h.machines == 1 ? "" : "s", h.calls, h.frames,
                            h.keyframes, h.keyframes == 1 ? "" : "s");
    if (std::ranges::any_of(machines_, [](const machine& m) { return !m.chart; }))
        text += "; without the chart, states, conditions and events are numbers";
    return text;
}

} // namespace

std::unique_ptr<record_lines> input_lines(const std::string& path, const line_filter& which, environment& here) {
    return with_file(path, [&] { return std::unique_ptr<record_lines>(std::make_unique<lines_of_log>(path, which, here)); });
}

} // namespace hsm::detail::tool
