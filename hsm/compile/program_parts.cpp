// The parts of one state and of one transition.

#include <hsm/compile/detail/planner.hpp>

namespace hsm::detail {

void planner::make_parts(index s) {
    auto& row = core_.states[s];
    row.enter_program = part([&] { enter(s); });
    row.exit_program = part([&] { exit(s); });
    exits_.push_back(core_.ops.size() > row.exit_program + 1u); // more ops than the end
    for (const auto& of : hook_kind_table) {
        const bool is_only_in_passing = of.moment == hook_moment::passing && of.kind != hook_kind::enter && of.kind != hook_kind::exit;
        if (is_only_in_passing || row.hooks[of.kind].count == 0) continue;
        const hook_site site{of.moment == hook_moment::outside ? hook_site::outside : hook_site::still, 0, s};
        row.hook_programs[of.kind] = part([&] { hooks(row.hooks[of.kind], s, site); });
    }
    row.timers_program = row.timers.count ? part([&] { clear_timers(s), start_timers(s); }) : 0;
    if (row.hold.count) row.hold_program = make_hold(s);
    row.updates = row.kind != state_kind::final && row.hooks.update.count + row.predicates.count + row.reactions.count > 0;
    if (row.candidates.count)
        row.choose_program = part([&] {
            choose(s, hook_site::still);
            out_.emit(&ops::chosen_at_last, std::uint64_t(0));
        });
    if (is_machine(s)) make_entries(s);
    if (is_history(s)) row.entry_program = make_history(s);
    if (core_.by_regions && row.updates) row.update_program = part([&] { update(s); });
}

program planner::make_hold(index s) {
    const auto& span = core_.states[s].hold;
    const auto p = out_.begin();
    assembler::jumps refused;
    for (std::uint32_t i = 0; i < span.count; ++i) refused.push_back(ask(core_.guards[span.first + i], s, s));
    end(result::taken);
    out_.land(refused);
    end(result::guarded);
    return p;
}

void planner::make_parts_of_transition(std::uint32_t number) {
    auto& t = core_.transitions[number];
    if (is_tested(t)) {
        t.guard_program = out_.begin();
        const auto refused = guards(t, t.source);
        end(result::taken);
        out_.land(refused);
        if (core_.may_request_leave(number)) out_.emit(&ops::guard_refused, std::uint64_t(number));
        end(result::guarded);
    }
    if (t.actions.count) t.action_program = part([&] { actions(t, t.target == no_index ? t.source : t.level); });
}

void planner::hooks(const span_of& span, index s, hook_site site) {
    for (std::uint32_t i = 0; i < span.count; ++i) out_.hook(core_.hooks[span.first + i], s, s, site);
}

/// `where` is the innermost state that is active during the actions.
void planner::actions(const transition_row& t, index where) {
    const bool by_regions = t.by_record || is_history(t.source); // the driver then knows the active states
    const bool leaves = t.target != no_index && !by_regions;
    if (by_regions) out_.assume_state(where);
    for (std::uint32_t i = 0; i < t.actions.count; ++i) {
        const auto& action = core_.hooks[t.actions.first + i];
        const hook_site site{leaves ? hook_site::between : hook_site::still, 0, where};
        trace_action(action, t, site);
        if (t.by_record) out_.locals_by_level(action, t.level, t.source);
        out_.hook(action, t.source, where, site);
    }
}

assembler::jump_at planner::ask(const guard_row& g, index context, index where, std::uint32_t transition) {
    const hook_site site{hook_site::still, 1, where};
    const auto number = static_cast<std::uint32_t>(&g - core_.guards.data());
    const auto refused = out_.guard(g, context, where, site, transition != record::no_number);
    return trace_guard_result(refused, {record_kind::guard, 0, context, number, transition}, site);
}

/// Emits the tests of a transition, or whether its source chooses it. Returns the jumps of those that fail.
assembler::jumps planner::guards(const transition_row& t, index where, bool not_excluded) {
    if (!t.is_candidate) return tests(t, where, not_excluded);
    const assembler::jumps refused{out_.emit_if(&ops::if_chosen, core_.number_of(&t) - 1u, {hook_site::still, 1, t.source})};
    out_.forget();
    return refused;
}

assembler::jumps planner::tests(const transition_row& t, index where, bool not_excluded) {
    assembler::jumps refused;
    if (t.is_candidate && t.cooldown != no_score) refused.push_back(out_.emit_if(&ops::if_cool, t.cooldown));
    if (t.timer != no_timer) refused.push_back(out_.emit_if(&ops::if_due, core_.layout.locals + core_.timers[t.timer].offset));
    for (std::uint32_t i = 0; i < t.joined.count; ++i) refused.push_back(out_.emit_if(&ops::if_active, core_.targets[t.joined.first + i]));
    if (!not_excluded)
        for (const auto s : core_.excluded_of(t)) refused.push_back(out_.emit_if(&ops::unless_active, s));
    conditions(t, t.source, refused);
    for (std::uint32_t i = 0; i < t.guards.count; ++i)
        refused.push_back(ask(core_.guards[t.guards.first + i], t.source, where, core_.number_of(&t) - 1u));
    return refused;
}

/// `whose` identifies the leaf that can be finished, as for if_conditions.
void planner::conditions(const transition_row& t, std::uint64_t whose, assembler::jumps& refused) {
    for (auto i = t.conditions.first; i < t.conditions.first + t.conditions.count; ++i) {
        const auto& group = core_.groups[i];
        const bool plain = group.count == 1 && core_.masks[group.first].word == 0 && !group.tests_finished;
        const auto unless =
            plain ? out_.emit_if(group.any ? &ops::if_any : &ops::if_all, group.first) : out_.emit_if(&ops::if_conditions, i | whose << 32);
        const auto no = static_cast<std::uint8_t>(guard_answer::conditions_no);
        refused.push_back(
            trace_guard_result(unless, {record_kind::guard, no, t.source, i, core_.number_of(&t) - 1u}, {hook_site::still, 1, t.source}));
    }
}

void planner::enter(index s) {
    const auto& row = core_.states[s];
    trace({record_kind::entered, 0, s, record::no_number, 0}, {hook_site::entering, 0, s});
    if (core_.by_regions && core_.options.entry_times) out_.emit(&ops::stamp, std::uint64_t(s));
    if (core_.has_over) out_.emit(&ops::store_entered_by, std::uint64_t(row.time_slot));
    if (row.hooks.enter.count + row.locals.count > 0 || finds_time(s)) clear_timers(s);
    for (std::uint32_t i = 0; i < row.locals.count; ++i) out_.emit(&ops::construct, row.locals.first + i, {hook_site::entering, i, s});
    hooks(row.hooks.enter, s, {hook_site::entering, row.locals.count, s});
    start_timers(s);
    if (row.kind == state_kind::final && raises_done(row.superstate)) {
        const hook_site site{hook_site::entering, row.locals.count, s};
        const auto& data = row.hooks.done_data;
        if (data.count && core_.states[row.superstate].done != no_index)
            out_.hook(core_.hooks[data.first + data.count - 1], s, s, site);
        else
            out_.emit(&ops::raise_done, std::uint64_t(0), site);
    }
    if (row.kind == state_kind::final && core_.states[row.superstate].marked) out_.emit(&ops::mark, row.superstate);
    if (row.transient) out_.emit(&ops::transient, std::uint64_t(s));
}

/// Returns whether entering a final substate of it raises an event.
bool planner::raises_done(index s) const {
    const auto outer = core_.states[s].superstate;
    if (core_.states[s].done != no_index) return true;
    return outer != no_index && core_.states[outer].kind == state_kind::parallel && core_.states[outer].done != no_index;
}

bool planner::finds_time(index s) const {
    const auto& span = core_.states[s].timers;
    for (auto i = span.first; i < span.first + span.count; ++i)
        if (core_.timers[i].find.call) return true;
    return false;
}

/// Timers are not due while user code of the state's entry runs.
void planner::clear_timers(index s) {
    const auto& span = core_.states[s].timers;
    for (auto i = span.first; i < span.first + span.count; ++i) out_.emit(&ops::used_up, i);
}

void planner::start_timers(index s) {
    const auto& row = core_.states[s];
    const hook_site site{hook_site::entering, row.locals.count, s};
    for (auto i = row.timers.first; i < row.timers.first + row.timers.count; ++i) {
        const auto& find = core_.timers[i].find;
        if (find.call) out_.hook(find, s, s, site);
        out_.emit(find.call ? &ops::arm_found : &ops::arm_fixed, i);
        trace_timer(record_kind::armed, i, s);
    }
}

void planner::exit(index s) {
    const auto& row = core_.states[s];
    for (std::uint32_t i = 0; i < core_.cooldowns.size(); ++i)
        if (core_.cooldowns[i].target == s) out_.emit(&ops::cool, i, {hook_site::exiting, 0, s});
    hooks(row.hooks.exit, s, {hook_site::exiting, 0, s});
    for (auto i = row.locals.count; i > 0; --i) out_.emit(&ops::destroy, row.locals.first + i - 1, {hook_site::exiting, 0, s});
    if (core_.has_over) out_.emit(&ops::mark_entry_conditions, std::uint64_t(row.time_slot));
    if (row.marked) out_.emit(&ops::unmark, s);
    if (core_.has_holds) out_.emit(&ops::state_exited, s);
    trace({record_kind::exited, 0, s, record::no_number, 0}, {hook_site::exiting, 0, s});
}

} // namespace hsm::detail
