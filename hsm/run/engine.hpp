/// A running machine: the head that its ops see, and what can be done with it.
///
/// An event that comes when nothing else is going on is one program, run by `handle` in line; everything else, ticks,
/// queues, completion, chains, start and stop, is put together from programs and their parts in engine*.cpp. Which of the
/// two it is, `at` says.
#pragma once

#include <hsm/define/machine.hpp>
#include <hsm/run/instance_options.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <string_view>

namespace hsm {

struct chart_core;
struct transition_row;
struct tick_step;
struct target_spec;
struct planned;
class event_queue;
class mailbox;
class mailbox_queue;
struct queue_head;

class engine : public machine {
public:
    /// In `memory` of block_size bytes, aligned to block_alignment, or, if that is null, in its own.
    engine(const chart_core& core, void* context, const instance_options& options, void* memory);
    engine(engine&& other) noexcept;
    engine& operator=(engine&& other) noexcept;
    ~engine(); ///< destroys locals; runs no hooks

    static std::size_t block_size(const chart_core& core, const instance_options& options);
    static std::size_t block_alignment(const chart_core& core);

    /// May the next event go straight to its program?
    bool ready() const { return !at; }
    /// Is a call in progress?
    bool busy() const { return at && at != at_rest(); }

    /// The program for that event where the machine is now; null: nobody handles it. Only when ready.
    template <class E> const op* program_for(const E& event) const {
        if constexpr (!std::is_enum_v<E>) {
            const auto& type = event_type_of<E>;
            const auto& column = chart->columns[__atomic_load_n(&type.id, __ATOMIC_RELAXED) & chart->column_mask];
            if (column.type == &type) [[likely]] return row[column.first];
            return type.module == chart->module ? nullptr : row[find_column(detail::view_of_event(event))];
        } else {
            const auto value = static_cast<std::uint64_t>(event);
            if (value < chart->main_count && chart->main_type == &event_type_of<E>) [[likely]] return row[1 + value];
            return other_program_for(event);
        }
    }

    template <class E> [[gnu::noinline]] const op* other_program_for(const E& event) const {
        const auto& type = event_type_of<E>;
        const auto& column = chart->columns[__atomic_load_n(&type.id, __ATOMIC_RELAXED) & chart->column_mask];
        if (column.type == &type) {
            const auto offset = static_cast<std::uint64_t>(event) - static_cast<std::uint64_t>(column.first_value);
            if (offset < column.count) return row[column.first + offset];
            if (!column.listed) return nullptr;
        } else if (type.module == chart->module) {
            return nullptr;
        }
        return row[find_column(detail::view_of_event(event))];
    }

    /// Runs an event's program, and settles what it leaves. Only when ready.
    result handle(const op* first, const void* event) {
        payload = event;
        std::uintptr_t code;
#if defined(__cpp_exceptions)
        try {
            code = run(first, *this);
        } catch (...) {
            failed();
            throw;
        }
#else
        code = run(first, *this);
#endif
        if (work) [[unlikely]] return settle_after(code);
        return static_cast<result>(code);
    }

    // engine.cpp: what a user calls
    result start();
    result start(const state_key& target); ///< there, and not where the root's entry would lead
    result stop();
    result tick(std::int64_t elapsed);
    result decide();
    result update(std::int64_t elapsed);
    result drain();
    result process(const event_ref& event); ///< in any situation
    result post(const event_ref& event);
    result change_to(const state_key& target, bool force);
    result mark_finished(const state_key* state);
    result release(const state_key* state);
    result can(const event_ref& event);
    std::string suggestion_for(std::string_view event_name) const;

    // engine_time.cpp
    void pause(bool paused);
    bool is_paused() const { return (state & state_paused) != 0; }
    result scale_time(double factor);
    double time_scale() const;
    bool time_left(const transition_spec& spec, std::int64_t& left) const; ///< false: it has no time, or is not waiting

    // engine_conditions.cpp
    bool get_condition(const condition_key& key) const;
    void set_condition(const condition_key& key, condition_change to);
    void clear_conditions();

    // engine_life.cpp: without hooks, and around a life
    result restart();
    result reset();
    result set_state(const state_key& target);
    result destroy();

    // engine_take_over.cpp
    result take_over(engine& from);

    // engine_life.cpp: what an agent of a crowd has instead of an instance's memory
    struct agent_memory {
        std::size_t size;     ///< of its block; in front of it stands the chart's block_layout::front
        std::size_t deferral; ///< where in it deferred events are
    };
    static agent_memory agent_block(const chart_core& core, const instance_options& options);
    static queue_head* make_queues(const chart_core& core, const instance_options& options); ///< null if the options want none
    static std::size_t queues_size(const chart_core& core, const instance_options& options);
    static void delete_queues(const chart_core& core, queue_head* queues);

    state_ref current() const;
    state_ref next_leaf(state_ref last) const; ///< behind that one; empty: none is
    bool is_in(const state_key& key) const;
    bool is_finished() const { return (state & state_over) != 0; }
    std::int64_t time_in_state(const state_key& key) const;
    std::int64_t time_in_state(const state_base& s) const;
    std::size_t queued() const;
    hsm::mailbox* mailbox() const; ///< null if it has none
    std::string root_path() const; ///< for messages
    bool only_looks() const; ///< does a guard or predicate run? Then nothing may be changed
    void* local(const state_base* from, const local_type& type);
    void* root_context() const;

private:
    friend class seat; // lends the head of a machine to the agents of a crowd

    using index = std::uint16_t;
    using program = std::uint32_t;
    enum class phase { decisions = 1, hooks = 2, both = 3 };

    struct chain;
    class reached_tip;
    const chart_core& core() const;
    bool over() const { return leaf == 0xffff || (state & state_over); }
    /// While the root itself is exchanged nothing is active, but the call in progress goes on.
    bool inactive() const { return where() == 0xffff ? !busy() || outside_life() : (state & state_over) != 0; }
    /// Does an on_init or on_destroy hook run?
    bool outside_life() const;
    bool asks_guard() const; ///< is it a transition's guard, or a predicate, that runs, or threw?
    std::uint16_t chain_limit() const;
    index where() const; ///< the innermost active state, also while a program runs
    bool active(index s) const;
    index require(const target_spec& wanted, index from) const;
    std::uint32_t find_column(const event_ref& event) const;

    template <class Body> result exclusively(Body body);
    void enter();
    void leave();
    void recover() noexcept;
    bool is_in_step() const;
    void set_leaf(index s, index innermost) noexcept;
    void failed(bool was_active = true) noexcept;
    result settle_after(std::uintptr_t code);

    result run_tick(std::int64_t elapsed, phase what);
    bool pass(std::int64_t elapsed);
    result run_sections(std::int64_t elapsed);
    result tick_after_change(std::int64_t elapsed);
    result go_on(std::uintptr_t code);
    void advance(std::int64_t elapsed);
    void stamp();
    void walk(phase what);
    void walk_on(phase what, const tick_step* done, std::uintptr_t code);
    bool settle_step(phase what, const tick_step& done, std::uintptr_t code);
    const tick_step* run_steps(phase what, const tick_step* step, std::uintptr_t& code);
    bool is_over_with(std::uintptr_t& code);
    const tick_step* section_begun() const;
    const tick_step* first_step(index of) const;
    const tick_step* last_step(index of) const;
    void after_update(index of);
    index at_depth(int depth) const;
    void try_pending();
    void try_pending_at(std::size_t slot);
    void pending_out_of_hand();
    void try_waiting(index holder);
    void nothing_waits(int depth);
    bool must_wait(const transition_row& t);
    std::int64_t scaled(std::int64_t elapsed) const;

    void settle();
    void stop_now();
    struct arrivals;
    arrivals arrived();
    void handle_posted(const arrivals& there);
    template <class Queue> result handle_queued(Queue& queue);
    void drop_events(bool mailed = true);
    result handle_event(std::uint32_t column, const event_ref& event);
    void tell_unhandled(const event_ref& event);
    result enqueue(event_queue* queue, const event_ref& event, std::uint8_t bit);

    template <class Visit> bool deciders(Visit visit) const;
    template <class Visit> bool deciders_inwards(Visit visit) const;
    template <class Visit> bool deciders_outwards(index region, Visit visit) const;
    bool enabled(const transition_row& t);
    void begin_list();
    bool is_blocked(const transition_row& t) const;
    bool is_held(const transition_row& t);
    const transition_row* choose_polled(index source, bool always_only);
    const transition_row* choose_transient();
    const transition_row* choose_always();
    const transition_row* choose_always_at(index level, index source);
    const transition_row* choose_always_of_all();
    index next_due() const;
    const transition_row* take_completion();

    std::uintptr_t run_part(std::uint32_t part);
    void set_cause(const hsm::cause& c, index level);
    void fire(const transition_row& t, reason why);
    result request(index source, index target, bool force);
    // engine_conditions.cpp
    struct pulses;
    bool holds(std::uint32_t condition) const;
    bool has_pulses() const;
    void watch();
    void lead(std::uint32_t by);
    std::uint32_t leading() const;
    template <class Visit> void enter_each(index parallel, Visit visit);

    void carry_memory(engine& from);
    void prepare(const instance_options& options, std::size_t deferral);
    void initialize();
    void begin(reason why, index target = 0);
    void forget_all();
    void leave_quietly(index level);
    void leave_regions_quietly(index level);
    void enter_regions_quietly(index target);
    void enter_path_quietly(index target);
    void enter_quietly(index s);
    void discard(index s);
    void take_mark(index s);
    void transit(index level, index target, const transition_row* t);
    std::uintptr_t retry_entry(std::uint32_t entry_program);
    void keep(int states);

    // engine_regions.cpp: states left and entered where regions are driven
    index tip_now(index region) const;
    bool is_moving(index& s) const;
    planned plan(const transition_row& t, reason why) const;
    void carry_out(std::size_t count);
    void make_step(planned* steps, std::size_t count);
    void set_cause(const planned& p);
    void begin_step(planned* steps, std::size_t count);
    void exit_below(index level);
    void exit_region(index region, index stop);
    void exited(index s);
    void enter_targets(const planned& p);
    void enter_by_record(index level, std::span<const index> targets, reason why);
    void enter_into(index s, std::span<const index> targets, reason why);
    void enter_regions(index parallel, std::span<const index> targets, reason why);
    void enter_state(index s, reason why);
    void enter_on(program entries);
    void go_back(std::size_t place, bool deep);
    void follow(std::size_t place, index from, index tip);
    void follow_regions(std::size_t place, index parallel);
    void follow_region(std::size_t place, index region);
    void tell_changes(const planned& p);
    void abandon_step() noexcept;
    void exit_all_below(index level, std::exception_ptr& first) noexcept;
    void regions_left(index level);
    template <class Visit> void each_region(index parallel, Visit visit) const;

    // engine_choose.cpp: what regions do together
    struct wish;
    const transition_row* pick(index tip, wish& w);
    const transition_row* pick_of(index s, wish& w);
    bool choose_inwards(index region, wish& w);
    void choose_outwards(wish& w);
    void settle_deferrals(wish& w) const;
    void settle_conflicts(wish& w) const;
    std::size_t choose(wish& w);
    bool take_all(wish& w);
    index level_by_record(const transition_row& t) const;
    index level_now(const transition_row& t) const;
    result handle_by_regions(std::uint32_t column, const event_ref& event);
    result would_handle(std::uint32_t column);
    result foresee(wish& w);

    // engine_regions_tick.cpp
    void drive(phase what);
    void drive_decisions();
    void drive_state(index s, phase what);
    bool has_left(index s) const;
    bool drive_update(index s, phase what);
    bool decide_at(index level);
    void retry_at(index region);

    void take_transient(chain& links);
    bool take_always(chain& links);
    void offer_deferred();
    void recall_deferred(chain& links);

    event_queue* internal_queue() const;
    event_queue* posted_queue() const;
    mailbox_queue* mail() const;
    std::int64_t* times() const;

    friend struct host_calls; // asks on behalf of hooks
};

} // namespace hsm
