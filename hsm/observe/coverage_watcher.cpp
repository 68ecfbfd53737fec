#include <hsm/observe/detail/coverage_watcher.hpp>

#include <hsm/observe/detail/other_chart.hpp>

namespace hsm::detail {

void coverage_watcher::on_record(const record& r, const moment& when) {
    auto& who = agents_.next(r, [this] { return agent{coverage_follower(model_, to_)}; });
    if (begins_trace(r)) check_chart(who, when.chart());
    if (!who.foreign) who.follower.apply(r);
}

/// Numbers of another chart have another meaning.
void coverage_watcher::check_chart(agent& who, const chart_base& chart) {
    const auto known = model_.chart();
    who.foreign = chart.view() != known && chart.fingerprint() != known.fingerprint();
    if (!who.foreign && chart.view() != known) who.follower.follow(chart.view());
    if (!who.foreign) has_own_ = true;
    if (!who.foreign || has_own_) return;
    refusal_ = other_chart(known, chart.view());
    if (throws_) throw_refusal();
}

void coverage_watcher::throw_refusal() const {
    if (refusal_ && !has_own_) throw *refusal_;
}

} // namespace hsm::detail
