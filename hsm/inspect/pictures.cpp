#include <hsm/inspect/detail/pictures.hpp>

#include <hsm/chart/fingerprint.hpp>
#include <hsm/draw/detail/run_program.hpp>
#include <hsm/draw/dot.hpp>
#include <hsm/draw/draw_error.hpp>

namespace hsm::inspect::detail {

picture pictures::of(const chart_view& chart) {
    const auto key = chart.fingerprint().to_string();
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (const auto found = known_.find(key); found != known_.end() && (!found->second.drawn.svg.empty() || now < found->second.retry_at))
        return found->second.drawn;
    if (known_.size() == most_pictures) known_.clear();
    return known_.insert_or_assign(key, entry{draw(chart), now + retry_after_}).first->second.drawn;
}

picture pictures::draw(const chart_view& chart) {
    if (chart.states().size() > most_states) return {{}, "the chart has more than 1,000 states"};
    std::string text;
    try {
        text = hsm::draw::dot(chart, {.show = {.hooks = false}}).text;
    } catch (const hsm::draw_error&) {
        return {{}, "the chart cannot be drawn"};
    }
    auto end = hsm::detail::run_program({"dot", "-Tsvg"}, text, limit_ms);
    if (end.error != 0) return {{}, "Graphviz is not installed (Debian: graphviz)"};
    if (end.timed_out) return {{}, "Graphviz takes more than two seconds"};
    if (end.status != 0) return {{}, "Graphviz failed"};
    return {std::move(end.output)};
}

} // namespace hsm::inspect::detail
