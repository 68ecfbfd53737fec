#include <hsm/observe/recorder.hpp>

#include <hsm/chart/chart.hpp>
#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/define/code.hpp>
#include <hsm/define/time_span.hpp>
#include <hsm/observe/detail/turns.hpp>
#include <hsm/observe/followed_states.hpp>
#include <hsm/observe/record_text.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>
#include <cstdint>
#include <list>
#include <map>
#include <span>

namespace hsm::detail {

/// The charts of the machines, and the active states before the first record.
class recorder_past {
public:
    /// Adds an agent with its chart, or changes its chart. Call it before its next record is stored, which follows `stored` others.
    void register_agent(agent_key who, const chart_base& chart, std::size_t stored);
    bool has_no_agents() const { return agents_.empty(); }

    /// Applies records that the recorder overwrites, in their order.
    void forget(std::span<const record> records);

    struct known_chart {
        chart_base chart;
        superstate_list superstates;
        bool has_regions;
    };
    struct followed {
        explicit followed(const known_chart& of) : chart(&of), states(of.superstates) {}
        const known_chart& latest() const { return later.empty() ? *chart : *later.back().to; }
        /// Returns the chart of a stored record.
        const known_chart& at(std::size_t i) const {
            const auto next = std::ranges::upper_bound(later, i, {}, &change::from);
            return next == later.begin() ? *chart : *std::prev(next)->to;
        }

        const known_chart* chart; ///< before the first record
        followed_states states;
        std::int64_t clock = 0;
        struct change {
            std::size_t from; ///< the first stored record with the chart
            const known_chart* to;
        };
        std::vector<change> later; ///< by reloads
    };
    const followed* find(agent_key who) const;
    const followed* latest(std::uint32_t agent) const; ///< the latest agent with this number
    const followed* any() const { return agents_.empty() ? nullptr : &agents_.begin()->second; }
    turns turns_at_start() const { return turns_; }

private:
    const known_chart& store_chart(const chart_base& chart);
    void forget_of_one(std::span<const record> records, followed& one);
    void forget_of_many(std::span<const record> records);
    void forget_changes(std::span<const record> records);
    void drop_earlier(agent_key who);

    std::list<known_chart> charts_;
    std::map<agent_key, followed> agents_;
    bool one_region_ = true; ///< whether no chart has several regions
    bool changes_ = false;   ///< an agent changes its chart
    turns turns_;
};

namespace {

superstate_list superstates_of(const chart_core& core) {
    superstate_list list;
    list.reserve(core.states.size());
    for (const auto& row : core.states) list.push_back(row.superstate);
    return list;
}

bool has_clock(const record& r) { return r.kind == record_kind::call || r.kind == record_kind::call_end || r.kind == record_kind::configuration; }
bool moves(const record& r) { return (record_kind::exited | record_kind::entered | record_kind::configuration).has(r.kind); }

} // namespace

const recorder_past::known_chart& recorder_past::store_chart(const chart_base& chart) {
    for (const auto& known : charts_)
        if (&known.chart.core() == &chart.core()) return known;
    const auto& core = chart.core();
    const bool has_regions = core.regions.size() > 1;
    if (has_regions) one_region_ = false;
    return charts_.emplace_back(known_chart{chart, superstates_of(core), has_regions});
}

void recorder_past::register_agent(agent_key who, const chart_base& chart, std::size_t stored) {
    const auto& known = store_chart(chart);
    turns_.reserve(agents_.size() + 1);
    if (agents_.empty()) turns_.assume(who);
    const auto [at, is_new] = agents_.try_emplace(who, known);
    if (is_new || &at->second.latest() == &known) return;
    at->second.later.push_back({stored, &known});
    changes_ = true;
}

const recorder_past::followed* recorder_past::find(agent_key who) const {
    const auto found = agents_.find(who);
    return found == agents_.end() ? nullptr : &found->second;
}

const recorder_past::followed* recorder_past::latest(std::uint32_t agent) const {
    const auto end = agents_.upper_bound({agent, 0xffff});
    if (end == agents_.begin()) return nullptr;
    const auto last = std::prev(end);
    return last->first.number == agent ? &last->second : nullptr;
}

void recorder_past::forget(std::span<const record> records) {
    if (changes_)
        forget_changes(records);
    else if (agents_.size() == 1 && one_region_)
        forget_of_one(records, agents_.begin()->second);
    else
        forget_of_many(records);
}

/// Forgets the records up to the next change of a chart, and so on.
void recorder_past::forget_changes(std::span<const record> records) {
    while (!records.empty()) {
        auto count = records.size();
        for (auto& [who, one] : agents_) {
            if (!one.later.empty() && one.later.front().from == 0) {
                one.chart = one.later.front().to;
                one.states = followed_states(one.chart->superstates);
                one.later.erase(one.later.begin());
            }
            if (!one.later.empty()) count = std::min(count, one.later.front().from);
        }
        forget_of_many(records.first(count));
        records = records.subspan(count);
        changes_ = false;
        for (auto& [who, one] : agents_)
            for (auto& each : one.later) each.from -= count, changes_ = true;
    }
}

/// With one region, the last exit or entry determines the active states.
void recorder_past::forget_of_one(std::span<const record> records, followed& one) {
    const record *timed = nullptr, *moved = nullptr;
    for (auto at = records.size(); at > 0 && !(timed && moved); --at) {
        const auto& r = records[at - 1];
        if (!timed && has_clock(r)) timed = &r;
        if (!moved && moves(r)) moved = &r;
    }
    if (timed) one.clock = static_cast<std::int64_t>(timed->value);
    if (!moved) return;
    if (moved->kind == record_kind::configuration) return one.states.apply(*moved);
    if (!one.states.known() && std::ranges::none_of(records, [](const record& r) { return r.kind == record_kind::configuration; })) return;
    one.states.settle(moved->state, moved->kind == record_kind::entered);
}

void recorder_past::forget_of_many(std::span<const record> records) {
    auto who = turns_.now();
    auto* now = const_cast<followed*>(find(who));
    for (const auto& r : records) {
        if (const auto whose = turns_.next(r); whose != who) {
            who = whose;
            now = const_cast<followed*>(find(who));
        }
        if (!now) continue;
        now->states.apply(r);
        if (has_clock(r)) now->clock = static_cast<std::int64_t>(r.value);
        if (begins_trace(r)) drop_earlier(who);
    }
}

/// Removes earlier agents with the same number.
void recorder_past::drop_earlier(agent_key who) {
    std::erase_if(agents_, [&](const auto& each) { return each.first.number == who.number && each.first.generation != who.generation; });
}

} // namespace hsm::detail

namespace hsm {

using namespace detail;

namespace {
constexpr std::size_t largest_block = 256;

std::size_t block_for(std::size_t most) { return std::clamp<std::size_t>(most / 8, 1, largest_block); }
} // namespace

recorder::recorder(std::size_t most)
    : ring_((std::max<std::size_t>(most, 1) + block_for(most) - 1) / block_for(most) * block_for(most) + block_for(most)), block_(block_for(most)),
      past_(make_owned<recorder_past>()) {
    room_ = {ring_.data(), ring_.data()};
}

recorder::~recorder() = default;

void recorder::on_attached(const moment& when) { past_->register_agent({when.agent(), when.generation()}, when.chart(), size()); }

void recorder::on_record(const record& r, const moment& when) {
    if (begins_trace(r) || past_->has_no_agents()) on_attached(when); // an observer that forwards records may not forward on_attached
    put(r);
}

void recorder::put(const record& r) {
    if (room_.next == room_.end) make_room();
    *room_.next++ = r;
}

/// Starts the next block and forgets its old records.
void recorder::make_room() {
    if (room_.end == ring_.data() + ring_.size()) {
        full_ = true;
        room_.next = ring_.data();
        room_.end = room_.next;
    }
    if (full_) {
        past_->forget({room_.end, block_});
        lost_ += block_;
    }
    room_.end += block_;
}

std::size_t recorder::first() const { return full_ ? static_cast<std::size_t>(room_.end - ring_.data()) : 0; }

std::size_t recorder::size() const {
    return full_ ? ring_.size() - static_cast<std::size_t>(room_.end - room_.next) : static_cast<std::size_t>(room_.next - ring_.data());
}

const record& recorder::operator[](std::size_t i) const {
    const auto at = first() + i;
    return ring_[at < ring_.size() ? at : at - ring_.size()];
}

void recorder::clear() {
    const std::vector<record> held(begin(), end());
    past_->forget(held);
    room_ = {ring_.data(), ring_.data()};
    expected_.clear();
    full_ = false;
    lost_ = 0;
}

start_configuration recorder::configuration_at_start(std::uint32_t agent) const {
    const auto* const found = past_->latest(agent);
    if (!found) return {};
    auto states = found->states;
    for (std::size_t i = 0; i < size() && (*this)[i].kind == record_kind::more; ++i) states.apply((*this)[i]); // the rest of a configuration
    if (!states.known()) return {};
    return {true, found->clock, states.active()};
}

namespace {
const recorder_past::followed& known(const recorder_past& past, std::uint32_t agent) {
    const auto* found = past.latest(agent);
    if (!found) found = past.any();
    if (!found) throw usage_error({code::no_chart, "", "the recorder has no chart: it was never attached", "attach it first"});
    return *found;
}
} // namespace

followed_states recorder::states_at_start(std::uint32_t agent) const { return known(*past_, agent).states; }

const chart_base& recorder::chart(std::uint32_t agent) const { return known(*past_, agent).latest().chart; }

namespace {
/// The names of charts that a text needs, each created once.
class names_by_agent {
public:
    explicit names_by_agent(const recorder_past& past) : past_(past) {}
    const chart_names& of(agent_key who, std::size_t record) {
        const auto* found = past_.find(who);
        if (!found) found = past_.any();
        const auto* const key = found ? &found->at(record).chart : nullptr;
        const auto [at, is_new] = names_.try_emplace(key);
        if (is_new && key) at->second = names_of(*key);
        return at->second;
    }

private:
    const recorder_past& past_;
    std::map<const chart_base*, chart_names> names_;
};
} // namespace

std::string recorder::text() const {
    names_by_agent names(*past_);
    auto whose = past_->turns_at_start();
    std::string out;
    if (lost_ > 0) out += std::to_string(lost_) + " records are missing\n";
    for (std::size_t i = 0; i < size(); ++i) {
        const auto& r = (*this)[i];
        const auto& n = names.of(whose.next(r), i);
        if (r.kind != record_kind::call) out += "  ";
        append_text(r, n, out);
        out += '\n';
    }
    return out;
}

void recorder::channel::put_frame(record_kind kind, const moment& when) {
    to_.put({kind, 0, 0, number_, static_cast<std::uint64_t>(when.now().nanoseconds())});
}

void recorder::channel::on_attached(const moment& when) { to_.past_->register_agent({number_, 0}, when.chart(), to_.size()); }

void recorder::channel::on_record(const record& r, const moment& when) {
    if (begins_trace(r) || to_.past_->has_no_agents()) on_attached(when);
    auto changed = r;
    const bool begins = r.kind == record_kind::call, ends = r.kind == record_kind::call_end;
    if (begins || ends) changed.number = number_;
    calls_ += begins;
    const bool framed = calls_ > 0 || ends;
    if (!framed) put_frame(record_kind::call, when);
    to_.put(changed);
    if (!framed) put_frame(record_kind::call_end, when);
    if (ends && calls_ > 0) --calls_;
}

} // namespace hsm
