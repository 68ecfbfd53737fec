/// The observers with which the page records a machine and stops it at breakpoints.
#pragma once

#include <hsm/inspect/detail/feed.hpp>
#include <hsm/observe/breakpoint.hpp>
#include <hsm/op/observer.hpp>

#include <cstdint>
#include <mutex>
#include <vector>

namespace hsm::inspect::detail {

/// Writes the records of one machine to the ring of its lane.
class ring_writer final : public observer {
public:
    /// Agents of a crowd share `order`, because workers can run them in several threads. null: one thread runs the machine.
    ring_writer(feed& to, std::uint32_t machine, std::mutex* order) : to_(to), machine_(machine), order_(order) {}

    /// After a reload, this is called again. The records of the new chart need another recording.
    void on_attached(const moment&) override {
        if (++charts_ > 1) to_.note_change();
    }
    void on_record(const record& r, const moment&) override {
        if (charts_ > 1) return;
        if (!order_) return to_.ring().push({machine_, r});
        const std::lock_guard lock(*order_);
        to_.ring().push({machine_, r});
    }

private:
    feed& to_;
    const std::uint32_t machine_;
    std::mutex* const order_;
    unsigned charts_ = 0;
};

/// Receives the place of a breakpoint that a machine has reached.
class stop_receiver {
public:
    virtual void stopped(const break_place& place, const chart_view& chart) = 0;

protected:
    ~stop_receiver() = default;
};

/// The breakpoints of one machine.
class stop_places final : public breakpoint_base {
public:
    stop_places(const chart_base& chart, stop_receiver& to) : breakpoint_base(chart), to_(to) {}

    /// Throws usage_error (HSM-202) if the chart has no such part.
    void add(const chart_view& chart, const break_place& place);

private:
    void reached(const record& r, const moment& when) override;

    stop_receiver& to_;
};

/// Returns "break at entry of hero/attack".
std::string text_of(const chart_view& chart, const break_place& place);

} // namespace hsm::inspect::detail
