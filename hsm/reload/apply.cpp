// Gives a machine another chart. Everything is built separately; then the exchange cannot fail.

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/manage/detail/machine_pool.hpp>
#include <hsm/reload/detail/mapped_machine.hpp>
#include <hsm/reload/detail/replacement.hpp>
#include <hsm/reload/reload_error.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/first_exception.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace hsm {

using namespace detail;

namespace {

/// A machine with the new chart that replaces another one.
class machine_replacement final : public replacement {
public:
    /// `from` has the old chart: the machine itself, or another one whose state it gets.
    machine_replacement(engine& m, const chart_map& map, engine& from)
        : m_(m), map_(map), converted_(map), mapped_(map, from, converted_), observed_(observed_like(m, map.after())),
          made_(map.after(), calls::root_context(m), options_of(m, core_of(m)), nullptr) {
        if ((queues_of(m, core_of(m)) || queues_of(from, core_of(from))) && !require_queues(made_, map.after())) throw std::bad_alloc();
        std::optional<mailbox_queue::refill> mail;
        if (auto* const box = mail_of(made_, map.after())) mail.emplace(*box, head_of_image<image_head>(mapped_.image).mailed);
        try {
            fill_mapped(made_, map, mapped_.image, mail ? &*mail : nullptr, carried_);
        } catch (...) {
            undo();
            throw;
        }
    }
    machine_replacement(const machine_replacement&) = delete;
    ~machine_replacement() override {
        if (!is_done_) undo();
    }

    void exchange(first_exception& first) override {
        is_done_ = true;
        carried_.finish();
        if (auto* const old = queues_of(m_, core_of(m_))) {
            auto& queues = *queues_of(made_, map_.after());
            queues.lost = old->lost;
            if (old->lost_at != &old->lost) queues.lost_at = old->lost_at;
        }
        made_.work = static_cast<std::uint8_t>(made_.work | (m_.work & work_stop)); // requested by an exit hook
        first.of([&] { exchange_charts(m_, made_, std::move(observed_)); });
    }
    reload_report report() override { return std::move(mapped_.report); }
    std::function<void()> exit_hooks() const override {
        if (mapped_.passed.empty()) return {};
        return [&m = m_, states = mapped_.passed.exited] {
            const still_in_call afterwards{m};
            run_passing_hooks(m, hook_kind::exit, states);
        };
    }
    void run_enter_hooks(first_exception& first) override {
        if (mapped_.passed.empty()) return;
        const still_in_call afterwards{m_};
        first.of([&] { run_passing_hooks(m_, hook_kind::enter, mapped_.passed.entered); });
    }

private:
    struct still_in_call {
        engine& m;
        ~still_in_call() { begin_call(m); }
    };
    void undo() noexcept {
        carried_.undo();
        forget_pending(made_, map_.after());
        clear_block(made_, map_.after());
    }

    engine& m_;
    const chart_map& map_;
    converted_objects converted_;
    mapped_machine mapped_;
    std::unique_ptr<observed_core> observed_;
    engine made_;
    carried_objects carried_;
    bool is_done_ = false;
};

} // namespace

std::unique_ptr<replacement> detail::make_replacement(engine& m, const chart_map& map) { return std::make_unique<machine_replacement>(m, map, m); }

void detail::require_old_chart(const chart_core& chart, const chart_core* core) {
    if (core && core->owner == chart.owner) return;
    throw reload_error({code::reload_other_chart, core ? core->root->path() : "", "the plan is for machines of another chart",
                        "create a plan from the chart of this machine"});
}

void detail::require_machine(const chart_core& chart, const engine& m) {
    require_old_chart(chart, m.chart ? &core_of(m) : nullptr);
    if (agent_slot::uses(m))
        throw reload_error({code::reload_of_agent, core_of(m).root->path(), "an agent of a crowd cannot have a chart of its own",
                            "apply the plan to the crowd, or attach the crowd"});
}

void detail::require_no_document(const chart_core& chart) {
    if (const auto* const notes = chart.root->notes(); notes && notes->document && notes->document->keeps_data())
        throw reload_error(
            {code::reload_of_session, chart.root->path(), "the plan would change the chart without its data", "call hsm::scxml::reload_session"});
}

namespace {

/// Keeps machines in a call: calls of hooks to them are queued or return busy, and a manager removes them later.
class calls_in_progress {
public:
    explicit calls_in_progress(std::span<engine* const> machines) : machines_(machines) {
        for (auto* const each : machines_) begin_call(*each);
    }
    calls_in_progress(const calls_in_progress&) = delete;
    ~calls_in_progress() {
        for (auto* const each : machines_) end_call(*each, core_of(*each));
    }

private:
    const std::span<engine* const> machines_;
};

std::vector<std::unique_ptr<replacement>> make_replacements(const chart_map& map, std::span<engine* const> machines,
                                                            std::span<crowd_core* const> crowds) {
    std::vector<std::unique_ptr<replacement>> all;
    for (auto* const each : machines) all.push_back(make_replacement(*each, map));
    for (auto* const each : crowds) all.push_back(make_replacement(*each, map));
    return all;
}

} // namespace

namespace {

/// Announces a reload to logs, and records it at the end of the scope if it has begun.
class recorded_reload {
public:
    recorded_reload(const chart_map& map, std::span<engine* const> machines, std::span<crowd_core* const> crowds, recorded_inputs* of_manager)
        : machines_(machines) {
        for (auto* const each : crowds)
            if (each->inputs) containers_.push_back(each->inputs);
        if (of_manager) containers_.push_back(of_manager);
        const auto is_observed = [](const engine* m) { return core_of(*m).observed; };
        if (!containers_.empty() || std::ranges::any_of(machines, is_observed)) plan_ = map.plan_in_log();
        report({}, false);
    }
    recorded_reload(const recorded_reload&) = delete;
    ~recorded_reload() {
        if (!has_begun_) return;
        for (auto* const each : containers_) each->ends();
        try {
            report({reinterpret_cast<const char*>(&plan_), sizeof plan_}, !is_done);
        } catch (...) { // exceptions of `serialize`
        }
    }
    void begin() {
        has_begun_ = true;
        for (auto* const each : containers_) each->begins_reload();
    }

    bool is_done = false; ///< the charts have changed

private:
    void report(std::string_view plan, bool failed) const {
        for (auto* const each : machines_) notify_input(*each, core_of(*each), {.kind = input_kind::reload, .plan = plan, .failed = failed});
        for (auto* const each : containers_) each->reload(plan, failed);
    }

    log_plan plan_; ///< empty if no log can record it
    const std::span<engine* const> machines_;
    std::vector<recorded_inputs*> containers_;
    bool has_begun_ = false;
};

} // namespace

reload_report detail::apply_to(const chart_map& map, std::span<engine* const> machines, std::span<crowd_core* const> crowds, first_exception& first,
                               recorded_inputs* of_manager, bool failed) {
    for (const auto* const each : machines) require_machine(map.before(), *each);
    for (auto* const each : crowds) require_old_chart(map.before(), &each->layout().core);
    for (const auto* const each : machines)
        if (is_busy(*each)) return {.outcome = result::busy};
    for (auto* const each : crowds)
        if (crowd_access(*each).is_busy()) return {.outcome = result::busy};
    recorded_reload recorded(map, machines, crowds, of_manager);
    auto all = make_replacements(map, machines, crowds);
    std::vector<std::function<void()>> exits;
    for (const auto& each : all)
        if (auto hooks = each->exit_hooks()) exits.push_back(std::move(hooks));
    recorded.begin();
    if (!exits.empty()) {
        all.clear(); // the machines get their locals back
        {
            const calls_in_progress meanwhile(machines);
            for (const auto& run : exits) run();
        }
        if (!failed) all = make_replacements(map, machines, crowds);
    }
    if (failed) return {};
    reload_report total;
    for (const auto& each : all) total.add(each->report());
    for (const auto& each : all) each->exchange(first);
    recorded.is_done = true;
    if (exits.empty()) return total;
    const calls_in_progress meanwhile(machines);
    for (const auto& each : all) each->run_enter_hooks(first);
    return total;
}

reload_report reload_plan::report(const instance_base& agent) const {
    auto& m = instance_access::engine_of(agent);
    require_machine(charts().before(), m);
    if (is_busy(m)) return {.outcome = result::busy};
    converted_objects converted(charts());
    return mapped_machine(charts(), m, converted).report;
}

namespace {

reload_report apply_and_rethrow(const chart_map& map, std::span<engine* const> machines, std::span<crowd_core* const> crowds) {
    require_no_document(map.before());
    require_no_document(map.after());
    first_exception first;
    auto report = apply_to(map, machines, crowds, first);
    first.rethrow();
    return report;
}

} // namespace

reload_report reload_plan::apply(instance_base& agent) const {
    engine* const only = &instance_access::engine_of(agent);
    return apply_and_rethrow(charts(), {&only, 1}, {});
}

reload_report reload_plan::restore(instance_base& agent, std::span<const std::byte> image) const {
    auto& m = instance_access::engine_of(agent);
    require_machine(charts().after(), m);
    if (is_busy(m)) return {.outcome = result::busy};
    engine old(charts().before(), calls::root_context(m), options_of(m, core_of(m)), nullptr);
    restore_machine(old, image);
    machine_replacement made(m, charts(), old);
    auto report = made.report();
    first_exception first;
    made.exchange(first);
    first.rethrow();
    return report;
}

reload_report reload_plan::apply(crowd_base& crowd) const {
    crowd_core* const only = &crowd_access::core_of(crowd);
    return apply_and_rethrow(charts(), {}, {&only, 1});
}

reload_report reload_plan::apply(std::span<instance_base* const> agents) const {
    std::vector<engine*> all;
    for (auto* const each : agents)
        if (auto* const m = &instance_access::engine_of(*each); std::ranges::find(all, m) == all.end()) all.push_back(m);
    return apply_and_rethrow(charts(), all, {});
}

namespace {

std::vector<machine_slot*> slots_of(const manager& machines, const chart_map& map) {
    std::vector<machine_slot*> found;
    for (auto* p = manager_access::pool_of(machines).first(); p; p = p->after)
        if (p->is == slot_status::present && p->uses->chart.core().owner == map.before().owner) found.push_back(p);
    return found;
}

} // namespace

reload_report reload_plan::report(const manager& machines) const {
    reload_report total;
    for (const auto* const each : slots_of(machines, charts())) total.add(report(each->machine()));
    return total;
}

reload_report reload_plan::apply(manager& machines) const { return apply_to(charts(), machines); }

reload_report detail::apply_to(const chart_map& map, const manager& machines, bool failed) {
    auto& all = manager_access::pool_of(machines);
    if (all.is_busy()) return {.outcome = result::busy};
    const auto slots = slots_of(machines, map);
    std::vector<engine*> engines;
    std::vector<pool*> pools;
    for (auto* const each : slots) {
        engines.push_back(&instance_access::engine_of(each->machine()));
        pools.push_back(&all.pool_of(*each, map.to));
    }
    first_exception first;
    reload_report total;
    all.replaced = &map.before();
    first.of([&] { total = apply_to(map, engines, {}, first, all.inputs, failed); });
    all.replaced = nullptr;
    for (std::size_t i = 0; i < slots.size(); ++i)
        if (core_of(*engines[i]).owner == map.after().owner) machine_pool::change_chart(*slots[i], *pools[i]);
    if (all.inputs) all.inputs->begins_reload();
    all.finish_calls(first); // of machines that hooks have removed
    if (all.inputs) all.inputs->ends();
    all.release_chart(map.before());
    first.rethrow();
    return total;
}

} // namespace hsm
