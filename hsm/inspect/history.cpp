#include <hsm/inspect/detail/history.hpp>

#include <hsm/chart/detail/rows.hpp>
#include <hsm/chart/view.hpp>
#include <hsm/observe/detail/trace_format.hpp>
#include <hsm/vm/detail/observed.hpp>

#include <algorithm>
#include <bit>

namespace hsm::inspect::detail {

std::vector<record> configuration_of(const superstate_list& superstates, const keyframe& state) {
    std::vector<std::uint16_t> leaves;
    for (const auto s : state.active)
        if (std::none_of(state.active.begin(), state.active.end(), [&](auto inner) { return superstates[inner] == s; })) leaves.push_back(s);
    std::vector<record> out{{record_kind::configuration, static_cast<std::uint8_t>(configuration_reason::attached),
                             leaves.empty() ? record::no_state : leaves[0], static_cast<std::uint32_t>(leaves.size()),
                             static_cast<std::uint64_t>(state.clock)}};
    for (std::size_t i = 1; i < leaves.size(); i += hsm::detail::further_numbers) {
        std::uint16_t numbers[hsm::detail::further_numbers] = {};
        const auto count = std::min(hsm::detail::further_numbers, leaves.size() - i);
        std::copy_n(leaves.begin() + static_cast<std::ptrdiff_t>(i), count, numbers);
        out.push_back(hsm::detail::further_record(numbers, count));
    }
    return out;
}

namespace {
constexpr std::size_t block = 8192; ///< records that are dropped together

} // namespace

history::history(std::shared_ptr<const chart_tree> shape, const keyframe& start, std::size_t most)
    : shape_(std::move(shape)), most_(most), active_(shape_->superstates), conditions_(start.conditions.begin(), start.conditions.end()),
      timers_(start.timers.begin(), start.timers.end()), clock_(start.clock) {
    for (const auto& r : configuration_of(shape_->superstates, start)) active_.apply(r);
}

void history::add(const record& r) {
    if (records_.size() >= most_ + block) drop(block);
    records_.push_back(r);
}

void history::halve() { drop(records_.size() / 2), records_.shrink_to_fit(); }

void history::drop(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) apply(records_[i]);
    // A configuration continues in further records.
    while (count < records_.size() && records_[count].kind == record_kind::more) apply(records_[count++]);
    records_.erase(records_.begin(), records_.begin() + static_cast<std::ptrdiff_t>(count));
    first_ += count;
}

void history::apply(const record& r) {
    active_.apply(r);
    switch (r.kind) {
    case record_kind::call:
    case record_kind::call_end: clock_ = static_cast<std::int64_t>(r.value); break;
    case record_kind::condition:
        if (r.what == static_cast<std::uint8_t>(condition_step::on) || r.what == static_cast<std::uint8_t>(condition_step::pulse))
            conditions_.insert(r.number);
        else
            conditions_.erase(r.number);
        break;
    case record_kind::armed:
        if (static_cast<std::int64_t>(r.value) == hsm::detail::never)
            timers_.erase(r.number);
        else if (r.number < shape_->timer_states.size())
            timers_[r.number] = static_cast<std::int64_t>(r.value);
        break;
    case record_kind::exited: std::erase_if(timers_, [&](const auto& t) { return shape_->timer_states[t.first] == r.state; }); break;
    case record_kind::configuration:
        if (r.what == static_cast<std::uint8_t>(configuration_reason::reset)) conditions_.clear(), timers_.clear();
        break;
    default: break;
    }
}

keyframe history::start() const { return {clock_, active_.active(), {conditions_.begin(), conditions_.end()}, {timers_.begin(), timers_.end()}}; }

namespace {

namespace format = hsm::detail;

template <class Bytes> void append(std::string& out, const Bytes& bytes) { out.append(reinterpret_cast<const char*>(&bytes), sizeof(bytes)); }

} // namespace

std::string trace_head(const chart_names& chart, const std::string& name) {
    std::string out(format::trace_magic);
    append(out, format::little_endian(format::trace_version));
    append(out, std::uint32_t(0));
    return out + format::definitions_of(chart, name);
}

std::string trace_chunk(std::span<const record> records) {
    std::string out;
    append(out, format::little_endian(format::chunk_head{static_cast<std::uint32_t>(format::chunk_kind::records),
                                                         static_cast<std::uint32_t>(records.size_bytes()), 0, 0}));
    bool is_text = false;
    for (const auto& r : records) {
        if (r.kind != record_kind::more) is_text = r.kind == record_kind::event;
        append(out, format::little_endian(r, is_text));
    }
    return out;
}

std::string trace_of(const history& records, const chart_names& chart, const std::string& name) {
    auto all = configuration_of(superstates_of(chart), records.start());
    for (auto i = records.first(); i < records.end(); ++i) all.push_back(records.at(i));
    auto out = trace_head(chart, name) + trace_chunk(all);
    append(out, format::little_endian(format::chunk_head{static_cast<std::uint32_t>(format::chunk_kind::end), 0, 0, 0}));
    return out;
}

} // namespace hsm::inspect::detail
