/// The time of a machine in nanoseconds, which never decreases: if the machine's clock was reset, this time continues from its last value. Any clock
/// is accepted, since a trace may come from anywhere; the sum saturates.
#pragma once

#include <hsm/define/time_span.hpp>
#include <hsm/op/record.hpp>

#include <cstdint>

namespace hsm::detail {

class steady_time {
public:
    std::int64_t now() const { return now_.nanoseconds(); }
    void apply(const record& r) {
        if (r.kind != record_kind::call && r.kind != record_kind::call_end && r.kind != record_kind::configuration) return;
        const auto clock = time_span::from_nanoseconds(static_cast<std::int64_t>(r.value));
        if (clock > clock_) now_ = now_ + (clock - clock_);
        clock_ = clock;
    }

private:
    time_span now_, clock_;
};

} // namespace hsm::detail
