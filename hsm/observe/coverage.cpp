#include <hsm/observe/coverage.hpp>

#include <hsm/observe/coverage_error.hpp>
#include <hsm/observe/detail/coverage_follower.hpp>
#include <hsm/observe/detail/coverage_model.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace hsm {

using namespace detail;

namespace {
chart_view view_of_known(const chart_base& chart) {
    if (chart) return chart.view();
    throw usage_error({code::no_chart, "(no chart)", "the chart is empty: it was moved from, or could not be compiled",
                       "do not move the chart, and check the result of try_compile"});
}
} // namespace

coverage::coverage(const chart_base& chart) : coverage(std::optional(chart), view_of_known(chart)) {}
coverage::coverage(const chart_view& chart) : coverage(std::nullopt, chart) {}
coverage::coverage(std::optional<chart_base> owned_chart, const chart_view& chart)
    : owned_chart_(std::move(owned_chart)), chart_(chart), model_(make_owned<coverage_model>(chart)), counts_(make_owned<coverage_counts>()),
      watchers_(make_owned<coverage_watchers>(*model_, *counts_)) {}

coverage::~coverage() = default;

observer& coverage::begin_watch() { return watchers_->add(); }
void coverage::end_watch() const { watchers_->latest().throw_refusal(); }
void coverage::on_record(const record& r, const moment& when) { watchers_->own().on_record(r, when); }

std::uint64_t coverage::count_of(coverage_kind kind, std::uint64_t item) const { return counts_->count(kind, item); }
std::uint64_t coverage::entered(const state_view& s) const { return s ? count_of(coverage_kind::states, coverage_key(s.number())) : 0; }
std::uint64_t coverage::taken(const transition_view& t) const {
    return t ? count_of(coverage_kind::transitions, coverage_key(t.same_as().number())) : 0;
}
std::uint64_t coverage::answered(const guard_view& g, bool yes) const {
    return g ? count_of(coverage_kind::guards, coverage_key(g.number(), yes)) : 0;
}
std::uint64_t coverage::answered(const group_view& g, bool yes) const {
    return g ? count_of(coverage_kind::guards, coverage_key(model_->group(g.number()), yes)) : 0;
}
std::uint64_t coverage::followed(const transition_view& first, const transition_view& next) const {
    return first && next ? count_of(coverage_kind::pairs, coverage_key(first.same_as().number(), next.same_as().number())) : 0;
}
std::uint64_t coverage::came(const event_view& event, const state_view& leaf) const {
    return event && leaf ? count_of(coverage_kind::events, coverage_key(leaf.number(), model_->event_row(event))) : 0;
}

std::uint64_t coverage::unexpected() const {
    std::uint64_t sum = 0;
    for (const auto& [key, times] : counts_->at(coverage_kind::events))
        if (!model_->waits(first_of(key), second_of(key))) sum += times;
    return sum;
}

coverage_share coverage::share(coverage_kind kind) const {
    const auto& items = model_->items(kind);
    coverage_share share{0, items.size()};
    for (const auto key : items) share.seen += count_of(kind, key) > 0;
    return share;
}

coverage_share coverage::share() const {
    coverage_share sum;
    for (const auto kind : {coverage_kind::states, coverage_kind::transitions, coverage_kind::guards}) {
        const auto part = share(kind);
        sum.seen += part.seen;
        sum.all += part.all;
    }
    return sum;
}

void coverage::merge(const coverage& other) {
    if (chart_ != other.chart_ && chart_.fingerprint() != other.chart_.fingerprint()) throw other_chart(chart_, other.chart_);
    add(*other.counts_);
}

void coverage::add(const coverage_counts& more) {
    auto sum = *counts_;
    sum.add(more);
    std::swap(sum, *counts_);
}

void coverage::clear() { *counts_ = {}; }

coverage_error detail::other_chart(const chart_view& known, const fingerprint& other, std::string_view root, std::size_t line) {
    return coverage_error(code::other_coverage, line,
                          fmt::format("this is coverage of \"{}\" with the fingerprint {}, not of {}{}", known.root().path(),
                                      known.fingerprint().to_string(), root.empty() ? std::string() : fmt::format("\"{}\" with ", root),
                                      other.to_string()),
                          "create a separate coverage for each chart; after changing a chart, delete its coverage");
}

namespace {
std::string in_line(std::size_t line) { return line ? fmt::format(" in line {}", line) : std::string(); }
} // namespace

coverage_error::coverage_error(hsm::code what, std::size_t line, std::string problem, std::string hint)
    : std::runtime_error(fmt::format("{} error{}: {}; hint: {}", to_string(what), in_line(line), problem, hint)), code_(what), line_(line),
      problem_(std::move(problem)), hint_(std::move(hint)) {}

// The items, the missing ones, and requirements.

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
