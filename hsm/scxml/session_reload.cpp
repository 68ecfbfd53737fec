#include <hsm/scxml/session_reload.hpp>

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/reload/detail/chart_map.hpp>
#include <hsm/reload/detail/replacement.hpp>
#include <hsm/run/detail/first_exception.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/scxml/detail/session_core.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm::detail::scxml {

/// Creates the new data separately. Then only the reload of the machine can throw.
class session_reload {
public:
    session_reload(session_core& s, const reload_plan& plan) : s_(s), plan_(plan), of_(document_of(*plan.charts().after().root)) {
        if (s.parent) refuse("another session has invoked this session", "reload the invoking session");
        report_ = plan.report(s.machine_);
        if (plan.charts().runs_hooks) refuse("a document's hooks cannot run in a reload", "create the plan without exit_enter");
        if (of_) of_->require_runnable();
        if (s.host->in_call || s.machine_.queued() > 0) report_ = {.outcome = result::busy};
        if (report_.outcome == result::busy || !s.running) return;
        for (const auto& each : s.invoked) drop("the invoked session or service", each->id);
        find_bound();
        carry_data();
    }

    const reload_report& report() const { return report_; }
    reload_report apply() {
        if (report_.outcome == result::busy) return std::move(report_);
        auto& c = s_.data;
        const bool sets_event = of_ && of_->model;
        auto attached = sets_event && !c.sets_event_ ? s_.machine_.attach(s_.event_setter_, record_kind::event) : attachment();
        first_exception first; // of observers
        engine* const machine = &instance_access::engine_of(s_.machine_);
        first.of([&] { apply_to(plan_.charts(), {&machine, 1}, {}, first); });
        if (core_of(instance_access::engine_of(s_.machine_)).owner != plan_.charts().after().owner) first.rethrow();
        if (sets_event != c.sets_event_) s_.attached_ = std::move(attached);
        c.sets_event_ = sets_event;
        c.model_ = std::move(model_);
        c.document_ = of_;
        c.bound_ = std::move(bound_);
        c.shown_name_.clear();
        c.shown_data_.clear();
        s_.of = of_;
        s_.invoked.clear();
        first.rethrow();
        return std::move(report_);
    }

private:
    [[noreturn]] void refuse(std::string what, std::string hint) const {
        throw reload_error({code::reload_of_session, std::string(s_.data.session_id()), std::move(what), std::move(hint)});
    }
    void drop(std::string_view what, std::string_view name) {
        report_.changes.push_back({code::changed_chart, std::string(s_.data.session_id()), fmt::format("{} \"{}\" was dropped", what, name), ""});
    }
    /// Returns the state of the new chart, or null.
    const state_base* place_of(const state_base& old) const {
        const auto& map = plan_.charts();
        const auto& part = map.states[map.before().index_of(old)];
        return part.is_exact() ? map.after().states[part.to].node : nullptr;
    }
    /// Finds the states of the new document whose data have values with late binding: they are active, or their data had values before.
    void find_bound() {
        const auto& before = plan_.charts().before();
        const auto add = [&](const state_base& old) {
            const auto* const now = place_of(old);
            if (now && std::ranges::find(bound_, now) == bound_.end()) bound_.push_back(now);
        };
        for (const auto* old : s_.data.bound_) add(*old);
        for (const auto& row : before.states)
            if (s_.machine_.is_in(*row.node)) add(*row.node);
    }
    static std::vector<std::string> ids_in(const document* of) {
        std::vector<std::string> all;
        if (of) of->each_data([&](const state_base&, const data_element& d) { all.push_back(d.id); });
        return all;
    }

    void carry_data() {
        auto& c = s_.data;
        const auto before = ids_in(c.model_ ? s_.of : nullptr), after = ids_in(of_ && of_->model ? of_ : nullptr);
        const auto is_in = [](const std::vector<std::string>& list, const std::string& id) { return std::ranges::find(list, id) != list.end(); };
        std::vector<std::string> removed;
        for (const auto& id : before)
            if (!is_in(after, id)) removed.push_back(id), drop("the removed <data>", id);
        saved_data kept;
        if (c.model_) {
            auto saved = c.model_->save(removed);
            if (saved.wrong) refuse(std::move(saved.wrong.what), "assign another value to it before the reload");
            kept = std::move(saved.result);
            for (const auto& path : kept.functions)
                if (path.find_first_of(".[") != path.npos || is_in(before, path)) drop("the function", path);
        }
        if (!of_ || !of_->model) return;
        c.budget().reset();
        model_ = of_->model->make({of_->name, of_->expressions}, c);
        model_->set_system(c.system_of(*of_, c.session_id_));
        const auto require = [&](const failure& wrong, std::string_view what, const std::string& id, const char* hint) {
            if (wrong) refuse(fmt::format("{}{}: {}", what, id, wrong.what), hint);
        };
        const auto restore = [&] {
            if (!kept.json.empty()) require(model_->restore(kept.json), "the data cannot be restored", "", "");
        };
        of_->each_data([&](const state_base&, const data_element& d) {
            require(model_->declare(d), "the data cannot be declared: ", d.id, "correct its <data>");
        });
        restore();
        of_->each_data([&](const state_base& s, const data_element& d) {
            const bool has_value = !of_->late_binding || !s.superstate() || std::ranges::find(bound_, &s) != bound_.end();
            if (has_value && !is_in(before, d.id)) require(model_->initialise(d), "the new data cannot be initialized: ", d.id, "correct its <data>");
        });
        if (of_->scripts.empty()) return;
        for (const auto& script : of_->scripts) (void)model_->run(script); // they define functions
        restore();
    }

    session_core& s_;
    const reload_plan& plan_;
    const document* const of_; ///< the new one; null if the new chart does not come from a document
    reload_report report_;
    owned<data_model> model_;
    std::vector<const state_base*> bound_; ///< of the new document
};

} // namespace hsm::detail::scxml

namespace hsm::scxml {

using hsm::detail::scxml::session_core;

reload_report report_session(const session_base& session, const reload_plan& plan) {
    return hsm::detail::scxml::session_reload(session_core::of_face(const_cast<session_base&>(session)), plan).report(); // is not modified
}

reload_report reload_session(session_base& session, const reload_plan& plan) {
    return hsm::detail::scxml::session_reload(session_core::of_face(session), plan).apply();
}

} // namespace hsm::scxml
