/// Machines and crowds that get the new chart of a plan. Everything is built separately; then the exchange cannot fail.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/reload/detail/chart_map.hpp>
#include <hsm/run/detail/first_exception.hpp>
#include <hsm/run/detail/recorded_call.hpp>

#include <functional>
#include <memory>
#include <span>

namespace hsm::detail {

class crowd_core;
class engine;

/// A machine or a crowd with the new chart. If it is destroyed without `exchange`, nothing has changed.
class replacement {
public:
    virtual ~replacement() = default;
    /// Collects exceptions of observers.
    virtual void exchange(first_exception& first) = 0;
    virtual reload_report report() = 0;
    /// Returns the function that runs the exit hooks; empty if no state vanishes or appears. It does not depend on this object.
    virtual std::function<void()> exit_hooks() const = 0;
    /// Runs the enter hooks. Call it after the exchange, if exit_hooks was not empty.
    virtual void run_enter_hooks(first_exception& first) = 0;
};

std::unique_ptr<replacement> make_replacement(engine& m, const chart_map& map);
std::unique_ptr<replacement> make_replacement(crowd_core& crowd, const chart_map& map);

// These functions throw reload_error.
void require_old_chart(const chart_core& chart, const chart_core* core); ///< refuses machines of another chart
void require_machine(const chart_core& chart, const engine& m);          ///< refuses agents of crowds, too: they share their chart
void require_no_document(const chart_core& chart);                       ///< refuses machines of SCXML documents with a data model
/// Gives all of these the new chart, or none. Throws as reload_plan::apply does, but stores the exceptions of observers and enter hooks. If the
/// reload `failed` when it was recorded, only the exit hooks run.
reload_report apply_to(const chart_map& map, std::span<engine* const> machines, std::span<crowd_core* const> crowds, first_exception& first,
                       recorded_inputs* of_manager = nullptr, bool failed = false);
reload_report apply_to(const chart_map& map, const manager& machines, bool failed = false);

} // namespace hsm::detail
