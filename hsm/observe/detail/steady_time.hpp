/// The time of a machine, which does not go back: where its clock does, because it was reset, it goes on from where it was.
#pragma once

#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/record.hpp>

#include <cstdint>

namespace hsm::detail {

class steady_time {
public:
    std::int64_t now() const { return now_; }
    void apply(const record& r) {
        if (r.kind != record_kind::call && r.kind != record_kind::call_end && r.kind != record_kind::configuration) return;
        const auto clock = static_cast<std::int64_t>(r.value);
        if (clock > clock_ && add_up(now_, clock - clock_, now_)) clock_ = clock;
        if (clock < clock_) clock_ = clock;
    }

private:
    std::int64_t now_ = 0, clock_ = 0;
};

} // namespace hsm::detail
