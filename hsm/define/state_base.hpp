/// The non-template node of a definition, and the base class of all parts of a machine.
///
/// A definition is a tree of nodes on the heap. A superstate owns its substates, and nodes never move. References to them stay valid through
/// `compile`, which passes the tree to the chart, and for as long as the chart lives. Only one thread may define a tree. Definition calls never fail:
/// errors are stored, and reported by `hsm::check` and `hsm::compile`.
///
/// A compiled tree is frozen: do not call definition functions of states or transitions of a chart. An assertion checks this. Without assertions the
/// call has no effect on the chart; the objects that it creates live as long as the chart.
#pragma once

#include <hsm/define/choosing.hpp>
#include <hsm/define/detail/assert.hpp>
#include <hsm/define/detail/erased.hpp>
#include <hsm/define/detail/local.hpp>
#include <hsm/define/origin.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/define/transition_spec.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hsm {

/// Specialize this variable for a class of states or locals if its members such as `on_enter` or `Update` are not meant as hooks: `template <> inline
/// constexpr bool hsm::allows_similar_names<widget> = true;`
template <class T> inline constexpr bool allows_similar_names = false;

namespace detail {
class frozen_sink;
class definition_editor;
} // namespace detail

enum class state_kind : std::uint8_t { leaf, machine, parallel, final, choice, history };

enum class hook_kind : std::uint8_t { enter, update, exit, change, init, destroy, unhandled, settled, done_data, leave };
inline constexpr std::size_t hook_kinds = 10;

/// The recorded states that a history enters again.
enum class history_depth : std::uint8_t {
    none,
    shallow, ///< the direct substate
    deep,    ///< the leaf, or the leaves
    previous ///< of a history state: the direct substate that was active before the current one
};

/// The reasons why a state holds. The state holds until it is released, or until none of these reasons applies any more.
struct hold_spec {
    bool until_released = false;
    std::vector<detail::guard> predicates; ///< it holds until all of them are true
    detail::delay least;                   ///< it holds for at least that time

    explicit operator bool() const { return until_released || !predicates.empty() || least; }
};

/// How a machine or a choice chooses one of its candidates.
struct choosing_spec {
    choosing how = choosing::first;
    bool again = false;    ///< the machine also chooses while it is active, not only when it is entered
    detail::delay every;   ///< after each period; empty: in each tick
    double stay_bonus = 0; ///< added to the score of the active candidate when it chooses again
    hsm::origin where = {};
};

/// A former name of an event. It is stored in the machine whose about_event() was called; for a loaded file, in the root.
struct former_event {
    event_key event;
    std::string name;
};

/// A former name of a class of locals. It is stored in the state at which it was defined, and applies to the whole chart.
struct former_local {
    const detail::local_type* of;
    std::string name;
};

namespace detail {
struct condition_index;
struct value_codec;

/// Data for saving machines.
struct saving_notes {
    std::vector<std::string> former_names;
    std::vector<former_event> former_events;
    std::vector<former_local> former_locals;
    std::vector<const value_codec*> codecs;
};
} // namespace detail

class state_base {
public:
    virtual ~state_base();
    state_base(const state_base&) = delete;
    state_base& operator=(const state_base&) = delete;

    std::string_view name() const { return name_; }
    std::string path() const; ///< names from the root, joined by '/'
    state_kind kind() const { return kind_; }
    bool is_transient() const { return transient_; }
    history_depth history_kind() const { return history_; } ///< the kind of history of a machine or a history state
    const choosing_spec& chooses() const { return choosing_; }
    const hold_spec& holds() const { return hold_; }
    /// Returns the text after "done.state." in the name of the event that a machine or parallel raises when it is finished. See
    /// compile_options::done_events.
    std::string_view done_id() const { return done_id_.empty() ? name() : std::string_view(done_id_); }
    bool names_successor() const { return names_successor_; }   ///< one of the state's update hooks can return a successor
    const enum_id& id() const { return id_; }                   ///< empty unless set by an enumerator
    std::string_view enumerator() const { return enumerator_; } ///< the enumerator's name, if code used it to name the state
    detail::type_tag class_tag() const { return class_tag_; }   ///< the class of a node with its own class; otherwise null
    const state_base* superstate() const { return superstate_; }
    const std::vector<std::string>& tags() const { return tags_; } ///< its own, in the order of definition
    const std::vector<std::string>& former_names() const;          ///< in the order of definition
    const std::vector<former_event>& former_events() const;        ///< defined at this state, for any event of the machine
    const std::vector<former_local>& former_locals() const;        ///< defined at this state, for any local of the chart
    const std::vector<const detail::value_codec*>& codecs() const; ///< codecs for types of events and locals, defined at this state

    // The contents, in the order of definition: for `compile`, drawings and tools.
    const std::vector<owned<state_base>>& substates() const { return substates_; }
    const std::vector<owned<transition_spec>>& transitions() const { return transitions_; }
    const std::vector<owned<transition_spec>>& choices() const { return choices_; }   ///< dispatch
    const std::vector<owned<transition_spec>>& initials() const { return initials_; } ///< more than one is an error
    const std::vector<detail::hook>& hooks(hook_kind kind) const { return hooks_[static_cast<std::size_t>(kind)]; }
    const std::vector<detail::guard>& predicates() const { return predicates_; } ///< `finished` of its locals
    const std::vector<detail::local_prototype>& locals() const { return locals_; }
    const hsm::detail::projection& projection() const { return projection_; }

    const std::vector<owned<condition_spec>>& conditions() const { return conditions_; } ///< declared or used here

    // Conditions of the instance. It does not matter which state declares them (see condition.hpp).
    /// Adds a condition without a name.
    hsm::condition condition(call_site at = {}) { return hsm::condition(open().declare("", condition_spec::any_index, at)); }
    /// Declares a condition at a free bit.
    hsm::condition condition(std::string_view name, call_site at = {}) { return open().named_condition(name, condition_spec::any_index, at); }
    /// Declares a condition at the given bit, from 1.
    hsm::condition condition(std::string_view name, int bit, call_site at = {}) { return open().named_condition(name, bit, at); }
    condition_spec& condition_at(std::int64_t bit, hsm::origin at = {}) { return open().declare("", bit, at); }
    condition_spec& condition_used(std::string_view name,
                                   hsm::origin at = {}); ///< for a name that a transition uses; the check reports an empty name
    /// Returns whether transitions of this state and of the states below it can use only declared conditions.
    bool conditions_are_declared() const { return conditions_declared_; }
    void set_conditions_declared() { open().conditions_declared_ = true; }

    /// Returns the position of this state's name, or else of the first definition call on the state. If neither has a position, the result is empty:
    /// use the position of the superstate instead.
    hsm::origin origin() const { return origin_; }
    const loader_notes* notes() const { return notes_.get(); } ///< null unless a loader set them
    bool final_unsaid() const { return final_unsaid_; }        ///< final for lack of transitions; its file sets the kinds of other states
    bool of_class() const { return of_class_; }                ///< added by the registered class of its superstate

    /// Returns the state's index in the chart's tables, in preorder from 0 for the root; undefined before `compile`.
    std::uint32_t number() const { return number_; }

    /// Returns whether the state is part of a chart, and therefore no longer changes.
    bool is_frozen() const { return frozen_sink_ != nullptr; }

    // Used by the typed layers.
    void add_hook(hook_kind kind, const detail::bound_op& h);
    void add_predicate(const detail::bound_op& g);
    void add_local(detail::local_prototype local) { open().locals_.push_back(std::move(local)); }
    transition_spec& add_transition(hsm::origin where = {});
    transition_spec& add_dispatch(hsm::origin where = {});
    transition_spec& add_initial(hsm::origin where = {});
    transition_spec& add_transition(const target_key& to);
    transition_spec& add_dispatch(const target_key& to);
    transition_spec& add_initial(const target_key& to);
    void adopt(owned<state_base> substate) {
        HSM_ASSERT(!is_frozen() && !substate->is_frozen() && "the definition of a chart is immutable");
        take_in(std::move(substate));
    }
    void set_projection(hsm::detail::projection p) { open().projection_ = std::move(p); }
    void set_name(std::string name) { open().name_ = std::move(name); }
    void set_id(enum_id id, std::string_view enumerator = {}) {
        auto& s = open();
        s.id_ = id;
        s.enumerator_ = enumerator;
    }
    void set_class(detail::type_tag tag) { open().class_tag_ = tag; }
    void add_former_name(std::string name) { open().own_saving_notes().former_names.push_back(std::move(name)); }
    void add_former_event(event_key event, std::string name) {
        open().own_saving_notes().former_events.push_back({std::move(event), std::move(name)});
    }
    void add_former_local(const detail::local_type& local, std::string name) {
        open().own_saving_notes().former_locals.push_back({std::addressof(local), std::move(name)});
    }
    void add_codec(const detail::value_codec& codec) { open().own_saving_notes().codecs.push_back(std::addressof(codec)); }
    void set_transient() { open().transient_ = true; }
    void set_history(history_depth depth) { open().history_ = depth; }
    choosing_spec& choosing() { return open().choosing_; }
    void add_tag(std::string name) { open().tags_.push_back(std::move(name)); }
    void set_done_id(std::string id) { open().done_id_ = std::move(id); }
    void set_hold() { open().hold_.until_released = true; }
    void add_hold_predicate(const detail::bound_op& g);
    void set_least_duration(detail::delay least) { open().hold_.least = std::move(least); }
    void set_names_successor() { open().names_successor_ = true; }
    void set_origin(hsm::origin o) { open().origin_ = o; }
    loader_notes& note() { return open().own_notes(); }
    void set_of_class() { open().of_class_ = true; }
    void set_final_unsaid() { open().final_unsaid_ = true; }
    void set_number(std::uint32_t number) { open().number_ = number; }

    /// Returns the state that a definition call changes: this state or, if it is frozen, a state outside all charts.
    state_base& open() {
        HSM_ASSERT(!is_frozen() && "the definition of a chart is immutable");
        return is_frozen() ? substitute() : *this;
    }

protected:
    state_base(const state_name& name, state_kind kind);

private:
    friend class detail::frozen_sink;
    friend class detail::definition_editor;

    state_base& substitute();
    transition_spec& add_to(std::vector<owned<transition_spec>> state_base::*list, const target_key& to);
    state_base& at_place(hsm::origin where);
    transition_spec& add_to(std::vector<owned<transition_spec>> state_base::*list, hsm::origin where);
    condition_spec& declare(std::string_view name, std::int64_t index, hsm::origin where);
    hsm::condition named_condition(std::string_view name, std::int64_t index, hsm::origin where);
    condition_spec& condition_spec_named(std::string_view name, std::int64_t index, hsm::origin where);
    loader_notes& own_notes();
    detail::saving_notes& own_saving_notes();
    void take_in(owned<state_base> substate);

    std::string name_;
    std::string done_id_; ///< empty: its name is used
    state_base* superstate_ = nullptr;
    detail::frozen_sink* frozen_sink_ = nullptr; ///< of the chart that it is part of; null before `compile`
    enum_id id_;
    std::string_view enumerator_; ///< a string literal
    detail::type_tag class_tag_ = nullptr;
    std::uint32_t number_ = 0;
    hsm::origin origin_;
    state_kind kind_;
    bool transient_ = false;
    bool of_class_ = false;
    bool final_unsaid_ = false;
    bool names_successor_ = false;
    bool conditions_declared_ = false;
    history_depth history_ = history_depth::none;
    owned<loader_notes> notes_;
    owned<detail::saving_notes> saving_notes_; ///< null: none
    hsm::detail::projection projection_;
    std::vector<detail::hook> hooks_[hook_kinds];
    hold_spec hold_;
    choosing_spec choosing_;
    std::vector<std::string> tags_;
    std::vector<detail::guard> predicates_;
    std::vector<detail::local_prototype> locals_;
    std::vector<owned<transition_spec>> transitions_;
    std::vector<owned<transition_spec>> choices_;
    std::vector<owned<transition_spec>> initials_;
    std::vector<owned<condition_spec>> conditions_;
    owned<detail::condition_index> condition_index_; ///< null while there are few conditions
    std::vector<owned<state_base>> substates_;
};

inline transition_spec& transition_spec::open() { return source && source->is_frozen() ? source->open().add_transition() : *this; }

// These functions return the source position of a part of a definition.
file_position position_of(const state_base& s, origin o); ///< a part of `s`; empty if `o` is empty
file_position position_of(const state_base& s);
template <class Function> file_position position_of(const state_base& s, const detail::erased<Function>& part) {
    return part.where() ? position_of(s, part.where()) : position_of(s);
}
inline file_position position_of(const transition_spec& t) { return t.origin ? position_of(*t.source, t.origin) : position_of(*t.source); }
inline file_position position_of(const condition_spec& c) { return c.origin ? position_of(*c.owner, c.origin) : position_of(*c.owner); }

} // namespace hsm
