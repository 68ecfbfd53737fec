#include <hsm/observe/coverage.hpp>

#include <hsm/observe/coverage_error.hpp>
#include <hsm/observe/detail/coverage_follower.hpp>
#include <hsm/observe/detail/coverage_model.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/error.hpp>

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

} // namespace hsm
