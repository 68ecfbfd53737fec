// Lists the items and the missing ones, and checks requirements.

#include <hsm/observe/coverage.hpp>
#include <hsm/observe/coverage_error.hpp>
#include <hsm/observe/detail/coverage_model.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace hsm {

using namespace detail;

guard_origin detail::origin_of_guard(const coverage_model& model, std::uint32_t number) {
    const auto chart = model.chart();
    if (number < model.guard_count()) {
        const auto g = chart.guard(number);
        return {g.text(), g.state(), g.transition(), g.where()};
    }
    const auto group = number - static_cast<std::uint32_t>(model.guard_count());
    const auto t = chart.transition(model.owner_of_group(group));
    return {chart.condition_group(group).text(), t ? t.source() : state_view(), t, t ? t.where() : file_position()};
}

namespace {

std::string guard_text(const coverage_model& model, std::uint64_t key) {
    const auto origin = origin_of_guard(model, first_of(key));
    const auto whose = origin.transition ? origin.transition.text() : std::string(origin.state.path());
    return fmt::format("{} of {}: {}", origin.text, whose, second_of(key) ? "yes" : "no");
}

coverage_item item_of(const coverage_model& model, coverage_kind kind, std::uint64_t key, std::uint64_t count) {
    const auto chart = model.chart();
    const auto first = first_of(key), second = second_of(key);
    switch (kind) {
    case coverage_kind::states: return {kind, first, second, count, std::string(chart.state(first).path()), chart.state(first).where()};
    case coverage_kind::transitions: return {kind, first, second, count, chart.transition(first).text(), chart.transition(first).where()};
    case coverage_kind::guards: return {kind, first, second, count, guard_text(model, key), origin_of_guard(model, first).where};
    case coverage_kind::pairs:
        return {kind,
                first,
                second,
                count,
                fmt::format("{}, then {}", chart.transition(first).text(), chart.transition(second).text()),
                chart.transition(second).where()};
    case coverage_kind::events: break;
    }
    return {kind,
            first,
            second,
            count,
            fmt::format("{} in {}", chart.transition(second).event().text(), chart.state(first).path()),
            chart.state(first).where()};
}

} // namespace

std::vector<coverage_item> coverage::items(coverage_kind kind) const {
    std::vector<coverage_item> all;
    for (const auto key : model_->items(kind)) all.push_back(item_of(*model_, kind, key, count_of(kind, key)));
    return all;
}

std::vector<coverage_item> coverage::missing(coverage_kind kind) const {
    std::vector<coverage_item> all;
    for (const auto key : model_->items(kind))
        if (count_of(kind, key) == 0) all.push_back(item_of(*model_, kind, key, 0));
    return all;
}

std::vector<coverage_item> coverage::missing() const {
    auto all = missing(coverage_kind::states);
    for (const auto kind : {coverage_kind::transitions, coverage_kind::guards}) std::ranges::move(missing(kind), std::back_inserter(all));
    return all;
}

std::string_view to_string(coverage_kind kind) {
    static constexpr std::string_view names[] = {"states", "transitions", "guards", "pairs", "events"};
    return names[static_cast<std::size_t>(kind)];
}

std::string detail::what_is_missing(coverage_kind kind) {
    static constexpr std::string_view words[] = {"never entered", "never taken", "never answered", "never one after the other", "never arrived"};
    return std::string(words[static_cast<std::size_t>(kind)]);
}

std::string detail::line_of_missing(const coverage_item& item) {
    const auto place = item.where.to_string();
    return fmt::format("{}{}{}: {}", place, place.empty() ? "" : ": ", what_is_missing(item.kind), item.text);
}

/// Rounds down, so that only complete coverage is 100 %.
std::string detail::percent(double ratio) { return fmt::format("{:.1f} %", std::floor(ratio * 1000 + 1e-9) / 10); }

namespace {

struct shortage {
    std::string figures;
    std::vector<coverage_item> missing;

    void add(std::string_view what, const coverage_share& is, double goal, std::vector<coverage_item> items) {
        figures +=
            fmt::format("{}{}: {} ({} of {}), required: {}", figures.empty() ? "" : "; ", what, percent(is.ratio()), is.seen, is.all, percent(goal));
        for (auto& item : items)
            if (std::ranges::none_of(missing, [&](const auto& known) { return known.kind == item.kind && known.text == item.text; }))
                missing.push_back(std::move(item));
    }
};

[[noreturn]] void refuse_coverage(const coverage& seen, const shortage& is) {
    std::string problem = fmt::format("coverage of \"{}\": {}", seen.chart().root().path(), is.figures);
    for (const auto& item : is.missing) problem += "\n  " + line_of_missing(item);
    throw coverage_error(code::low_coverage, 0, problem + "\n", "add tests for the missing items, or require less");
}

} // namespace

void require(const coverage& seen, const coverage_goal& goal) {
    shortage is;
    const std::pair<coverage_kind, double> goals[] = {{coverage_kind::states, goal.states},
                                                      {coverage_kind::transitions, goal.transitions},
                                                      {coverage_kind::guards, goal.guards},
                                                      {coverage_kind::pairs, goal.pairs},
                                                      {coverage_kind::events, goal.events}};
    if (!(seen.ratio() >= goal.all)) is.add("states, transitions and guards", seen.share(), goal.all, seen.missing());
    for (const auto& [kind, least] : goals)
        if (!(least <= 0) && !(seen.ratio(kind) >= least)) is.add(to_string(kind), seen.share(kind), least, seen.missing(kind));
    if (!is.figures.empty()) refuse_coverage(seen, is);
}

void require(const coverage& seen, double all) { require(seen, coverage_goal{.all = all}); }

} // namespace hsm
