#include <hsm/compile/programs.hpp>

#include <hsm/compile/assembler.hpp>
#include <hsm/compile/block.hpp>

#include <algorithm>
#include <map>

namespace hsm {

namespace {

using transitions = std::vector<std::uint32_t>; ///< by number

class program_maker {
public:
    explicit program_maker(chart_core& core) : core_(core), out_(core) {}

    void run() {
        core_.layout = layout_of(core_);
        for (index s = 0; s < core_.states.size(); ++s) make_parts(s);
        for (std::uint32_t t = 0; t < core_.transitions.size(); ++t) make_parts_of_transition(t);
        for (index leaf = 0; leaf < core_.states.size(); ++leaf) make_row(leaf);
        for (index leaf = 0; leaf < core_.states.size(); ++leaf) make_steps(leaf);
        out_.finish();
    }

private:
    bool superstate_first() const { return core_.options.order == decision_order::superstate_first; }
    bool is_machine(index s) const { return core_.states[s].kind == state_kind::machine; }
    std::uint64_t kept_by(index level) const { return level == no_index ? 0 : core_.states[level].depth + 1u; }

    // --- parts: one state, one transition ---

    void make_parts(index s) {
        auto& row = core_.states[s];
        row.enter_program = part([&] { enter(s); });
        row.exit_program = part([&] { exit(s); });
        row.change_program = row.change.count ? part([&] { hooks(row.change, s, {op_note::still, 0, s}); }) : 0;
        row.update_program = make_update(s);
        if (!is_machine(s)) return;
        row.entry_program = out_.begin();
        entry(s, ops::all);
    }

    template <class Emit> program part(Emit emit) {
        const auto p = out_.begin();
        emit();
        out_.emit_end(code_next);
        return p;
    }

    void make_parts_of_transition(std::uint32_t number) {
        auto& t = core_.transitions[number];
        if (t.guards.count) {
            t.guard_program = out_.begin();
            const auto refused = guards(t, t.source);
            end(result::taken);
            out_.land(refused);
            end(result::guarded);
        }
        if (t.actions.count) t.action_program = part([&] { actions(t, t.target == no_index ? t.source : t.level); });
    }

    program make_update(index s) {
        const auto& row = core_.states[s];
        if (row.kind == state_kind::final) return 0;
        if (!row.update.count && !row.predicates.count && !row.reactions.count) return 0;
        const auto p = out_.begin();
        if (core_.has_moment) out_.emit(&ops::updating, row.node);
        hooks(row.update, s, {op_note::still, 0, s});
        assembler::jumps stopped;
        if (row.update.count && (row.predicates.count || row.reactions.count)) stopped.push_back(out_.emit_jump(&ops::unless_stopped));
        for (std::uint32_t i = 0; i < row.predicates.count; ++i) {
            assembler::jumps no{ask(core_.guards[row.predicates.first + i], s, s)};
            out_.emit(&ops::mark, s);
            out_.land(no);
        }
        for (std::uint32_t i = 0; i < row.reactions.count; ++i) react(row.reactions.first + i, stopped);
        out_.land(stopped);
        out_.emit(&ops::updated, row.node->names_successor() ? 1 : 0);
        return p;
    }

    void react(std::uint32_t number, assembler::jumps& stopped) {
        const auto& t = core_.transitions[number];
        const auto refused = guards(t, t.source);
        if (core_.has_moment) out_.emit(&ops::because, number | std::uint64_t(reason::poll) << 32);
        actions(t, t.source);
        stopped.push_back(out_.emit_jump(&ops::unless_stopped));
        out_.land(refused);
    }

    // --- sequences ---

    void hooks(const span_of& span, index s, op_note note) {
        for (std::uint32_t i = 0; i < span.count; ++i) out_.hook(core_.hooks[span.first + i], s, s, note);
    }

    /// `where`: the innermost state that is active meanwhile.
    void actions(const transition_row& t, index where) {
        const bool leaves = t.target != no_index;
        for (std::uint32_t i = 0; i < t.actions.count; ++i)
            out_.hook(core_.hooks[t.actions.first + i], t.source, where, {leaves ? op_note::between : op_note::still, 0, where});
    }

    assembler::jump_at ask(const guard_row& g, index context, index where) {
        return out_.guard(g, context, where, {op_note::still, 0, where});
    }

    /// What to land where one of them refuses.
    assembler::jumps guards(const transition_row& t, index where) {
        assembler::jumps refused;
        for (std::uint32_t i = 0; i < t.guards.count; ++i) refused.push_back(ask(core_.guards[t.guards.first + i], t.source, where));
        return refused;
    }

    void enter(index s) {
        const auto& row = core_.states[s];
        for (std::uint32_t i = 0; i < row.locals.count; ++i)
            out_.emit(&ops::construct, row.locals.first + i, {op_note::entering, static_cast<std::uint8_t>(i), s});
        hooks(row.enter, s, {op_note::entering, static_cast<std::uint8_t>(row.locals.count), s});
        if (row.kind == state_kind::final && core_.states[row.superstate].marked) out_.emit(&ops::mark, row.superstate);
        if (row.transient) out_.emit(&ops::transient, std::uint64_t(0));
    }

    void exit(index s) {
        const auto& row = core_.states[s];
        hooks(row.exit, s, {op_note::exiting, 0, s});
        for (auto i = row.locals.count; i > 0; --i) out_.emit(&ops::destroy, row.locals.first + i - 1, {op_note::exiting, 0, s});
        if (row.marked) out_.emit(&ops::unmark, s);
    }

    void enter_below(index level, index target) {
        if (target == level) return;
        enter_below(level, core_.states[target].superstate);
        enter(target);
    }

    /// Where a machine goes that was just entered, to the end of the transition. Alternatives share nothing.
    void entry(index machine, std::uint64_t kept) {
        const auto& row = core_.states[machine];
        bool undecided = true;
        for (std::uint32_t i = 0; i < row.choices.count && undecided; ++i) {
            const auto& t = core_.transitions[row.choices.first + i];
            const auto refused = guards_of_entry(t, machine);
            take_entry(machine, t, kept);
            out_.land(refused);
            undecided = t.guards.count > 0;
        }
        if (!undecided) return;
        if (row.initial.count)
            take_entry(machine, core_.transitions[row.initial.first], kept);
        else if (row.choices.count)
            rest(machine, kept);
        else
            go_on(machine, static_cast<index>(machine + 1), kept);
    }

    assembler::jumps guards_of_entry(const transition_row& t, index machine) {
        assembler::jumps refused;
        for (std::uint32_t i = 0; i < t.guards.count; ++i)
            refused.push_back(out_.guard(core_.guards[t.guards.first + i], machine, machine, {op_note::between, 0, machine}));
        return refused;
    }

    void take_entry(index machine, const transition_row& t, std::uint64_t kept) {
        for (std::uint32_t i = 0; i < t.actions.count; ++i)
            out_.hook(core_.hooks[t.actions.first + i], machine, machine, {op_note::between, 0, machine});
        go_on(machine, t.target, kept);
    }

    void go_on(index from, index target, std::uint64_t kept) {
        enter_below(from, target);
        arrive(target, kept);
    }

    /// At the target of a transition or of an entry choice.
    void arrive(index target, std::uint64_t kept) {
        if (!is_machine(target))
            done(target, kept);
        else if (is_static(target))
            entry(target, kept);
        else
            out_.emit_enter_by(core_.states[target].entry_program, target, kept);
    }

    /// No guard has a say in where it goes.
    bool is_static(index machine) const {
        const auto& row = core_.states[machine];
        return row.choices.count == 0 || core_.transitions[row.choices.first].guards.count == 0;
    }

    void done(index leaf, std::uint64_t kept) {
        out_.emit(core_.has_changes ? &ops::done_changed : &ops::done, leaf | kept << 16, {op_note::still, 0, leaf});
        out_.emit_row(leaf);
    }

    /// All choices of a machine refused.
    void rest(index machine, std::uint64_t kept) {
        out_.emit(core_.has_changes ? &ops::rest_changed : &ops::done, machine | kept << 16, {op_note::still, 0, machine});
        out_.emit_row(machine);
    }

    /// A transition's exits, action and entries, from a leaf, to its end.
    void body(index leaf, std::uint32_t number, reason why) {
        const auto& t = core_.transitions[number];
        if (core_.has_moment) out_.emit(&ops::because, number | std::uint64_t(why) << 32);
        if (t.target == no_index) {
            actions(t, t.source);
            return end(result::internal);
        }
        for (auto s = leaf; s != t.level; s = core_.states[s].superstate) exit(s);
        if (core_.options.entry_times) out_.emit(&ops::exited, kept_by(t.level));
        actions(t, t.level);
        enter_below(t.level, t.target);
        arrive(t.target, kept_by(t.level));
    }

    void end(result r) { out_.emit_end(static_cast<std::uintptr_t>(r)); }

    // --- events ---

    std::vector<index> deciders(index leaf) const {
        std::vector<index> path;
        for (auto s = leaf; s != no_index; s = core_.states[s].superstate) path.push_back(s);
        if (superstate_first()) std::ranges::reverse(path);
        return path;
    }

    void make_row(index leaf) {
        std::map<std::uint16_t, transitions> candidates;
        for (const auto s : deciders(leaf)) {
            const auto& span = core_.states[s].events;
            for (auto t = span.first; t < span.first + span.count; ++t) candidates[core_.transitions[t].event].push_back(t);
        }
        std::vector<row_entry> entries;
        for (const auto& [event, list] : candidates) entries.push_back({core_.event_columns[event], event_program(leaf, list)});
        std::ranges::sort(entries);
        core_.states[leaf].programs = out_.share(std::move(entries));
    }

    /// What nobody leaves a state for is the same for all leaves.
    program event_program(index leaf, const transitions& candidates) {
        const bool internal = std::ranges::all_of(candidates, [&](auto t) { return core_.transitions[t].target == no_index; });
        if (!internal) return make_event_program(leaf, candidates);
        const auto [found, is_new] = internal_programs_.try_emplace(candidates, 0);
        if (is_new) found->second = make_event_program(leaf, candidates);
        return found->second;
    }

    program make_event_program(index leaf, const transitions& candidates) {
        const auto p = out_.begin();
        for (const auto number : candidates) {
            const auto& t = core_.transitions[number];
            const auto refused = guards(t, t.source);
            body(leaf, number, reason::event);
            if (refused.empty()) return p;
            out_.land(refused);
        }
        end(result::guarded);
        return p;
    }

    // --- ticks ---

    void make_steps(index leaf) {
        auto& row = core_.states[leaf];
        row.tick.first = static_cast<std::uint32_t>(core_.steps.size());
        std::vector<index> path;
        for (auto s = leaf; s != no_index; s = core_.states[s].superstate) path.insert(path.begin(), s);
        if (superstate_first())
            add_step(tick_step::decide, -1, decisions_at(leaf, path, no_index));
        else
            add_step(tick_step::decide, -1, decisions_innermost(leaf, path));
        if (!superstate_first() && is_machine(leaf)) add_step(tick_step::retry_entry, -1, row.entry_program);
        for (const auto s : path) {
            const int depth = core_.states[s].depth;
            add_step(tick_step::update, depth, core_.states[s].update_program);
            if (superstate_first() && is_machine(s)) add_step(tick_step::decide, depth, decisions_at(leaf, path, s));
        }
        if (superstate_first() && is_machine(leaf)) add_step(tick_step::retry_entry, row.depth, row.entry_program);
        row.tick.count = static_cast<std::uint32_t>(core_.steps.size()) - row.tick.first;
    }

    void add_step(tick_step::kind_of kind, int depth, program p) {
        if (p) core_.steps.push_back({kind, depth, p});
    }

    transitions polled_of(index s) const {
        transitions list;
        const auto& span = core_.states[s].polled;
        for (auto t = span.first; t < span.first + span.count; ++t) list.push_back(t);
        return list;
    }

    program decisions_at(index leaf, const std::vector<index>& path, index level) {
        std::vector<transitions> by_source;
        for (const auto s : path) {
            auto list = polled_of(s);
            std::erase_if(list, [&](auto t) { return core_.transitions[t].level != level; });
            if (!list.empty()) by_source.push_back(std::move(list));
        }
        return decisions(leaf, by_source);
    }

    program decisions_innermost(index leaf, const std::vector<index>& path) {
        std::vector<transitions> by_source;
        for (auto s = path.rbegin(); s != path.rend(); ++s) by_source.push_back(polled_of(*s));
        return decisions(leaf, by_source);
    }

    program decisions(index leaf, const std::vector<transitions>& by_source) {
        if (std::ranges::all_of(by_source, &transitions::empty)) return 0;
        const auto p = out_.begin();
        for (const auto& list : by_source) {
            assembler::jumps next_source;
            try_each(leaf, list, next_source);
            out_.land(next_source);
        }
        out_.emit_end(code_next);
        return p;
    }

    /// Tries a source's transitions in order. A satisfied one bars the later ones of its level: the others get a sequence of their own.
    void try_each(index leaf, const transitions& list, assembler::jumps& next_source) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            const auto& t = core_.transitions[list[i]];
            assembler::jumps refused;
            if (t.on_finished) refused.push_back(out_.emit_if_marked(t.source));
            for (const auto& jump : guards(t, t.source)) refused.push_back(jump);
            if (t.any_state && core_.contains(t.target, leaf)) {
                transitions rest(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end());
                const auto all = rest.size();
                std::erase_if(rest, [&](auto other) { return core_.transitions[other].level == t.level; });
                if (rest.size() < all) {
                    try_each(leaf, rest, next_source);
                    next_source.push_back(out_.emit_jump(&ops::jump));
                }
            } else {
                body(leaf, list[i], t.on_finished ? reason::completion : reason::poll);
                if (refused.empty()) return;
            }
            out_.land(refused);
        }
    }

    chart_core& core_;
    assembler out_;
    std::map<transitions, program> internal_programs_;
};

} // namespace

void make_programs(chart_core& core) {
    program_maker(core).run();
}

} // namespace hsm
