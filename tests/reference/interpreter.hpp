/// The reference interpreter: it walks the tables of a chart, step by step as in docs/reference/semantics.md. It is written for readability, not for
/// speed, and is compared with hsm/run, which runs compiled programs. It uses none of the programs.
///
/// The active states are a set that contains each state's superstate. It changes with every exit and entry, so at any moment, also when a hook
/// throws, it contains the entered states. The selection of transitions, the exits and entries of a step, and histories follow SCXML's algorithm (REC
/// 2015-09-01, Appendix D).
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/define/detail/hook_context.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/op/input.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/event_queue.hpp>
#include <hsm/run/instance_options.hpp>
#include <tests/reference/aligned_memory.hpp>
#include <tests/reference/event_copy.hpp>

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace hsm::detail {

class interpreter final {
public:
    interpreter(const chart_core& core, void* context, const instance_options& options);
    interpreter(const interpreter&) = delete;
    interpreter& operator=(const interpreter&) = delete;
    ~interpreter(); ///< destroys locals; runs no hooks

    // interpreter_life.cpp: from the first start to the end
    result start();
    result start(const state_key& target);
    result stop();
    result restart();
    result reset();
    result destroy();
    result set_state(const state_key& target);

    // interpreter.cpp: the calls of users
    result tick(std::int64_t elapsed);
    result decide();
    result update(std::int64_t elapsed);
    result drain();
    result process(const event_ref& event);
    result post(const event_ref& event);
    result change_to(const state_key& target, bool force, const state_base* written_in = nullptr);
    result mark_finished(const state_key* state); ///< null: the leaf
    result mark_released(const state_key* state);
    result can(const event_ref& event);

    state_ref current() const { return state_ref(node(region_leaf(0))); }
    std::vector<state_ref> leaves() const;
    bool is_in(const state_query& key, const state_base* written_in = nullptr) const;
    bool is_finished() const { return active(0) && finished_[0]; }
    std::int64_t now() const { return now_; }
    std::int64_t time_in_state(const state_base& s) const;
    std::int64_t time_in_state(const state_key& key) const;
    std::size_t queued() const { return internal_.size() + posted_.size() + deferred_.size() - offering_; }
    void* local_of_leaf(const local_type& type);

    // interpreter_reload.cpp
    bool has_waiting() const; ///< transitions, events or requests wait for a state that holds
    /// Requires a machine that was never started. Takes the state of a machine of another chart, which has no waiting ones.
    void come_from(interpreter& from, const std::vector<index>& place);

    // interpreter_conditions.cpp
    bool get_condition(const condition_key& key) const;
    void set_condition(const condition_key& key, condition_change to);
    void trigger(const condition_key& key);
    void clear_conditions();

    // interpreter_time.cpp
    void pause(bool paused) { paused_ = looking_ ? paused_ : paused; }
    bool is_paused() const { return paused_; }
    result scale_time(double factor);
    double time_scale() const { return time_scale_; }
    std::optional<std::int64_t> time_left(const timer_key& key) const;
    result set_timer(const timer_key& key, timer_change to, std::int64_t left);

    void finish(const state_base& s);
    void release(const state_base& s);
    void* local(const state_base* from, const local_type& type); ///< null also if `from` is null

private:
    enum class phase { decisions = 1, hooks = 2, both = 3 };

    /// Why a hook runs, and the payload of its event.
    struct occasion {
        hsm::detail::cause cause;
        const void* payload = nullptr;
        reason entered = reason::none; ///< entry or history: enters a state instead of the transition's own target

        occasion by(reason r) const { return {cause, payload, r}; }
    };
    struct stage; ///< the machine that a hook accesses; interpreter_hook.cpp
    /// While it exists, user code must not change the machine.
    struct looking {
        explicit looking(interpreter& i) : self(i), before(std::exchange(i.looking_, true)) {}
        looking(const looking&) = delete;
        ~looking() { self.looking_ = before; }

        interpreter& self;
        const bool before;
    };

    /// A part of a microstep: a selected transition, or a request.
    struct move {
        const transition_row* row = nullptr; ///< null: a request, a start
        index source = no_index;
        std::vector<index> targets; ///< empty: an internal reaction
        index level = no_index;
        hsm::reason why = reason::none;
        const event_ref* event = nullptr;
    };
    using rows = std::vector<const transition_row*>;

    // interpreter.cpp
    template <class Body> result exclusively(Body body); ///< interpreter_exclusively.hpp
    result enqueue(event_queue& queue, const event_ref& event);
    /// While the root itself is replaced, no state is active, but the call continues.
    bool inactive() const { return active_.empty() ? !busy_ || preparing_ : finished_[0]; }
    bool over() const { return active_.empty() || finished_[0]; }
    result run(std::int64_t elapsed, phase what);
    void take_up();
    void pass_moments(std::int64_t end);
    bool fires_at_its_moment(const transition_row& t);
    void handle_posted(std::size_t count);

    // interpreter_life.cpp
    void enter_root(reason why, index target = 0);
    void initialize();
    void destroy_below(index end, std::exception_ptr& first) noexcept;
    void stop_now();
    void forget_everything() noexcept;
    void exit_silently(index level) noexcept;
    void take_mark(index s) noexcept;

    // interpreter_step.cpp: the order of steps
    struct chain;
    void walk(phase what);
    void walk_into(index s, phase what);
    bool decide_level(index level);
    void decide_all();
    bool retry_entry(index machine);
    void update_state(index s);
    void react_to_update(index s, const successor& next);
    void run_to_completion();
    result handle_queued(event_queue& queue);
    void run_on_unhandled(const event_ref& event);

    // interpreter_event.cpp: the effects of an event
    struct answer {
        result outcome = result::unhandled;
        rows firing;
        std::vector<std::pair<const transition_row*, index>> waiting; ///< with the states that hold them
    };
    /// A deferred event.
    struct deferred {
        std::uint16_t number;
        std::shared_ptr<const event_copy> event;
    };
    enum class came_from { caller, queue };
    answer consider(std::uint16_t event, const event_ref& ref);
    result handle(std::uint16_t event, const event_ref& ref, came_from where);
    void take(const answer& a, const event_ref& ref, std::shared_ptr<const event_copy> unchanged);
    result defer(std::uint16_t event, const event_ref& ref, came_from where);
    bool recall(chain& links);

    // interpreter_choose.cpp: the candidates of a state
    enum class asked { polled, transient, always };
    std::vector<index> in_order_of_decision() const;
    bool holds(const transition_row& t, const occasion& c);
    bool tests_hold(const transition_row& t, const occasion& c);
    const transition_row* choose(index source, const occasion& c, bool again);
    const transition_row* choose_again(const transition_row& t, const occasion& c);
    const transition_row* pick(index source, const std::vector<std::pair<const transition_row*, double>>& offers) const;
    void count_draw(const transition_row& t);
    bool may_fire(const transition_row& t);
    bool satisfied(const transition_row& t);
    bool stands_for_active(index target, index level);
    const transition_row* prospective_choice(index machine);
    const transition_row* candidate(index source, std::uint16_t event, const event_ref& ref, bool& guarded, bool deferrals);
    const transition_row* select_any_event(const event_ref& ref, bool& guarded);
    rows polled_of(index source, asked as) const;
    const transition_row* select_polled(index source, asked as, std::set<index>& held_at);
    const transition_row* select_among(const rows& candidates, std::set<index>& held_at);
    rows in_order_of_polling(std::optional<index> level, asked as) const;
    const transition_row* select_at_level(index level);
    index next_completion() const;
    const transition_row* take_completion();

    // interpreter_select.cpp: the selected candidates of a step
    template <class First> rows select_transitions(First first) const;
    template <class First> bool select_inwards(index region, First& first, rows& chosen) const;
    rows select_for_event(std::uint16_t event, const event_ref& ref, bool& guarded, bool& unchanged);
    rows yielding(const rows& chosen, const rows& deferrals) const;
    rows select_polled_set(asked as);
    rows without_conflicts(const rows& chosen) const;
    rows remove_conflicting(const rows& chosen) const;
    rows keep_outermost(const rows& chosen) const;
    index level_of(const transition_row& t) const;

    // interpreter_hold.cpp: states that cannot be exited yet, and the transitions that wait for them
    struct waiting {
        const transition_row* row = nullptr;
        index holder = no_index;          ///< it is tried again after the update of this state
        bool exited_after_update = false; ///< the holder was exited, and its update is still being processed
    };
    /// An event or a request that waits until the states that it exits no longer hold.
    struct pending {
        const transition_row* row = nullptr; ///< null: a request
        index source = no_index, target = no_index, level = no_index;
        std::shared_ptr<const event_copy> event; ///< null: a request
    };
    bool is_held_by(index s, index target);
    index holder(index level, index target);
    index holder(const transition_row& t);
    waiting& waiting_at(index level) { return waiting_[slot(level)]; }
    void wait(const transition_row& t,
              index for_state); ///< if nothing waits at its level, and a tick is in progress
    void retry_waiting(index updated, std::uint32_t activation);
    void stop_waiting();
    std::optional<pending>& pending_at(index level) { return pending_[slot(level)]; }
    bool turned_away(index level, int priority);
    void keep(const transition_row& t, index for_state, std::shared_ptr<const event_copy> event);
    result pend_request(index source, index target, index level, index for_state);
    void try_pending();
    void try_pending_in(index region);
    void try_pending_at(index level);
    void drop_for(index left) noexcept;
    /// A state was asked to leave because it holds a polled transition, or what is pending at a level.
    struct leave_request {
        index state;
        const transition_row* row; ///< null: what is pending
        index level;
        bool is_due; ///< its hooks have not run
    };
    void ask_to_leave(index s, const transition_row* t, index level = no_index);
    void no_longer_ask_for(const transition_row& t);
    void no_longer_ask_at(index level);
    bool run_on_leave_requested();
    void forget_due_requests();
    static std::size_t slot(index level) { return level == no_index ? 0 : level + std::size_t(1); }

    // interpreter_time.cpp
    std::int64_t passing(std::int64_t elapsed) const;
    bool due(const transition_row& t) const;
    void use_up_time(const transition_row& t);
    void start_timers(index s);
    void start_timer(index s, std::uint32_t number);
    rows timed(const timer_key& key) const;

    // interpreter_conditions.cpp
    std::uint32_t require(const condition_key& key) const; ///< throws condition_error
    bool condition(std::uint32_t number) const { return number == 0 ? !active_.empty() && is_over(region_leaf(0)) : bits_[number]; }
    bool is_over(index leaf) const; ///< also true for final states
    bool agree(const transition_row& t, bool over) const;
    void use_triggers(const transition_row& t);
    void begin_pulses();
    void end_pulses();
    void reset_entry_conditions(const std::vector<const transition_row*>& store_entered_by);

    // interpreter_transit.cpp: one microstep
    move move_of(const transition_row& t, reason why, const event_ref* event = nullptr) const;
    void fire(const transition_row& t, reason why, const event_ref* event = nullptr);
    void fire_all(const rows& set);
    result request(index source, index target, bool force);
    result request(index source, index target, index level, bool force);
    result request_from_outside(index target, bool force);
    void make_request(index source, index target, index level);
    void step(const std::vector<move>& set);
    void rest_after_exception(const std::vector<move>& set, const occasion& c) noexcept;
    void completed(const std::vector<move>& set, const std::vector<occasion>& why);
    std::set<index> exit_set(const std::vector<move>& set) const;
    void exit(index s, const occasion& c);
    void enter(index s, const occasion& c, bool silently = false);
    void notify(index level, const occasion& c);
    void run_actions(const transition_row& t, index where, const occasion& c);
    void run_hooks(const span_of& hooks, index s, const occasion& c);
    void left(index s) noexcept;
    void not_entered(index s, std::uint32_t built) noexcept;
    void destroy_locals(index s, std::uint32_t count) noexcept;
    void mark(index s);
    bool is_awaited(std::string_view name) const; ///< a transition waits for it, not only any_event
    void raise(const std::string& name, event_data data);
    void raise_done(index final, const event_data& data);
    bool in_final(index s) const;

    // interpreter_entry.cpp: the entered states
    struct entry_set;
    void enter_states(index level, const std::vector<index>& targets, const occasion& c, const transition_row* by);
    void lead(entry_set& n, index inside, const transition_row* by, bool itself = true) const;
    void go_on_below(entry_set& n, index s, bool anew);
    void add_targets(entry_set& n, std::span<const index> targets, reason why, bool by_entry_choice);
    void add_descendants(entry_set& n, index s, reason why) const;
    void add_by_history(entry_set& n, index history, reason why, bool by_entry_choice);
    void add_ancestors(entry_set& n, index s, index top, reason why) const;
    void add_recorded(entry_set& n, index s, index top) const;
    void make_entry_choice(entry_set& n, index machine);
    void add_regions(entry_set& n, index parallel, bool anew);

    // interpreter_history.cpp: the records of machines and parallels
    void record(const std::set<index>& leaving);
    bool is_previous(index s) const;
    std::vector<index> visited(index previous, const std::set<index>& leaving) const;
    std::vector<index> recorded_for(index history, const std::set<index>& leaving) const;
    std::vector<index> recorded(index s, history_depth depth) const;
    void effective_targets(index target, std::vector<index>& out) const;
    index lcca(index source, const std::vector<index>& others) const;

    // interpreter_reload.cpp
    void begin_from(interpreter& from, index old, index s, const std::vector<index>& place);
    const transition_row* counterpart(const chart_core& before, const transition_row& old, const std::vector<index>& place) const;
    void take_record(const interpreter& from, index owner, const std::vector<index>& place);
    std::uint16_t number_of(const event_key& key) const;
    void take_queue(event_queue& queue, const event_queue& old, const chart_core& before, const std::vector<index>& place);

    // interpreter_hook.cpp: user code
    std::vector<local_slot> local_slots_of(const hook_row& row, const stage& on);
    void call(const hook_row& row, stage& on);
    bool ask(const guard_row& row, stage& on);
    double score_of(const transition_row& t, stage& on);
    bool ask_caught(const guard_row& row, stage& on);
    void* context_of(index s) const;
    static const host_calls calls_;

    occasion occasion_of(const transition_row& t, reason why, const event_ref* event = nullptr) const;
    occasion occasion_of(const move& m) const;

    bool active(index s) const { return active_.contains(s); }
    bool is(state_kind kind, index s) const { return s != no_index && core_.states[s].kind == kind; }
    bool within(index outer, index s) const { return outer == no_index || core_.contains(outer, s); }
    bool below(index outer, index s) const { return outer != s && within(outer, s); }
    index active_child(index s) const; ///< of a machine; no_index: none
    index region_leaf(index s) const;  ///< from an active state inwards, without entering a parallel; no_index if it is not active
    index region_of(index s) const { return s == no_index ? 0 : core_.regions[core_.states[s].region]; }
    std::vector<index> regions_of(index parallel) const; ///< its substates, active or not
    std::vector<index> leaf_states() const;
    bool rests(index s) const { return is(state_kind::machine, s) && active(s) && active_child(s) == no_index; }
    std::vector<index> path_to(index s) const; ///< from the root
    /// In reverse document order. Returns a copy, so that states can be exited in a loop.
    static std::vector<index> last_first(const std::set<index>& states) { return {states.rbegin(), states.rend()}; }
    const state_base* node(index s) const { return s == no_index ? nullptr : core_.states[s].node; }
    int depth(index s) const { return s == no_index ? -1 : core_.states[s].depth; }

    template <class Row> struct part_of {
        const Row* first;
        std::size_t count;
        const Row* begin() const { return first; }
        const Row* end() const { return first + count; }
    };
    template <class Row> static part_of<Row> of(const table<Row>& rows, const span_of& span) { return {rows.data() + span.first, span.count}; }

    const chart_core& core_;
    chart_head head_; ///< the chart that hooks access; it leads back to this object
    void* const context_;
    const std::uint16_t chain_limit_;
    const std::size_t deferred_capacity_;
    const std::uint64_t seed_, stream_; ///< of choices by chance
    std::uint64_t draws_ = 0;
    std::vector<std::int64_t> cool_until_; ///< by cooldown
    index chooser_ = no_index;             ///< the last state that has chosen a candidate since a list of transitions began
    const transition_row* chosen_ = nullptr;

    std::set<index> active_;   ///< in document order
    std::int64_t now_ = 0;     ///< the instance's clock, in nanoseconds
    std::int64_t elapsed_ = 0; ///< of the current tick or update
    std::uint64_t fired_ = 0;  ///< the number of transitions so far
    bool busy_ = false;        ///< a call is in progress: hooks may be running
    bool preparing_ = false;   ///< init or destroy hooks are running: most calls of hooks are refused
    bool initialized_ = false; ///< and not destroyed since then
    bool ticking_ = false;     ///< a tick, decide or update is in progress
    bool previewing_ = false;  ///< can() is calling guards
    bool looking_ = false;     ///< a guard or predicate is running: no changes are allowed
    index updated_ = no_index; ///< the state whose update is being processed
    bool stop_requested_ = false;
    bool transients_due_ = false;  ///< states entered by the last step have not been tried
    std::set<index> just_entered_; ///< these states
    std::set<index> moved_;        ///< levels of transitions that fired in this tick's decisions
    bool always_due_ = false;      ///< transitions that are tried after every other have not been tried
    bool recall_due_ = false;      ///< deferred events have not been recalled
    bool offering_ = false;        ///< guards are called for one of these
    bool paused_ = false;
    double time_scale_ = 1;

    // per state
    std::vector<std::uint32_t> activation_; ///< counts entries, to distinguish activations
    std::vector<std::int64_t> entered_at_;
    std::vector<bool> finished_;             ///< marked as finished, until its exit
    std::vector<bool> completion_due_;       ///< marked, and its on_finished transitions have not been tried
    std::vector<index> marks_;               ///< these states, in the order of their marks
    std::vector<bool> released_;             ///< released from its holds, until its exit
    std::vector<std::vector<index>> record_; ///< of history owners: the innermost active states when they were last exited

    std::vector<const transition_row*> entered_by_; ///< the transition that entered it; null: none

    const transition_row* leading_ = nullptr; ///< the transition of the current entries

    // per condition
    enum class pulse : std::uint8_t { none, set, ending };
    std::vector<bool> bits_; ///< without bit 0
    std::vector<pulse> pulses_;

    // per level, see slot()
    std::vector<waiting> waiting_;
    std::vector<std::optional<pending>> pending_;

    std::vector<leave_request> leave_requests_; ///< for as long as they are not new

    // per timer
    std::vector<std::int64_t> due_; ///< `never`: not running, already fired, or canceled
    std::vector<std::int64_t> period_;

    aligned_memory internal_slots_;
    aligned_memory posted_slots_;
    event_queue internal_;
    event_queue posted_;
    std::vector<deferred> deferred_; ///< oldest first
    aligned_memory block_;           ///< for locals
};

} // namespace hsm::detail
