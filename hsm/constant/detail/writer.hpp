/// Writes the steps of a transition of a constant chart, as the planner does at run time. Both use flatten.hpp and write_transition.hpp.
#pragma once

#include <hsm/chart/detail/write_transition.hpp>
#include <hsm/constant/detail/list.hpp>
#include <hsm/constant/detail/rows.hpp>
#include <hsm/vm/detail/chance.hpp>

#include <cstdint>

namespace hsm::detail {

/// The numbers that records use for events, transitions and guards: those of the same chart at run time. That chart has one event for values that no
/// transition distinguishes, and a row for each event of a transition: event_tables.cpp, tables.cpp.
inline constexpr std::uint32_t no_column = 0xffff'ffff;

template <class Model> class constant_numbers {
public:
    /// `used`: whether they are needed.
    constexpr constant_numbers(const Model& m, bool used) : m_(m) {
        if (!used) return;
        for (const auto& type : m.types) number_events(type);
        guards_.append(m.guards.size(), 0);
        index s = 0;
        for (std::uint32_t t = 0; t < m.transitions.size(); ++t) {
            while (s <= m.transitions[t].source) number_predicates(s++);
            number(t);
        }
        while (s < m.states.size()) number_predicates(s++);
    }

    constexpr const constant_list<std::uint32_t>& events() const { return events_; } ///< by column
    constexpr std::uint32_t guard(std::uint32_t g) const { return guards_[g]; }
    /// `column`: that of the current event, if the transition waits for one.
    constexpr std::uint32_t transition(std::uint32_t t, std::uint32_t column) const {
        return first_rows_[t] + (column == no_column || m_.transitions[t].event == no_index ? 0 : rows_before(t, events_[column]));
    }

private:
    constexpr void number_events(const constant_event_type& type) {
        constant_list<std::uint64_t> who;
        for (auto c = type.first; c < type.first + type.count; ++c) {
            who.push_back(who_waits(type, c));
            std::size_t same = 0;
            while (who[same] != who.back()) ++same;
            events_.push_back(same + 1 == who.size() ? last_event_++ : events_[type.first + same]);
        }
    }
    /// Returns a hash of the keys that match the column.
    constexpr std::uint64_t who_waits(const constant_event_type& type, std::uint32_t column) const {
        std::uint64_t hash = 14695981039346656037u;
        for (std::uint32_t e = 0; e < m_.events.size(); ++e)
            if (&m_.types[m_.events[e].type] == &type && m_.waits_for(m_.events[e], column)) hash = (hash ^ (e + 1)) * 1099511628211u;
        return hash;
    }
    constexpr void number_predicates(index s) {
        for (auto g = m_.states[s].predicate; g >= 0; g = m_.guards[static_cast<std::size_t>(g)].next)
            guards_[static_cast<std::size_t>(g)] = last_guard_++;
    }
    constexpr void number(std::uint32_t t) {
        first_rows_.push_back(last_row_);
        last_row_ += m_.transitions[t].event == no_index ? 1 : rows_before(t, no_column);
        for (auto g = m_.transitions[t].guard; g >= 0; g = m_.guards[static_cast<std::size_t>(g)].next)
            guards_[static_cast<std::size_t>(g)] = m_.guards[static_cast<std::size_t>(g)].is_group ? last_group_++ : last_guard_++;
    }
    /// Returns the number of its events with lower numbers.
    constexpr std::uint32_t rows_before(std::uint32_t t, std::uint32_t event) const {
        const auto& waited = m_.events[m_.transitions[t].event];
        const auto& type = m_.types[waited.type];
        std::uint32_t rows = 0, next = 0; // events of a type have ascending numbers
        for (auto c = type.first; c < type.first + type.count; ++c)
            if (events_[c] < event && events_[c] >= next && m_.waits_for(waited, c)) ++rows, next = events_[c] + 1;
        return rows;
    }

    const Model& m_;
    constant_list<std::uint32_t> events_;     ///< by column
    constant_list<std::uint32_t> first_rows_; ///< by transition
    constant_list<std::uint32_t> guards_;
    std::uint32_t last_event_ = 0, last_row_ = 0, last_guard_ = 0, last_group_ = 0;
};

/// `Size`: of the tables of the definition.
template <class Context, constant_model_sizes Size> class constant_writer {
public:
    using model = constant_model_tables<Context, Size>;

    /// `traced_kinds`: bits of record_kinds.
    constexpr constant_writer(const model& m, const constant_chart_options& options, std::uint32_t traced_kinds)
        : numbers(m, traced_kinds != 0), m_(m), order_(options.order), remember_finals_(options.remember_finals), traced_kinds_(traced_kinds) {
        ops.reserve(8 * m.states.size());
        leaves.reserve(m.states.size());
        number_leaves();
    }

    constant_list<constant_op> ops;
    constant_list<constant_leaf_row> leaves;
    constant_list<constant_region_row> entered; ///< the regions
    constant_list<record> records;
    constant_numbers<model> numbers;

protected:
    using list = constant_list<std::uint32_t>;
    /// The changes of a transition so far.
    struct progress {
        std::uint32_t unchanged = 0; ///< the number of outermost states that do not change
        bool transient = false;
        constexpr std::uint32_t code() const { return constant_taken(unchanged, transient); }
    };
    using kind = constant_op::kind_of;
    static constexpr bool has_regions = Size.regions > 1;

    constexpr std::uint32_t begin() const { return static_cast<std::uint32_t>(ops.size()); }
    constexpr std::uint32_t emit(kind k, std::uint32_t operand = 0) {
        ops.push_back({k, operand, 0});
        return begin() - 1;
    }
    constexpr std::uint32_t end(constant_code code) { return emit(kind::end, code); }
    // Records of observed instances, equal to those of charts at run time.
    constexpr bool traces(record_kind k) const { return traced_kinds_ >> static_cast<unsigned>(k) & 1; }
    constexpr void trace(const record& r) {
        if (!traces(r.kind)) return;
        emit(kind::report, static_cast<std::uint32_t>(records.size()));
        records.push_back(r);
    }
    constexpr void trace_state(record_kind k, index s) { trace({k, 0, s, record::no_number, 0}); }
    constexpr void trace_transition(std::uint32_t number, reason why) {
        if (!traces(record_kind::transition)) return;
        trace({record_kind::transition, static_cast<std::uint8_t>(why), row(number).source, numbers.transition(number, column_), row(number).target});
    }
    constexpr void begin_firing(const constant_transition_row& t) {
        trace_transition(number_of(t), reason_of(t));
        use_timer(t);
        count_draw(t);
        if (Size.always) emit(kind::fired);
        if (Size.defers && t.target != no_index) emit(kind::recall);
    }
    constexpr void use_triggers(const constant_transition_row& t) {
        if (Size.triggers && m_.used_triggers(t)) emit(kind::use_triggers, number_of(t));
    }
    /// The following entries belong to a transition.
    constexpr void enter_by(std::uint32_t number) {
        if (Size.slots) emit(kind::enter_by, number);
    }
    constexpr void clear_entered(const constant_transition_row& t) {
        if (t.needs_over) emit(kind::clear_entered);
    }
    constexpr void count_draw(const constant_transition_row& t) {
        if (m_.is_candidate(number_of(t)) && is_by_chance(m_.states[t.source].choose)) emit(kind::take_draw);
    }
    constexpr void actions(const constant_transition_row& t) {
        for (auto h = t.actions.first; h < t.actions.first + t.actions.count; ++h) {
            if (traces(record_kind::action)) trace({record_kind::action, 0, t.source, h, numbers.transition(number_of(t), column_)});
            emit(kind::hook, h);
        }
    }
    constexpr std::uint32_t number_of(const constant_transition_row& t) const { return static_cast<std::uint32_t>(&t - &m_.transitions[0]); }
    constexpr reason reason_of(const constant_transition_row& t) const {
        if (t.event != no_index) return reason::event;
        const bool timed = t.timer >= 0 || (t.candidate >= 0 && m_.states[t.source].period >= 0);
        return t.on_finished ? reason::completion : timed ? reason::time : reason::poll;
    }

    constexpr void land(const list& jumps) {
        for (const auto at : jumps) ops[at].otherwise = begin();
    }
    constexpr bool is_machine(index s) const { return m_.is_machine(s); }
    constexpr const constant_transition_row& row(std::uint32_t t) const { return m_.transitions[t]; }

    /// Leaves are states without substates, and machines all of whose choices can be false.
    constexpr void number_leaves() {
        ranks_.append(m_.states.size(), no_index);
        for (index r = 0; r < Size.regions; ++r) {
            entered.push_back({static_cast<std::uint32_t>(leaves.size()), 0});
            number_leaves_of(r);
        }
    }
    constexpr void number_leaves_of(index region) {
        for (index s = m_.regions[region]; s <= m_.states[m_.regions[region]].last; ++s) {
            if (m_.states[s].region != region) continue;
            bool rests = false;
            if (m_.is_history(s)) continue;
            if (is_machine(s)) {
                const auto nothing = [](auto) {};
                flatten::entry_choice(
                    m_.states[s].choices, m_.states[s].initial, [&](auto t) { return m_.is_guarded(t); }, nothing, nothing, [&] { rests = true; },
                    [] {});
                if (!rests) continue;
            }
            ranks_[s] = static_cast<index>(leaves.size());
            constant_leaf_row leaf;
            leaf.state = s;
            leaf.over = m_.states[s].kind == state_kind::final && m_.states[s].superstate == 0;
            leaves.push_back(leaf);
        }
    }

    // Emit parts of one state or one transition.
    constexpr void call(const constant_span& hooks) {
        for (auto h = hooks.first; h < hooks.first + hooks.count; ++h) emit(kind::hook, h);
    }
    constexpr void enter(index s, progress& p) {
        if (has_regions && s != 0 && m_.is_parallel(m_.states[s].superstate)) {
            enter_regions(m_.states[s].superstate, 0, s);
            begin_region(m_.states[s].region);
            open_.push_back(s);
        }
        enter_state(s, p);
    }
    constexpr void enter_state(index s, progress& p) {
        const auto& state = m_.states[s];
        if (Size.entry_cells < Size.time_cells) emit(kind::enter_at, Size.entry_cells + state.entries - 1);
        if (Size.slots) emit(kind::enter_with, state.slots - 1);
        if (state.hold >= 0) emit(kind::enter_hold, s);
        trace_state(record_kind::entered, s);
        for (auto l = state.locals.first; l < state.locals.first + state.locals.count; ++l) emit(kind::construct, l);
        call(state.enter);
        for (auto i = state.timers.first; i < state.timers.first + state.timers.count; ++i) {
            emit(kind::arm, i);
            if (!traces(record_kind::armed)) continue;
            emit(kind::report_armed, static_cast<std::uint32_t>(records.size()));
            records.push_back({record_kind::armed, 0, s, i, 0});
        }
        if (state.kind == state_kind::final && state.superstate == 0) trace_state(record_kind::finished, 0);
        if (state.kind == state_kind::final && m_.states[state.superstate].mark >= 0)
            emit(kind::mark, static_cast<std::uint32_t>(m_.states[state.superstate].mark));
        else if (traces(record_kind::finished) && state.kind == state_kind::final && state.superstate != 0 && marks_all())
            trace_state(record_kind::finished, state.superstate);
        if (!has_regions)
            p.transient |= state.transient;
        else if (m_.tries_at_once(s))
            emit(kind::entered, m_.transient_number(s));
        if (m_.is_parallel(s)) set_leaf(s);
    }
    /// At run time, a chart that tests conditions marks all machines.
    constexpr bool marks_all() const {
        bool all = Size.conditions > 0;
        for (const auto& g : m_.guards) all |= g.kind == constant_guard<Context>::over;
        return all;
    }
    constexpr void set_leaf(index s) { emit(kind::leaf, ranks_[s] | std::uint32_t(m_.states[s].region) << 16); }
    /// Enters the regions of a parallel that begin after `from` and before `to`. `owner`: the state whose records select
    /// the leaves; no_index: the regions make their entry choices.
    constexpr void enter_regions(index parallel, index from, index to, index owner = no_index) {
        for (index r = 1; r < Size.regions; ++r)
            if (m_.above(r) == parallel && m_.regions[r] > from && m_.regions[r] < to)
                emit(kind::call, owner == no_index ? entered[r].enter : recorded_region(owner, r));
    }
    /// Enters the later regions of the parallels that contain the target.
    constexpr void enter_open_regions() {
        for (auto i = open_.size(); i-- > first_open_;) enter_regions(m_.states[open_[i]].superstate, open_[i], no_index);
    }
    /// The entries of a region belong to the transition that enters its parallel.
    constexpr void begin_region(index region) {
        if (Size.slots) emit(kind::enter_like, m_.states[m_.above(region)].slots - 1);
        emit(kind::changed, region);
    }
    /// Writes the program that enters a region without a target inside it, by the record of an owner if there is one.
    constexpr std::uint32_t enter_region(index region, index owner = no_index) {
        const auto at = begin();
        begin_region(region);
        transition_sink sink{*this, no_index, {}};
        enter_state(m_.regions[region], sink.p);
        if (owner != no_index) restore_leaf(owner, m_.regions[region], m_.states[owner].inner + region, true, sink.p);
        flatten::write_arrival(m_, m_.above(region), m_.regions[region], sink);
        return at;
    }
    constexpr std::uint32_t recorded_region(index owner, index region) {
        for (const auto& known : recorded_regions_)
            if (known.owner == owner && known.region == region) return known.at;
        return aside([&](std::uint32_t at) {
            recorded_regions_.push_back({owner, region, at});
            enter_region(region, owner);
        });
    }
    /// Writes the entries of a transition, or of the start, as a whole program.
    constexpr void entries(index level, const constant_transition_row& t) {
        transition_sink sink{*this, no_index, {}};
        enter_targets(level, t, sink);
        open_.clear();
    }
    template <class Sink> constexpr void enter_targets(index level, const constant_transition_row& t, Sink& sink) {
        list targets;
        m_.each_target(t, [&](index target) { targets.push_back(target); });
        enter_all(level, targets, sink);
    }
    /// Writes the entries of a fork: down to the parallel whose regions contain the targets, and then those of each region.
    template <class Sink> constexpr void enter_all(index level, const list& named, Sink& sink) {
        list targets; // without those that contain others
        for (const auto t : named) {
            bool is_innermost = true;
            for (const auto other : named) is_innermost &= other == t || !is_inside(t, other);
            if (is_innermost) targets.push_back(t);
        }
        const auto first = static_cast<index>(targets[0]);
        if (targets.size() == 1) return flatten::write_entries(m_, level, first, sink);
        auto parallel = m_.states[first].superstate;
        const auto contains_all = [&](index s) {
            bool all = true;
            for (const auto t : targets) all &= is_inside(s, t);
            return all;
        };
        while (!contains_all(parallel)) parallel = m_.states[parallel].superstate;
        flatten::entries(m_.states, level, parallel, [&](index s) { sink.enter(s); });
        for (index r = 1; r < Size.regions; ++r) {
            if (m_.above(r) != parallel) continue;
            list some;
            inside(m_.regions[r], targets, some);
            emit(kind::call, some.empty() || some[0] == m_.regions[r] ? entered[r].enter : region_program(r, some));
        }
        enter_open_regions();
        end(sink.p.code());
    }
    constexpr void inside(std::uint32_t outer, const list& from, list& to) const {
        for (const auto s : from)
            if (is_inside(outer, s)) to.push_back(s);
    }
    constexpr bool is_inside(std::uint32_t outer, std::uint32_t s) const {
        return flatten::contains(m_.states, static_cast<index>(outer), static_cast<index>(s));
    }
    /// Writes the program that enters a region with targets inside it.
    constexpr std::uint32_t region_program(index region, const list& targets) {
        return aside([&](std::uint32_t) {
            begin_region(region);
            transition_sink sink{*this, no_index, {}};
            enter_state(m_.regions[region], sink.p);
            enter_all(m_.regions[region], targets, sink);
        });
    }
    /// Writes the exits of a region from its leaf up to a level, or up to its parallel.
    constexpr std::uint32_t exits(index leaf, index level, bool notes_change = true) {
        const auto p = begin();
        const auto region = m_.states[leaf].region;
        const bool whole = level == m_.above(region);
        const bool is_entire = whole && region != 0;
        remember(leaf, level);
        if (notes_change) emit(kind::changed, region | (is_entire || level == no_index ? 0u : m_.states[level].depth + 1u) << 16);
        for (auto r = static_cast<index>(Size.regions); m_.is_parallel(leaf) && r-- > 1;)
            if (m_.above(r) == leaf) emit(kind::exit_region, r);
        flatten::exits(m_.states, leaf, level, [&](index s) { exit(s); });
        return p;
    }
    constexpr void exit(index s) {
        for (std::uint32_t t = 0; Size.candidates > 0 && t < Size.transitions; ++t)
            if (row(t).cooldown > 0 && m_.machine_of(row(t).target) == s) emit(kind::cool, t);
        call(m_.states[s].exit);
        const auto& locals = m_.states[s].locals;
        for (auto l = locals.first + locals.count; l > locals.first; --l)
            if (m_.locals[l - 1].destroy) emit(kind::destroy, l - 1);
        if (Size.slots) emit(kind::exit_with, m_.states[s].slots - 1);
        if (m_.states[s].mark >= 0) emit(kind::unmark, static_cast<std::uint32_t>(m_.states[s].mark));
        if (has_regions && m_.tries_at_once(s)) emit(kind::left, m_.transient_number(s));
        if (Size.holds > 0 && ends_waits(s)) emit(kind::exit_hold, s);
        trace_state(record_kind::exited, s);
    }
    /// Returns whether the state holds, or is the source of a transition that can wait.
    constexpr bool ends_waits(index s) const {
        bool ends = m_.states[s].hold >= 0;
        for (const auto& t : m_.transitions) ends |= t.source == s && t.waits >= 0;
        return ends;
    }
    /// A state that can hold a transition, and the test.
    struct held_by {
        index state = no_index;
        std::uint32_t at = 0;
    };
    using holder_list = constant_list<held_by>;
    /// Writes tests whether states hold the transition: in reverse order of definition. `leaf`: of a region; no_index: the
    /// program serves all leaves.
    constexpr void hold_tests(index leaf, std::uint32_t number, holder_list& holders) {
        if (Size.holds == 0 || row(number).waits < 0) return;
        const auto test = [&](index s) {
            const auto target = m_.states[s].takes_target ? row(number).target : index(0);
            if (m_.states[s].hold >= 0) holders.push_back({s, emit(kind::if_unheld, s | static_cast<std::uint32_t>(target) << 16)});
        };
        const auto level = row(number).level;
        if (!has_regions) return flatten::exits(m_.states, leaf, level, test);
        for (auto s = m_.states[level == no_index ? 0 : level].last; s != level && s != no_index; --s)
            if (may_coexist(s, row(number).source) && (leaf == no_index || may_coexist(s, leaf))) test(s);
    }
    /// Writes what happens if these hold a polled transition. Returns the jumps that follow.
    constexpr void wait(std::uint32_t number, const holder_list& holders, list& refused) {
        for (const auto& h : holders) {
            ops[h.at].otherwise = begin();
            emit(kind::waits_for, h.state | number << 16);
            if (const auto period = m_.states[row(number).source].period; row(number).candidate >= 0 && period >= 0)
                emit(kind::fall_due, static_cast<std::uint32_t>(period));
            refused.push_back(emit(kind::go_apart));
            blocked_ |= std::uint64_t(1) << m_.slot_of(row(number).level);
        }
    }
    /// Begins a search for polled transitions. `slot`: see constant_op::search.
    constexpr std::uint32_t begin_search(std::uint32_t slot = constant_no_slot) {
        blocked_ = 0;
        const auto p = begin();
        if (Size.holds > 0) emit(kind::search, slot);
        return p;
    }
    /// Begins the part of a search that concerns a leaf. With regions, the parts of all active leaves form one search.
    constexpr std::uint32_t begin_part() {
        if (!has_regions) return begin_search();
        blocked_ = 0;
        for (std::uint32_t t = 0; Size.held > 0 && t < Size.transitions; ++t)
            if (row(t).waits >= 0 && row(t).event == no_index) blocked_ |= std::uint64_t(1) << m_.slot_of(row(t).level);
        return begin();
    }
    /// Ends it. Returns the program, or 0 if it tries nothing.
    constexpr std::uint32_t end_search(std::uint32_t p) {
        if (begin() == p + (begin() > p && ops[p].kind == kind::search)) return ops.shrink(p), 0;
        return end(constant_next), p;
    }
    constexpr void unless_blocked(std::uint32_t number, list& refused) {
        const auto slot = m_.slot_of(row(number).level);
        if (Size.holds > 0 && row(number).target != no_index && !row(number).force && (blocked_ >> slot & 1))
            refused.push_back(emit(kind::if_unblocked, slot));
    }
    /// Writes the effect of a transition that fires on its timer.
    constexpr void use_timer(const constant_transition_row& t) {
        if (t.timer < 0 || t.event != no_index) return;
        const auto timer = static_cast<std::uint32_t>(t.timer);
        trace({record_kind::due, 0, t.source, timer, 0});
        const bool stays = t.target == no_index || t.level == t.source; // otherwise its source is exited
        if (m_.timers[timer].periodic || stays) emit(m_.timers[timer].periodic ? kind::repeat : kind::use_up, timer);
    }
    /// `context`: the state in which they are called.
    constexpr void guards(std::uint32_t number, index context, list& refused) {
        if (row(number).cooldown > 0) refused.push_back(emit(kind::if_cool, number));
        if constexpr (has_regions) {
            m_.each_of(row(number).joined, [&](index s) { refused.push_back(emit(kind::if_active, s)); });
            m_.each_of(row(number).excluded, [&](index s) { refused.push_back(emit(kind::if_inactive, s)); });
        }
        if (row(number).timer >= 0) refused.push_back(emit(kind::if_time, static_cast<std::uint32_t>(row(number).timer)));
        for (auto g = row(number).guard; g >= 0; g = m_.guards[static_cast<std::size_t>(g)].next) {
            const bool of_group = m_.guards[static_cast<std::size_t>(g)].is_group;
            refused.push_back(ask(static_cast<std::uint32_t>(g), of_group ? row(number).source : context, number));
        }
    }
    static constexpr std::uint32_t no_transition = 0xffff'ffff;
    /// Returns the jump for the result false. `number`: of the guard's transition.
    constexpr std::uint32_t ask(std::uint32_t g, index context, std::uint32_t number = no_transition) {
        const auto asked = emit(kind::ask, g);
        if (!traces(record_kind::guard)) return asked;
        const auto transition = number == no_transition ? record::no_number : numbers.transition(number, column_);
        return answer(asked, {record_kind::guard, 0, context, numbers.guard(g), transition}, m_.guards[g].is_group);
    }
    /// Lets a machine choose again, if its timer is due.
    constexpr void choose_again(index machine, index leaf) {
        const auto& state = m_.states[machine];
        const auto timer = static_cast<std::uint32_t>(state.period);
        list waits;
        if (state.period >= 0) {
            emit(kind::evaluate, machine); // nothing is picked
            waits.push_back(emit(kind::if_time, timer));
        }
        evaluate(machine, state.stay_bonus > 0, leaf);
        if (state.period >= 0) emit(kind::rearm, timer);
        if (is_by_chance(state.choose)) emit(kind::take_draw, 1);
        land(waits);
    }
    /// Picks a candidate of a machine or choice. `with_bonus`: the active candidate gets the stay_bonus.
    constexpr void evaluate(index chooser, bool with_bonus = false, index leaf = no_index) {
        const auto& span = m_.states[chooser].candidates;
        list decided;
        emit(kind::evaluate, chooser);
        for (auto t = span.first; t < span.first + span.count; ++t) {
            if (t > span.first && row(t).priority < row(t - 1).priority) decided.push_back(emit(kind::if_none_offered));
            list refused;
            guards(t, chooser, refused);
            emit(kind::score, t);
            if (traces(record_kind::scored)) {
                emit(kind::report_score, static_cast<std::uint32_t>(records.size()));
                records.push_back({record_kind::scored, 0, chooser, numbers.transition(t, column_), 0});
            }
            if (const auto target = m_.machine_of(row(t).target); with_bonus && may_be_active(target, leaf)) {
                test_active(target, leaf, refused);
                emit(kind::bonus, t);
            }
            land(refused);
        }
        land(decided);
        emit(kind::pick_candidate, chooser);
    }
    /// Emits the tests of a transition. `first`: no candidate of its source was tested before.
    constexpr void tests(std::uint32_t number, bool first, list& refused, kind picked = kind::if_picked, index leaf = no_index) {
        const auto source = row(number).source;
        if (row(number).candidate >= 0) {
            if (first) choose_again(source, leaf);
            refused.push_back(emit(picked, static_cast<std::uint32_t>(row(number).candidate)));
            return;
        }
        if (!m_.is_candidate(number)) return guards(number, source, refused);
        if (first) evaluate(source);
        refused.push_back(emit(picked, number));
    }
    /// Reports the result of a test. Returns the jump for the result false.
    constexpr std::uint32_t answer(std::uint32_t asked, record r, bool of_group = false) {
        r.what = static_cast<std::uint8_t>(of_group ? guard_answer::conditions_yes : guard_answer::yes);
        trace(r);
        const auto agreed = emit(kind::go);
        ops[asked].otherwise = begin();
        r.what = static_cast<std::uint8_t>(of_group ? guard_answer::conditions_no : guard_answer::no);
        trace(r);
        const auto elsewhere = emit(kind::go);
        ops[agreed].otherwise = begin();
        return elsewhere;
    }

    /// Writes a transition, or the entry of a machine: see write_transition.hpp.
    struct transition_sink {
        constant_writer& w;
        index leaf;
        progress p;
        index owner = no_index; ///< the state whose records are restored; no_index: none

        constexpr void begin(const constant_transition_row& t) {
            if (w.links_) w.emit(kind::link, leaf);
            if (Size.defers && t.event != no_index) w.emit(kind::check_chain);
            w.begin_firing(t);
            if (t.target == no_index) return;
            w.use_triggers(t);
            w.depart(leaf, w.reason_of(t), t.level);
            w.from_ = leaf;
            w.remember(leaf, t.level);
            w.enter_by(w.number_of(t));
        }
        constexpr void exit(index s) { w.exit(s); }
        constexpr void action(const constant_transition_row& t) {
            w.clear_entered(t);
            w.actions(t);
            if (t.target != no_index) w.announce(flatten::static_leaf(w.m_, t.target));
        }
        constexpr void enter(index s) { w.enter(s, p); }
        constexpr void choose(index machine, bool is_level) {
            if (w.m_.is_static(machine))
                w.entry(machine, p);
            else
                enter_elsewhere(machine, !is_level && w.m_.states[machine].history != history_depth::none);
        }
        constexpr void arrive(index s) {
            if (w.m_.states[s].history != history_depth::none && owner == no_index)
                enter_elsewhere(s, true);
            else
                w.done(s, p, owner);
        }
        constexpr void enter_elsewhere(index s, bool restores) {
            if (w.open_.size() > w.first_open_) {
                w.emit(kind::call, w.entry_program(s, {}, restores));
                w.enter_open_regions();
                w.end(p.code());
            } else {
                w.emit(kind::jump, w.entry_program(s, p, restores));
            }
        }
        constexpr void stay(const constant_transition_row&) { w.end(static_cast<constant_code>(result::internal)); }

        template <class Take> constexpr void try_choice(index machine, std::uint32_t number, const Take& take) {
            list refused;
            w.tests(number, number == w.m_.states[machine].choices.first, refused);
            const auto before = p; // alternatives share nothing
            const auto from = w.from_;
            const auto open = w.open_.size();
            take();
            w.open_.shrink(open);
            p = before;
            w.from_ = from;
            w.land(refused);
        }
        constexpr void choice_action(index machine, const constant_transition_row& t) {
            if (Size.always && machine == w.retried_) w.emit(kind::fired);
            if (Size.defers && machine == w.retried_) w.emit(kind::recall);
            if (has_regions && machine == w.retried_) w.emit(kind::changed, w.m_.states[machine].region | (w.m_.states[machine].depth + 1u) << 16);
            w.trace_transition(w.number_of(t), reason::entry);
            w.count_draw(t);
            w.use_triggers(t);
            w.actions(t);
            w.enter_by(w.number_of(t));
        }
        constexpr bool leads_elsewhere(index machine, const constant_transition_row& t) {
            if (t.further.count == 0) return false;
            return w.enter_targets(machine, t, *this), true;
        }
        constexpr void rest(index machine) {
            if (machine != w.retried_) return w.done(machine, p);
            w.trace_state(record_kind::arrived, machine);
            w.end(constant_next);
        }
    };

    /// Writes the steps from a leaf to the transition's end.
    constexpr void body(index leaf, std::uint32_t number) {
        const auto& t = row(number);
        transition_sink sink{*this, leaf, {t.level == no_index ? 0 : m_.states[t.level].depth + 1u, false}};
        flatten::write_transition(m_, leaf, t, sink);
    }
    /// Stores the leaf between exits and entries, if it is known. Otherwise the compiler combines the stores of both, which is slower if they use the
    /// same cache lines.
    constexpr void announce(index leaf) {
        if (has_regions || leaf == no_index || leaf == from_ || m_.is_history(leaf)) return;
        emit(kind::leaf, ranks_[leaf]);
        from_ = leaf;
    }
    constexpr void done(index leaf, progress p, index owner = no_index) {
        announce(leaf);
        trace_state(record_kind::arrived, leaf);
        flatten::entries(m_.states, no_index, leaf, [&](index s) {
            const auto& hooks = m_.states[s].change;
            if (s == leaf && m_.states[s].depth >= p.unchanged) return; // it was entered, and rests
            for (auto h = hooks.first; !has_regions && h < hooks.first + hooks.count; ++h) emit(kind::change, h);
        });
        if constexpr (has_regions) {
            if (!m_.is_parallel(leaf))
                set_leaf(leaf);
            else
                enter_regions(leaf, 0, no_index, owner);
            enter_open_regions();
        }
        end(p.code());
    }
    constexpr void depart(index leaf, reason why, index level) {
        if (Size.changes == 0) return;
        emit(kind::depart, leaf | static_cast<std::uint32_t>(why) << 16);
        if (has_regions) emit(kind::depart_level, level);
    }
    constexpr void entry(index machine, progress p) {
        transition_sink sink{*this, machine, p};
        flatten::write_entry(m_, machine, sink);
    }

    /// Visits the states that the owner of a record can have stored. `within`: its machine or parallel, or the outermost state of a region inside it.
    template <class Visit> constexpr void each_record(index owner, index within, Visit visit) const {
        list known;
        for (const auto& leaf : leaves) {
            const bool inside = flatten::contains(m_.states, within, leaf.state) && m_.states[leaf.state].region == m_.states[within].region;
            if (!inside) continue;
            const auto s = m_.is_history(owner) ? present(owner, leaf.state) : m_.recorded(owner, within, leaf.state, remember_finals_);
            bool is_new = s != 0;
            for (const auto other : known) is_new &= other != s;
            if (is_new) known.push_back(s);
        }
        for (const auto s : known) visit(static_cast<index>(s));
    }
    /// Returns the substate that a previous state records while `leaf` is active; 0: none.
    constexpr index present(index previous, index leaf) const {
        const auto machine = m_.states[previous].superstate;
        if (leaf == machine || !flatten::contains(m_.states, machine, leaf)) return 0;
        const auto s = m_.toward(machine, leaf);
        return counts(s) ? s : index(0);
    }
    constexpr bool counts(index s) const { return !m_.states[s].transient && (m_.states[s].kind != state_kind::final || remember_finals_); }
    /// Returns the state whose record is used by a machine that remembers or by a history state.
    constexpr index owner_of(index s) const { return m_.states[s].memory >= 0 ? s : m_.states[s].superstate; }
    static constexpr std::uint32_t of_record(std::int32_t memory, index s) {
        return static_cast<std::uint32_t>(memory) | static_cast<std::uint32_t>(s) << 16;
    }

    /// Writes the entry by a record: of a machine that remembers, or of a history state.
    constexpr void restore(index by, progress p) {
        const auto owner = owner_of(by), machine = m_.machine_of(by);
        const auto memory = m_.states[owner].memory + (m_.states[by].history == history_depth::previous);
        restore_leaf(owner, machine, memory, m_.states[by].history == history_depth::deep, p);
        const auto& otherwise = m_.states[by].initial;
        if (by == machine || otherwise.count == 0) return m_.is_parallel(machine) ? done(machine, p) : entry(machine, p);
        transition_sink sink{*this, machine, p};
        sink.choice_action(machine, row(otherwise.first));
        enter_targets(machine, row(otherwise.first), sink);
    }
    /// Writes the entries below `within` for each record of the owner. The entries without a record must follow.
    constexpr void restore_leaf(index owner, index within, std::int32_t memory, bool deep, progress p) {
        each_record(owner, within, [&](index s) {
            const auto other = emit(kind::if_remembered, of_record(memory, s));
            transition_sink sink{*this, within, p, deep ? owner : no_index};
            from_ = no_index;
            const auto open = open_.size();
            if (s == within)
                done(s, p, sink.owner);
            else
                flatten::write_entries(m_, within, deep ? s : m_.toward(within, s), sink);
            open_.shrink(open);
            ops[other].otherwise = begin();
        });
        from_ = no_index;
    }
    /// Visits the records of the regions inside the leaf. There are none unless the leaf is a parallel and the owner records leaves.
    template <class Visit> constexpr void each_inner(index owner, index leaf, Visit visit) const {
        if (!m_.is_parallel(leaf) || m_.states[owner].records != history_depth::deep) return;
        m_.each_region_inside(leaf, [&](index r) { visit(of_record(m_.states[owner].inner + r, r)); });
    }
    /// Writes the records of the states that will be exited, and of the previous states in machines whose substate will be.
    constexpr void remember(index leaf, index level) {
        if (Size.memories == 0) return;
        flatten::exits(m_.states, leaf, level, [&](index s) {
            const auto memory = m_.states[s].memory;
            if (memory < 0) return;
            emit(kind::remember, of_record(memory, m_.recorded(s, s, leaf, remember_finals_)));
            each_inner(s, leaf, [&](std::uint32_t record) { emit(kind::remember_leaf, record); });
        });
        for (index s = 0; s < m_.states.size(); ++s) {
            if (m_.states[s].history != history_depth::previous ||
                (level != no_index && !flatten::contains(m_.states, level, m_.states[s].superstate)))
                continue;
            if (const auto recorded = present(s, leaf); recorded != 0) emit(kind::remember_other, of_record(m_.states[s].memory, recorded));
        }
    }

    constexpr bool may_coexist(index a, index b) const {
        return flatten::may_coexist(m_.states, a, b, [&](index s) { return m_.is_parallel(s); });
    }
    /// Returns whether the state can be active while `leaf` is the leaf of its region. no_index: all leaves.
    constexpr bool may_be_active(index s, index leaf) const {
        return leaf == no_index || flatten::contains(m_.states, s, leaf) || (m_.is_parallel(leaf) && flatten::contains(m_.states, leaf, s));
    }
    constexpr bool is_always_active(index s, index leaf) const { return leaf != no_index && flatten::contains(m_.states, s, leaf); }
    /// Writes a jump to `no` if the state is not active.
    constexpr void test_active(index s, index leaf, list& no) {
        if (is_always_active(s, leaf)) return;
        no.push_back(may_be_active(s, leaf) ? emit(kind::if_active, s) : emit(kind::go));
    }
    /// Writes a part for each substate of the machine that can be active: write(substate), executed if it is active.
    template <class Write> constexpr void each_active(index machine, index leaf, Write write) {
        for (auto s = static_cast<index>(machine + 1); s <= m_.states[machine].last; s = static_cast<index>(m_.states[s].last + 1)) {
            if (m_.is_history(s) || !may_be_active(s, leaf)) continue;
            list other;
            test_active(s, leaf, other);
            write(s);
            land(other);
        }
    }
    /// Writes jumps to `yes` if the target of a polled transition of that level leads to active states, and to `no` otherwise: see enabled.cpp.
    constexpr void reach(index target, index leaf, index level, list& yes, list& no) {
        const auto& state = m_.states[target];
        const auto jump = [&](list& to) { to.push_back(emit(kind::go)); };
        if (!m_.is_history(target)) return test_active(target, leaf, no), jump(yes);
        const auto machine = state.superstate;
        test_active(machine, leaf, no);
        const auto owner = owner_of(target);
        if (m_.is_parallel(machine)) return jump(yes); // the transition exits it
        const bool exits = level != machine && (level == no_index || flatten::contains(m_.states, level, machine));
        if (state.history == history_depth::previous) {
            list none;
            each_active(machine, leaf, [&](index now) {
                if (!counts(now)) return;
                const auto other = emit(kind::if_remembered, of_record(state.memory, now));
                none_recorded(state.memory + 1, no);
                jump(none);
                ops[other].otherwise = begin();
                none_recorded(state.memory, no);
                jump(none);
            });
            none_recorded(state.memory + 1, no);
            land(none);
        } else if (exits) {
            each_active(machine, leaf, [&](index s) {
                if (m_.states[s].kind != state_kind::final || remember_finals_) jump(yes);
            });
        } else {
            each_record(owner, machine, [&](index s) {
                const bool deep = state.history == history_depth::deep;
                const auto restored = deep ? s : m_.toward(machine, s);
                if (!may_be_active(restored, leaf)) return;
                const auto other = emit(kind::if_remembered, of_record(m_.states[owner].memory, s));
                test_active(restored, leaf, no);
                if (deep) each_inner(owner, s, [&](std::uint32_t record) { no.push_back(emit(kind::if_leaf_remembered, record)); });
                jump(yes);
                ops[other].otherwise = begin();
            });
            none_recorded(m_.states[owner].memory, no);
        }
        if (state.initial.count) return reach_all(row(state.initial.first), leaf, level, yes, no);
        const auto leads = [&](auto t) { reach_all(row(t), leaf, level, yes, no); };
        const auto tried = [&](auto t) {
            list refused;
            tests(t, t == m_.states[machine].choices.first, refused, kind::if_previewed);
            leads(t);
            land(refused);
        };
        const auto rests = [&] {
            each_active(machine, leaf, [&](index) { jump(no); });
            jump(yes);
        };
        flatten::entry_choice(
            m_.states[machine].choices, m_.states[machine].initial, [&](auto t) { return m_.is_guarded(t); }, tried, leads, rests,
            [&] { reach(m_.states[machine].first, leaf, level, yes, no); });
    }
    constexpr void reach_all(const constant_transition_row& t, index leaf, index level, list& yes, list& no) {
        list reached;
        m_.each_target(t, [&](index target) {
            land(reached);
            reached.clear();
            reach(target, leaf, level, reached, no);
        });
        for (const auto jump : reached) yes.push_back(jump);
    }
    constexpr void none_recorded(std::int32_t memory, list& no) { no.push_back(emit(kind::if_remembered, of_record(memory, 0))); }

    /// An entry with guards is shared by all transitions with the same unchanged states. It is written after everything else.
    struct shared_entry {
        index machine = 0; ///< or a history state
        progress p;
        bool restores = false;
        std::uint32_t at = 0;
    };
    constexpr std::uint32_t entry_program(index machine, progress p, bool restores) {
        for (const auto& e : entries_)
            if (e.machine == machine && e.restores == restores && e.p.unchanged == p.unchanged && e.p.transient == p.transient) return e.at;
        return aside([&](std::uint32_t at) {
            entries_.push_back({machine, p, restores, at});
            if (restores)
                restore(machine, p);
            else
                entry(machine, p);
        });
    }
    /// Writes a program in the middle of another one. Returns where it begins: write(begin).
    template <class Write> constexpr std::uint32_t aside(Write write) {
        const auto around = emit(kind::go);
        const auto at = begin();
        const auto from = from_;
        const auto first_open = first_open_;
        from_ = no_index;
        first_open_ = open_.size();
        write(at);
        from_ = from;
        open_.shrink(first_open_);
        first_open_ = first_open;
        ops[around].otherwise = begin();
        return at;
    }

    const model& m_;
    decision_order order_;
    bool remember_finals_;
    std::uint32_t traced_kinds_;
    std::uint32_t column_ = no_column; ///< of the event of the current program
    index from_ = no_index;            ///< the leaf before the current transition
    index retried_ = no_index;         ///< the machine at rest that repeats its entry choice
    std::uint64_t blocked_ = 0;        ///< levels at which a transition of the current search can wait
    bool links_ = false;               ///< the current program follows another transition
    constant_list<index> open_;        ///< entered regions whose parallels have later regions to enter
    std::size_t first_open_ = 0;       ///< of the current program

private:
    constant_list<index> ranks_;
    constant_list<shared_entry> entries_;
    struct recorded_entry {
        index owner = 0, region = 0;
        std::uint32_t at = 0;
    };
    constant_list<recorded_entry> recorded_regions_;
};

} // namespace hsm::detail
