/// The machine at work: walks the tables of a chart, step by step as docs/semantics.md says. Readable before fast: a
/// second implementation of what hsm/run does with compiled programs, to hold it against. It uses none of the programs.
///
/// One active path from the root to the leaf; everything that is active is the leaf or one of its superstates. The leaf
/// moves with every exit and entry, so that at any moment, also when a hook throws, it says what is entered.
#pragma once

#include <hsm/compile/chart_core.hpp>
#include <hsm/define/machine.hpp>
#include <hsm/run/event_queue.hpp>
#include <hsm/run/instance_options.hpp>

#include <cstddef>
#include <vector>

namespace hsm {

/// Memory with an alignment that is known at run time only.
class aligned_memory {
public:
    aligned_memory(std::size_t size, std::size_t alignment);
    aligned_memory(const aligned_memory&) = delete;
    aligned_memory& operator=(const aligned_memory&) = delete;
    ~aligned_memory();

    std::byte* data() const { return data_; }

private:
    std::byte* data_;
    std::size_t alignment_;
};

class interpreter final {
public:
    interpreter(const chart_core& core, void* context, const instance_options& options);
    interpreter(const interpreter&) = delete;
    interpreter& operator=(const interpreter&) = delete;
    ~interpreter(); ///< destroys locals; runs no hooks

    // interpreter.cpp: what a user calls
    result start();
    result stop();
    result tick(std::int64_t elapsed);
    result decide();
    result update(std::int64_t elapsed);
    result drain();
    result process(const event_ref& event);
    result post(const event_ref& event);
    result change_to(const state_key& target);
    result mark_finished(const state_key* state);
    result can(const event_ref& event);

    state_ref current() const { return leaf_ == no_index ? state_ref() : state_ref(*core_.states[leaf_].node); }
    bool is_in(const state_key& key) const;
    bool is_finished() const { return leaf_ != no_index && finished_[0]; }
    std::int64_t now() const { return now_; }
    std::int64_t time_in_state(const state_base& s) const;
    std::int64_t time_in_state(const state_key& key) const;
    std::size_t queued() const { return internal_.size() + posted_.size(); }
    void* local_of_leaf(const local_type& type);

    void finish(const state_base& s);
    void* local(const state_base* from, const local_type& type); ///< null, too, if `from` is

private:
    enum class phase { decisions = 1, hooks = 2, both = 3 };

    /// Why a hook runs, and the object of the event that it is about.
    struct occasion {
        hsm::cause cause;
        const void* payload = nullptr;
    };
    struct stage; ///< the machine that a hook sees; interpreter_hook.cpp

    // interpreter.cpp
    template <class Body> result exclusively(Body body);
    result enqueue(event_queue& queue, const event_ref& event);
    /// While the root itself is exchanged nothing is active, but the call in progress goes on.
    bool inactive() const { return leaf_ == no_index ? !busy_ : finished_[0]; }
    bool over() const { return leaf_ == no_index || finished_[0]; }
    result run(std::int64_t elapsed, phase what);
    void handle_posted();
    void stop_now();
    index require(const target_spec& wanted, index from) const; ///< throws state_error

    // interpreter_step.cpp: what happens in which order
    struct chain;
    void walk(phase what);
    bool decide_level(index level);
    bool decide_innermost();
    bool retry_entry(index machine);
    void update_state(index s);
    void react_to_update(index s, const successor& next);
    const transition_row* take_completion();
    void settle();
    result handle(std::uint16_t event, const event_ref& ref);
    result handle_queued(event_queue& queue);

    // interpreter_choose.cpp: which transition
    std::vector<index> deciders() const;
    bool holds(const transition_row& t, const occasion& c);
    const transition_row* choose_event(std::uint16_t event, const event_ref& ref, bool& guarded);
    const transition_row* choose_polled(index source, const index* level);
    const transition_row* choose_at_level(index level);
    const transition_row* choose_innermost();
    const transition_row* choose_transient();
    struct entry_choice_of {
        const transition_row* row; ///< null: the first substate, by default
        index target;              ///< no_index: all choices refused
    };
    entry_choice_of choose_entry(index machine, const occasion& c);

    // interpreter_transit.cpp: one transition
    void fire(const transition_row& t, reason why, const event_ref* event = nullptr);
    void request(index source, index target, reason why);
    void transit(index level, index target, const transition_row* actions, const occasion& c);
    void completed(index level, const occasion& c);
    void exit_leaf(const occasion& c);
    void enter(index s, const occasion& c);
    void enter_below(index level, index target, const occasion& c);
    void make_entry_choices(const occasion& c);
    void notify(index level, const occasion& c);
    void run_actions(const transition_row& t, index where, const occasion& c);
    void run_hooks(const span_of& hooks, index s, const occasion& c);
    void left(index s) noexcept;
    void destroy_locals(index s, std::uint32_t count) noexcept;
    void mark(index s);

    // interpreter_hook.cpp: a user's code
    void call(const hook_row& row, stage& on);
    bool ask(const guard_row& row, stage& on);
    void* context_of(index s) const;
    static const host_calls calls_;

    occasion occasion_of(const transition_row& t, reason why, const event_ref* event = nullptr) const;
    bool active(index s) const { return leaf_ != no_index && s != no_index && core_.contains(s, leaf_); }
    bool is_machine(index s) const { return core_.states[s].kind == state_kind::machine; }
    index toward_leaf(index machine) const; ///< the active substate of an active machine that is not the leaf
    const state_base* node(index s) const { return s == no_index ? nullptr : core_.states[s].node; }
    int depth(index s) const { return s == no_index ? -1 : core_.states[s].depth; }

    template <class Row> struct rows {
        const Row* first;
        std::size_t count;
        const Row* begin() const { return first; }
        const Row* end() const { return first + count; }
    };
    template <class Row> static rows<Row> of(const std::vector<Row>& table, const span_of& span) {
        return {table.data() + span.first, span.count};
    }

    const chart_core& core_;
    chart_head head_; ///< what hooks take for the chart: leads back to here
    void* const context_;
    const std::uint16_t chain_limit_;

    index leaf_ = no_index;    ///< the innermost active state; a machine here is at rest
    std::int64_t now_ = 0;     ///< nanoseconds that have passed for this instance
    std::int64_t elapsed_ = 0; ///< of the tick or update in progress
    std::uint64_t fired_ = 0;  ///< transitions so far
    bool busy_ = false;        ///< a call is in progress: hooks may be running
    bool stop_requested_ = false;
    bool transients_due_ = false;  ///< states entered by the last transition have not been tried
    index fresh_level_ = no_index; ///< its level

    // per state
    std::vector<std::uint32_t> activation_; ///< counts entries: tells an activation from the next
    std::vector<std::int64_t> entered_at_;
    std::vector<bool> finished_;       ///< marked as over, until its exit
    std::vector<bool> completion_due_; ///< marked, and its on_finished transitions have not been tried yet

    aligned_memory internal_slots_;
    aligned_memory posted_slots_;
    event_queue internal_;
    event_queue posted_;
    aligned_memory block_; ///< locals
};

} // namespace hsm
