/// The non-template node of a definition. Everything that is part of a machine derives from it.
///
/// A definition is a tree of nodes on the heap; a superstate owns its substates, and nodes never move, so references to
/// them stay valid, through `compile` (the chart then owns the tree) for as long as the chart lives. Defining is for one
/// thread and never fails: mistakes are kept and reported by `hsm::check` and `hsm::compile`.
///
/// What has been compiled is frozen: a word on a state or a transition of a chart is a mistake. It is an assertion; where
/// there are none it changes nothing, and what it makes belongs to no chart, though it lives as long as this one.
#pragma once

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

/// For a class of states or of data of states, yours or somebody else's, whose members like `on_enter` or `Update` are meant to be what
/// they are, and no hooks: `template <> inline constexpr bool hsm::allows_similar_names<widget> = true;`
template <class T> inline constexpr bool allows_similar_names = false;

namespace detail {
class limbo;
class definition_editor;
} // namespace detail

enum class state_kind : std::uint8_t { leaf, machine, parallel, final, choice, history };

enum class hook_kind : std::uint8_t { enter, update, exit, change, init, destroy, unhandled, settled, done_data };
inline constexpr std::size_t hook_kinds = 9;

/// How much of where a machine was left is gone back to.
enum class history_depth : std::uint8_t {
    none,
    shallow, ///< the direct substate
    deep,    ///< the leaf, or the leaves
};

/// Why a state may not be left yet. It holds while any of these does, until it is released.
struct hold_spec {
    bool until_released = false;
    std::vector<detail::guard> predicates; ///< it holds until all of them agree
    detail::delay least;                   ///< it holds for so long

    explicit operator bool() const { return until_released || !predicates.empty() || least; }
};

/// What an event was called once, as the state tells it at which that was said.
struct former_event {
    event_key event;
    std::string name;
};

namespace detail {
struct condition_index;
struct value_codec;

/// What matters to those who save machines.
struct saving_notes {
    std::vector<std::string> former_names;
    std::vector<former_event> former_events;
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
    history_depth history_kind() const { return history_; } ///< of a machine with a history, or of a history state
    const hold_spec& holds() const { return hold_; }
    /// Of a machine or parallel: what follows "done.state." in the event that it raises when it is over. See compile_options::done_events.
    std::string_view done_id() const { return done_id_.empty() ? name() : std::string_view(done_id_); }
    bool names_successor() const { return names_successor_; }   ///< an update of it may return the state to go to next
    const enum_id& id() const { return id_; }                   ///< empty unless named by an enumerator
    std::string_view enumerator() const { return enumerator_; } ///< its name, if code named the state by it
    detail::type_tag class_tag() const { return class_tag_; }   ///< of a node of a class of its own; null otherwise
    const state_base* superstate() const { return superstate_; }
    const std::vector<std::string>& former_names() const;          ///< the order of definition
    const std::vector<former_event>& former_events() const;        ///< that were told here, of whatever the machine waits for
    const std::vector<const detail::value_codec*>& codecs() const; ///< of types of events and locals, that were told here

    // What was defined, in the order of definition: for the compiler, for drawings, for tools.
    const std::vector<owned<state_base>>& substates() const { return substates_; }
    const std::vector<owned<transition_spec>>& transitions() const { return transitions_; }
    const std::vector<owned<transition_spec>>& choices() const { return choices_; }   ///< dispatch
    const std::vector<owned<transition_spec>>& initials() const { return initials_; } ///< at most one makes sense
    const std::vector<detail::hook>& hooks(hook_kind kind) const { return hooks_[static_cast<std::size_t>(kind)]; }
    const std::vector<detail::guard>& predicates() const { return predicates_; } ///< `finished` of its locals
    const std::vector<detail::local_prototype>& locals() const { return locals_; }
    const hsm::detail::projection& projection() const { return projection_; }

    const std::vector<owned<condition_spec>>& conditions() const { return conditions_; } ///< that were declared, or used, here

    // Conditions of the instance, whichever state they are declared at: condition.hpp.
    /// A new one, without a name.
    hsm::condition condition(code_place at = {}) { return hsm::condition(open().declare("", condition_spec::any_index, at)); }
    /// At the bit that is free.
    hsm::condition condition(std::string_view name, code_place at = {}) { return open().named_condition(name, condition_spec::any_index, at); }
    /// Bits count from 1.
    hsm::condition condition(std::string_view name, int bit, code_place at = {}) { return open().named_condition(name, bit, at); }
    condition_spec& condition_at(std::int64_t bit, hsm::origin at = {}) { return open().declare("", bit, at); }
    condition_spec& condition_used(std::string_view name, hsm::origin at = {}); ///< by a transition; an empty name is a mistake that the check finds
    /// Do transitions of this state and those below it ask only for what condition() has declared?
    bool conditions_are_declared() const { return conditions_declared_; }
    void set_conditions_declared() { open().conditions_declared_ = true; }

    /// Where its name stands, or else the first word that was said of it; nowhere: that of its superstate.
    hsm::origin origin() const { return origin_; }
    const loader_notes* notes() const { return notes_.get(); } ///< null unless a loader left some
    bool final_unsaid() const { return final_unsaid_; }        ///< of a file that says so of others: final because nothing leads out of it
    bool of_class() const { return of_class_; }                ///< made by the registered class of its superstate

    /// Its place in the chart's tables, preorder from 0 for the root; meaningless before `compile`.
    std::uint32_t number() const { return number_; }

    /// Is it part of a chart? Then it does not change any more.
    bool is_frozen() const { return limbo_ != nullptr; }

    // How the typed layers fill a node in.
    void add_hook(hook_kind kind, const detail::op_parts& h);
    void add_predicate(const detail::op_parts& g);
    void add_local(detail::local_prototype local) { open().locals_.push_back(std::move(local)); }
    transition_spec& add_transition(hsm::origin where = {});
    transition_spec& add_dispatch(hsm::origin where = {});
    transition_spec& add_initial(hsm::origin where = {});
    transition_spec& add_transition(const target_key& to);
    transition_spec& add_dispatch(const target_key& to);
    transition_spec& add_initial(const target_key& to);
    void adopt(owned<state_base> substate) {
        HSM_ASSERT(!is_frozen() && !substate->is_frozen() && "a chart does not change any more");
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
    void add_codec(const detail::value_codec& codec) { open().own_saving_notes().codecs.push_back(std::addressof(codec)); }
    void set_transient() { open().transient_ = true; }
    void set_history(history_depth depth) { open().history_ = depth; }
    void set_done_id(std::string id) { open().done_id_ = std::move(id); }
    void set_hold() { open().hold_.until_released = true; }
    void add_hold_predicate(const detail::op_parts& g);
    void set_least_duration(detail::delay least) { open().hold_.least = std::move(least); }
    void set_names_successor() { open().names_successor_ = true; }
    void set_origin(hsm::origin o) { open().origin_ = o; }
    loader_notes& note() { return open().own_notes(); }
    void set_of_class() { open().of_class_ = true; }
    void set_final_unsaid() { open().final_unsaid_ = true; }
    void set_number(std::uint32_t number) { open().number_ = number; }

    /// This state, or, if it is frozen, one that is part of no chart: for words to work on.
    state_base& open() {
        HSM_ASSERT(!is_frozen() && "a chart does not change any more");
        return is_frozen() ? substitute() : *this;
    }

protected:
    state_base(const state_name& name, state_kind kind);

private:
    friend class detail::limbo;
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
    std::string done_id_; ///< empty: its name
    state_base* superstate_ = nullptr;
    detail::limbo* limbo_ = nullptr; ///< of the chart that it is part of
    enum_id id_;
    std::string_view enumerator_; ///< a literal
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
    owned<detail::saving_notes> saving_notes_; ///< null: there are none
    hsm::detail::projection projection_;
    std::vector<detail::hook> hooks_[hook_kinds];
    hold_spec hold_;
    std::vector<detail::guard> predicates_;
    std::vector<detail::local_prototype> locals_;
    std::vector<owned<transition_spec>> transitions_;
    std::vector<owned<transition_spec>> choices_;
    std::vector<owned<transition_spec>> initials_;
    std::vector<owned<condition_spec>> conditions_;
    owned<detail::condition_index> condition_index_; ///< null while they are few
    std::vector<owned<state_base>> substates_;
};

inline transition_spec& transition_spec::open() { return source && source->is_frozen() ? source->open().add_transition() : *this; }

// Where it was written.
file_position position_of(const state_base& s, origin o); ///< what is a part of `s`; nowhere if the origin is
file_position position_of(const state_base& s);
template <class Function> file_position position_of(const state_base& s, const detail::erased<Function>& part) {
    return part.where() ? position_of(s, part.where()) : position_of(s);
}
inline file_position position_of(const transition_spec& t) { return t.origin ? position_of(*t.source, t.origin) : position_of(*t.source); }
inline file_position position_of(const condition_spec& c) { return c.origin ? position_of(*c.owner, c.origin) : position_of(*c.owner); }

} // namespace hsm
