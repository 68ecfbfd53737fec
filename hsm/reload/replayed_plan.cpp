// Repeats reloads that a log has recorded.

#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/manage/detail/machine_pool.hpp>
#include <hsm/reload/detail/replacement.hpp>
#include <hsm/reload/reload_error.hpp>
#include <hsm/reload/reload_plan.hpp>
#include <hsm/replay/detail/logged.hpp>
#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/replay/replay.hpp>
#include <hsm/run/detail/instance_access.hpp>

#include <exception>
#include <new>
#include <span>
#include <vector>

namespace hsm {

using namespace detail;

namespace {

/// A further handle of a chart.
struct opened : chart_base {
    explicit opened(const chart_core& core) : chart_base(&core) { add_user(&core); }
};

class played_plan final : public plan_player {
public:
    explicit played_plan(const reload_plan& plan) : plan_(plan) {}

    log_plan plan() const override { return plan_.charts().plan_in_log(); }
    void apply(std::span<const reloaded_object> all, bool failed) const override {
        require_no_document(plan_.charts().before());
        std::vector<engine*> machines;
        std::vector<crowd_core*> crowds;
        for (const auto& each : all) {
            if (each.agent) machines.push_back(&instance_access::engine_of(*each.agent));
            if (each.crowd) crowds.push_back(&crowd_access::core_of(*each.crowd));
            if (each.machines) apply([&] { apply_to(plan_.charts(), *each.machines, failed); });
        }
        first_exception ignored;
        apply([&] { apply_to(plan_.charts(), machines, crowds, ignored, nullptr, failed); });
    }
    void give_chart(const reloaded_object& to, bool is_new) const override {
        const auto& wanted = is_new ? plan_.charts().to : plan_.charts().from;
        if (to.agent) give(wanted, core_of(instance_access::engine_of(*to.agent)), *to.agent);
        if (to.crowd) give(wanted, crowd_access::core_of(*to.crowd).layout().core, *to.crowd);
    }

private:
    /// Passes over exceptions of hooks.
    template <class Call> static void apply(const Call& call) {
        try {
            call();
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const reload_error&) {
            throw;
        } catch (const std::exception&) {
        }
    }
    template <class Object> static void give(const chart_base& wanted, const chart_core& present, Object& to) {
        if (present.owner != wanted.core().owner) reload_plan(opened(*present.owner), wanted).apply(to);
    }

    const reload_plan& plan_;
};

} // namespace

void replay::attach(const reload_plan& plan) { reload_by(make_owned<played_plan>(plan)); }

} // namespace hsm
