#include <hsm/observe/recorder.hpp>

#include <hsm/define/code.hpp>
#include <hsm/define/time_span.hpp>
#include <hsm/observe/detail/recorder_past.hpp>
#include <hsm/observe/record_text.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>
#include <map>

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

void recorder::on_attached(const moment& when) { past_->register_agent({when.agent(), when.generation()}, when.chart()); }

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

const chart_base& recorder::chart(std::uint32_t agent) const { return *known(*past_, agent).chart; }

namespace {
/// The names of charts that a text needs, each created once.
class names_by_agent {
public:
    explicit names_by_agent(const recorder_past& past) : past_(past) {}
    const chart_names& of(agent_key who) {
        const auto* found = past_.find(who);
        if (!found) found = past_.any();
        const auto* const key = found ? found->chart : nullptr;
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
    for (const auto& r : *this) {
        const auto& n = names.of(whose.next(r));
        if (r.kind != record_kind::call) out += "  ";
        append_text(r, n, out);
        out += '\n';
    }
    return out;
}

void recorder::channel::put_frame(record_kind kind, const moment& when) {
    to_.put({kind, 0, 0, number_, static_cast<std::uint64_t>(when.now().nanoseconds())});
}

void recorder::channel::on_attached(const moment& when) { to_.past_->register_agent({number_, 0}, when.chart()); }

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
