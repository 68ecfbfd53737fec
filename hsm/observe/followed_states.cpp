#include <hsm/observe/followed_states.hpp>

#include <hsm/observe/chart_names.hpp>

#include <algorithm>
#include <cstring>

namespace hsm {

superstate_list superstates_of(const chart_names& names) {
    superstate_list list;
    list.reserve(names.states.size());
    for (const auto& s : names.states) list.push_back(s.superstate);
    return list;
}

further_states further_states_of(const record& r) {
    further_states further{};
    std::memcpy(further.number, reinterpret_cast<const std::byte*>(&r) + sizeof(r) - sizeof(further.number), sizeof(further.number));
    further.count = std::min<std::size_t>(r.what, std::size(further.number));
    return further;
}

void followed_states::apply(const record& r) {
    switch (r.kind) {
    case record_kind::exited:
        if (r.state < active_.size()) active_[r.state] = false;
        break;
    case record_kind::entered:
        if (r.state < active_.size()) active_[r.state] = true;
        break;
    case record_kind::configuration: begin(r); break;
    case record_kind::more: {
        const auto further = further_states_of(r);
        for (std::size_t i = 0; i < further.count && expected_ > 0; ++i) activate(further.number[i]);
        break;
    }
    case record_kind::lost: known_ = false; break;
    default: break;
    }
}

void followed_states::settle(std::uint16_t state, bool entered) {
    const auto leaf = entered || state >= superstates_->size() ? state : (*superstates_)[state];
    begin({record_kind::configuration, 0, leaf, leaf == record::no_state ? 0u : 1u, 0});
}

void followed_states::begin(const record& r) {
    std::fill(active_.begin(), active_.end(), false);
    known_ = true;
    expected_ = r.number;
    if (r.number > 0) activate(r.state);
}

void followed_states::activate(std::uint16_t leaf) {
    --expected_;
    for (; leaf < active_.size() && !active_[leaf]; leaf = (*superstates_)[leaf]) active_[leaf] = true;
}

std::vector<std::uint16_t> followed_states::active() const {
    std::vector<std::uint16_t> list;
    for (std::size_t s = 0; s < active_.size(); ++s)
        if (active_[s]) list.push_back(static_cast<std::uint16_t>(s));
    return list;
}

} // namespace hsm
