#include <hsm/draw/highlights.hpp>

#include <hsm/draw/detail/labels.hpp>

#include <algorithm>
#include <cmath>

namespace hsm {

namespace draw {

namespace {

template <class List> void take(List& to, const List& from) {
    if (to.empty()) to = from;
}

} // namespace

highlights& highlights::add(const highlights& other) {
    const auto extra = other; // a copy, because other can be *this
    active.insert(active.end(), extra.active.begin(), extra.active.end());
    taken.insert(taken.end(), extra.taken.begin(), extra.taken.end());
    for (auto [mine, theirs] : {std::pair(&states, &extra.states), std::pair(&transitions, &extra.transitions)}) {
        take(mine->heat, theirs->heat);
        take(mine->marks, theirs->marks);
        take(mine->notes, theirs->notes);
    }
    return *this;
}

highlights active(const chart_view& chart, std::span<const state_ref> states) {
    highlights lit;
    for (const auto s : chart.states())
        if (s.ref() && std::ranges::find(states, s.ref()) != states.end()) lit.active.push_back(s.number());
    return lit;
}

highlights active(const chart_view& chart, state_ref state) { return active(chart, std::span(&state, 1)); }

highlights active(const chart_view& chart, std::string_view path) {
    highlights lit;
    if (const auto s = chart.find(path)) lit.active.push_back(s.number());
    return lit;
}

} // namespace draw

namespace detail {

namespace {

double hottest(const draw::figures& f) {
    double most = 0;
    for (const auto h : f.heat)
        if (std::isfinite(h)) most = std::max(most, h);
    return most;
}

/// Logarithmic, so that a rare state differs from one that was never entered.
int step(double heat, double hottest) {
    if (!(heat >= 0)) return -1;
    if (heat == 0 || hottest == 0) return 0;
    if (heat >= hottest) return most_heat;
    const double share = std::log1p(heat) / std::log1p(hottest);
    return std::clamp(1 + static_cast<int>(share * (most_heat - 1)), 1, most_heat);
}

} // namespace

light_reader::light_reader(const chart_view& chart, const draw::highlights& from)
    : from_(from), active_(chart.states().size()), taken_(chart.transitions().size()), hottest_state_(hottest(from.states)),
      hottest_transition_(hottest(from.transitions)) {
    for (const auto number : from.active)
        for (auto s = chart.state(number); s && !active_[s.number()]; s = s.superstate()) active_[s.number()] = true;
    for (const auto number : from.taken)
        if (const auto t = chart.transition(number)) taken_[t.same_as().number()] = true;
}

looks light_reader::in(const draw::figures& f, double most, std::uint32_t number) {
    looks l;
    if (number < f.marks.size()) l.mark = f.marks[number];
    if (number < f.heat.size()) l.heat = step(f.heat[number], most);
    if (number < f.notes.size()) l.note = f.notes[number];
    return l;
}

looks light_reader::of(const state_view& s) const {
    auto l = in(from_.states, hottest_state_, s.number());
    l.active = active_[s.number()];
    return l;
}

looks light_reader::of(const transition_view& t) const {
    auto l = in(from_.transitions, hottest_transition_, t.same_as().number());
    l.active = taken_[t.same_as().number()];
    return l;
}

} // namespace detail

} // namespace hsm
