#include <hsm/observe/highlights.hpp>

#include <hsm/observe/coverage.hpp>
#include <hsm/observe/statistics.hpp>
#include <hsm/op/detail/format.hpp>

namespace hsm {

namespace {

std::string times(std::uint64_t n) { return fmt::format("{} {}", n, n == 1 ? "time" : "times"); }

} // namespace

draw::highlights highlights_of(const coverage& seen) {
    draw::highlights lit;
    const auto& chart = seen.chart();
    lit.states.marks.resize(chart.states().size());
    lit.transitions.marks.resize(chart.transitions().size());
    const auto note = [](draw::figures& to, coverage_kind kind, const coverage& from) {
        for (const auto& item : from.items(kind)) to.marks[item.first] = item.count > 0 ? draw::mark::seen : draw::mark::missing;
    };
    note(lit.states, coverage_kind::states, seen);
    note(lit.transitions, coverage_kind::transitions, seen);
    return lit;
}

draw::highlights highlights_of(const statistics& figures, const chart_view& chart) {
    draw::highlights lit;
    for (const auto s : chart.states()) {
        const auto known = figures.of(s);
        lit.states.heat.push_back(known.active.seconds());
        lit.states.notes.push_back(known.entries == 0 ? "" : fmt::format("{}, {:.4g} s", times(known.entries), known.active.seconds()));
    }
    for (const auto t : chart.transitions()) {
        const auto taken = figures.taken(t);
        lit.transitions.heat.push_back(static_cast<double>(taken));
        lit.transitions.notes.push_back(taken == 0 ? "" : times(taken));
    }
    return lit;
}

} // namespace hsm
