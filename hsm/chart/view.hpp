/// The contents of a chart, for output and tools:
/// `for (const auto t : chart.view().transitions()) fmt::print("{}\n", t.text());`
///
/// A view is only a pointer, and a handle is a pointer and a number. Views and handles are valid as long as the chart exists. An empty handle
/// converts to false, and none of its other functions may be called. The numbers of handles are the numbers in records and traces. Equal definitions
/// have equal numbers. The data behind a view is built when a thread first needs it; afterwards it is only read. Constant charts have the same view:
/// hsm/constant/constant_view.hpp. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/chart/detail/chart_facts.hpp>
#include <hsm/chart/fingerprint.hpp>
#include <hsm/define/time_span.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hsm {

class chart_view;
class state_view;
class transition_view;
class event_view;
class condition_view;
class guard_view;
class hook_view;
class timer_view;

/// A range of handles.
template <class Handle> class view_list {
public:
    view_list(const detail::chart_facts* facts, detail::fact_span span) : facts_(facts), first_(span.first), count_(span.count) {}
    view_list(const detail::chart_facts* facts, const std::vector<std::uint32_t>& numbers)
        : facts_(facts), numbers_(numbers.data()), count_(static_cast<std::uint32_t>(numbers.size())) {}

    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    Handle operator[](std::size_t i) const { return Handle(facts_, numbers_ ? numbers_[i] : first_ + static_cast<std::uint32_t>(i)); }

    class iterator {
    public:
        using value_type = Handle;
        using difference_type = std::ptrdiff_t;
        iterator() = default;
        iterator(const view_list* list, std::size_t i) : list_(list), i_(i) {}
        Handle operator*() const { return (*list_)[i_]; }
        iterator& operator++() { return ++i_, *this; }
        iterator operator++(int) { return iterator(list_, i_++); }
        friend bool operator==(const iterator& a, const iterator& b) { return a.i_ == b.i_; }

    private:
        const view_list* list_ = nullptr;
        std::size_t i_ = 0;
    };
    iterator begin() const { return {this, 0}; }
    iterator end() const { return {this, count_}; }

private:
    const detail::chart_facts* facts_;
    const std::uint32_t* numbers_ = nullptr; ///< null: the numbers are consecutive
    std::uint32_t first_ = 0;
    std::uint32_t count_;
};

namespace detail {
/// The base class of all handles.
class view_handle {
public:
    view_handle() = default;
    view_handle(const chart_facts* facts, std::uint32_t number) : facts_(number == no_fact ? nullptr : facts), number_(number) {}

    explicit operator bool() const { return facts_ != nullptr; }
    std::uint32_t number() const { return number_; }
    chart_view chart() const; ///< the chart that the handle belongs to
    friend bool operator==(const view_handle&, const view_handle&) = default;
    friend const chart_facts& facts_behind(const view_handle& v) { return *v.facts_; }

protected:
    const chart_facts* facts_ = nullptr;
    std::uint32_t number_ = no_fact;
};
} // namespace detail

class event_view : public detail::view_handle {
public:
    using view_handle::view_handle;
    std::string_view name() const; ///< the unqualified name of a class or an enumerator, or the name of a named event
    std::string_view type_name() const;
    bool is_name() const;                           ///< the event is only a name, without a user type
    std::int64_t value() const;                     ///< the value of an enumerator or a byte
    std::span<const event_interval> values() const; ///< all values, if the event stands for several; otherwise empty
    std::span<const std::string> former_names() const;
    std::string text() const; ///< "start", "game::hit", "go of game::signal"
};

class condition_view : public detail::view_handle {
public:
    using view_handle::view_handle;
    std::string_view name() const; ///< empty: the condition has no name
    state_view owner() const;      ///< the state that declares the condition; without a declaration, the first state that uses it
    file_position where() const;
    std::span<const std::string> former_names() const;
    bool is_trigger() const;
    std::string text() const; ///< its name, or "bit 3"; bit 0 is "is finished"
};

class guard_view : public detail::view_handle {
public:
    using view_handle::view_handle;
    std::string_view label() const; ///< set by hsm::named, or the registered name; empty: none
    file_position where() const;
    state_view state() const;           ///< the state of the guard
    transition_view transition() const; ///< empty: it belongs to the state itself
    std::string text() const;           ///< its label, or else its source position, or else "guard 2 of idle -> run"
    bool is_hidden() const;             ///< a loader added the guard for its own use: tools need not show it
};

class hook_view : public detail::view_handle {
public:
    using view_handle::view_handle;
    std::string_view label() const;
    file_position where() const;
    state_view state() const;
    transition_view transition() const; ///< the transition of an action; empty: the hook belongs to the state itself
    hook_kind kind() const;             ///< meaningful only for a state's hook
    std::string text() const;
    bool is_hidden() const; ///< a loader added it for its own use
};

class timer_view : public detail::view_handle {
public:
    using view_handle::view_handle;
    state_view state() const; ///< the timer counts from the entry of this state
    bool is_periodic() const;
    std::optional<time_span> fixed() const; ///< nothing: the time is computed when the state is entered
    std::string_view label() const;         ///< the label of the function that computes the time; empty: no function, or no label
    operator timer_key() const;             ///< for `time_left` and similar calls; names no timer if this is not the timer of a transition
};

/// Conditions that are tested together.
class group_view : public detail::view_handle {
public:
    using view_handle::view_handle;
    bool is_any() const; ///< one of the conditions is sufficient
    std::size_t size() const;
    condition_view condition(std::size_t i) const;
    bool wanted(std::size_t i) const;
    std::string text() const; ///< "IsRun && !Hungry"
};

class transition_view : public detail::view_handle {
public:
    using view_handle::view_handle;
    transition_role role() const;
    trigger_kind trigger() const;
    state_view source() const;
    view_list<state_view> targets() const; ///< several for a fork, none for an internal transition
    bool is_internal() const { return targets().empty(); }
    state_view level() const; ///< the innermost state that the transition neither exits nor enters; empty: it exits the root, or is internal
    event_view event() const; ///< empty: the transition is polled
    timer_view timer() const; ///< the timer of after or every
    int priority() const;
    bool is_reenter() const;
    bool is_external() const;
    bool is_forced() const;
    bool carries_over() const;                ///< it fires at the moment when it is due
    bool defers() const;                      ///< it defers its event
    view_list<state_view> joined() const;     ///< states that must also be active
    view_list<state_view> excluded() const;   ///< states that must not be active
    view_list<group_view> conditions() const; ///< all groups must hold; they are tested before the guards
    view_list<guard_view> guards() const;
    view_list<hook_view> actions() const;
    bool is_candidate() const; ///< its source chooses by score or by chance
    hook_view score() const;   ///< the function of a candidate's score; empty: the score is the weight
    double weight() const;
    std::optional<time_span> cooldown() const; ///< of a candidate: how long it cannot be chosen after the exit of its target
    file_position where() const;
    std::string_view label() const; ///< the name by which calls refer to its timer; empty: none
    /// Returns the first part of a split transition, otherwise this transition. A chart splits a transition for several events into parts if another
    /// transition waits for only some of them.
    transition_view same_as() const;
    bool is_hidden() const; ///< a loader added it for its own use: it never fires
    /// "idle -> run on hit [is_angry && !Hungry] / shout": source, targets, trigger, guards, actions.
    std::string text() const;
};

class state_view : public detail::view_handle {
public:
    using view_handle::view_handle;
    std::string_view name() const;
    std::string_view path() const;
    std::string_view distinct_name() const; ///< the shortest end of its path that no other state's path has
    state_kind kind() const;
    state_view superstate() const; ///< empty for the root
    view_list<state_view> substates() const;
    std::uint32_t last() const; ///< the number of the last descendant; number() if there is none. Descendants have the numbers number() + 1 to last()
    bool contains(state_view other) const { return other && other.number() >= number() && other.number() <= last(); } ///< true for itself
    std::uint32_t depth() const;                                                                                      ///< 0 for the root
    std::uint32_t region() const; ///< the number of the region that contains the state; 0: the root's region
    bool is_region() const;       ///< the outermost state of a region inside a parallel
    history_depth history() const;
    hsm::choosing choosing() const; ///< how a machine or a choice chooses one of its candidates
    double stay_bonus() const;      ///< of a machine that chooses again: added to the score of the active candidate
    bool is_transient() const;
    bool holds() const;
    bool holds_until_released() const;
    view_list<guard_view> hold_predicates() const;
    timer_view least_duration() const;              ///< of min_duration; empty: none
    view_list<guard_view> predicates() const;       ///< the `finished` functions of its locals
    view_list<transition_view> transitions() const; ///< in the order in which they are tried; entry choices first
    view_list<hook_view> hooks(hook_kind kind) const;
    std::span<const std::string> locals() const; ///< the names of the locals' types
    std::span<const std::string> tags() const;   ///< the state's own tags, without those of its superstates
    std::span<const std::string> former_names() const;
    file_position where() const;
    state_ref ref() const; ///< empty for a constant chart
};

class chart_view {
public:
    chart_view() = default;
    explicit chart_view(const detail::chart_facts& facts) : facts_(std::addressof(facts)) {}

    explicit operator bool() const { return facts_ != nullptr; }
    bool is_substate_first() const { return facts_->substate_first; }
    state_view root() const { return state(0); }
    view_list<state_view> states() const { return {facts_, all(facts_->states)}; } ///< in preorder
    view_list<transition_view> transitions() const { return {facts_, all(facts_->transitions)}; }
    view_list<event_view> events() const { return {facts_, all(facts_->events)}; }
    view_list<condition_view> conditions() const { return {facts_, all(facts_->conditions)}; } ///< bit 0 is "is finished"
    view_list<group_view> condition_groups() const { return {facts_, all(facts_->groups)}; }
    view_list<guard_view> guards() const { return {facts_, all(facts_->guards)}; }
    view_list<hook_view> hooks() const { return {facts_, all(facts_->hooks)}; }
    view_list<timer_view> timers() const { return {facts_, all(facts_->timers)}; }
    // These functions return the part with this number, or an empty handle.
    state_view state(std::size_t n) const { return at<state_view>(facts_->states, n); }
    transition_view transition(std::size_t n) const { return at<transition_view>(facts_->transitions, n); }
    event_view event(std::size_t n) const { return at<event_view>(facts_->events, n); }
    condition_view condition(std::size_t n) const { return at<condition_view>(facts_->conditions, n); }
    group_view condition_group(std::size_t n) const { return at<group_view>(facts_->groups, n); }
    guard_view guard(std::size_t n) const { return at<guard_view>(facts_->guards, n); }
    hook_view hook(std::size_t n) const { return at<hook_view>(facts_->hooks, n); }
    timer_view timer(std::size_t n) const { return at<timer_view>(facts_->timers, n); }
    /// Finds a state by its path, or by the end of its path if no other state's path has the same end. Returns an empty handle if no state, or more
    /// than one, matches.
    state_view find(std::string_view path) const;

    /// Returns the chart's fingerprint.
    hsm::fingerprint fingerprint() const;

    friend bool operator==(chart_view, chart_view) = default;

private:
    template <class T> static detail::fact_span all(const std::vector<T>& list) { return {0, static_cast<std::uint32_t>(list.size())}; }
    template <class Handle, class T> Handle at(const std::vector<T>& list, std::size_t n) const {
        return n < list.size() ? Handle(facts_, static_cast<std::uint32_t>(n)) : Handle();
    }

    const detail::chart_facts* facts_ = nullptr;
};

namespace detail {
inline chart_view view_handle::chart() const { return facts_ ? chart_view(*facts_) : chart_view(); }
/// Returns "after" or "every"; empty for the timer of a minimum duration.
inline std::string_view option_of(const timer_view& t) { return facts_behind(t).timers[t.number()].option; }
inline std::uint8_t options_of(const transition_view& t) { return facts_behind(t).transitions[t.number()].options; } ///< see view_bits
} // namespace detail

std::string_view to_string(state_kind kind);
std::string_view to_string(hook_kind kind);
std::string_view to_string(trigger_kind kind);

} // namespace hsm
