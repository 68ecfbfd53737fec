/// The non-template node of a definition. Everything that is part of a machine derives from it.
///
/// A definition is a tree of nodes on the heap; a superstate owns its substates, and nodes never move, so references to
/// them stay valid, through `compile` (the chart then owns the tree) for as long as the chart lives. Defining is for one
/// thread and never fails: mistakes are kept and reported by `hsm::check` and `hsm::compile`. What is added to a
/// definition after it has been compiled is not part of the chart.
#pragma once

#include <hsm/define/erased.hpp>
#include <hsm/define/local.hpp>
#include <hsm/define/origin.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/define/transition_spec.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hsm {

enum class state_kind : std::uint8_t { leaf, machine, parallel, final, choice, history };

enum class hook_kind : std::uint8_t { enter, update, exit, change, init, destroy, unhandled };
inline constexpr std::size_t hook_kinds = 7;

/// How much of where a machine was left is gone back to.
enum class history_depth : std::uint8_t {
    none,
    shallow, ///< the direct substate
    deep,    ///< the leaf, or the leaves
};

/// Why a state may not be left yet. It holds while any of these does, until it is released.
struct hold_spec {
    bool until_released = false;
    std::vector<guard> predicates; ///< it holds until all of them agree
    delay least;                   ///< it holds for so long

    explicit operator bool() const { return until_released || !predicates.empty() || least; }
};

struct condition_index;

class state_base {
public:
    virtual ~state_base();
    state_base(const state_base&) = delete;
    state_base& operator=(const state_base&) = delete;

    std::string_view name() const { return name_; }
    std::string path() const; ///< names from the root, joined by '/'
    state_kind kind() const { return kind_; }
    bool is_transient() const { return transient_; }
    history_depth history_kind() const { return history_; } ///< of a machine that remembers, or of a history state
    const hold_spec& holds() const { return hold_; }
    bool names_successor() const { return names_successor_; } ///< an update of it may return the state to go to next
    const enum_id& id() const { return id_; } ///< empty unless named by an enumerator
    type_tag class_tag() const { return class_tag_; } ///< of a node of a class of its own; null otherwise
    const state_base* superstate() const { return superstate_; }

    // What was defined, in the order of definition: for the compiler, for drawings, for tools.
    const std::vector<owned<state_base>>& substates() const { return substates_; }
    const std::vector<owned<transition_spec>>& transitions() const { return transitions_; }
    const std::vector<owned<transition_spec>>& choices() const { return choices_; }   ///< dispatch
    const std::vector<owned<transition_spec>>& initials() const { return initials_; } ///< at most one makes sense
    const std::vector<hook>& hooks(hook_kind kind) const { return hooks_[static_cast<std::size_t>(kind)]; }
    const std::vector<guard>& predicates() const { return predicates_; } ///< `finished` of its locals
    const std::vector<local_prototype>& locals() const { return locals_; }
    const hsm::projection& projection() const { return projection_; }

    const std::vector<owned<condition_spec>>& conditions() const { return conditions_; } ///< that were declared, or used, here

    // Conditions of the instance, whichever state they are declared at: condition.hpp.
    hsm::condition condition();                                 ///< a new one, without a name
    hsm::condition condition(std::string_view name);            ///< the bit that is free
    hsm::condition condition(std::string_view name, int index); ///< from 1
    condition_spec& condition_at(int index);

    hsm::origin origin() const { return origin_; }
    const loader_notes* notes() const { return notes_.get(); } ///< null unless a loader left some
    bool of_class() const { return of_class_; } ///< made by the registered class of its superstate

    /// Its place in the chart's tables, preorder from 0 for the root; meaningless before `compile`.
    std::uint32_t number() const { return number_; }

    // How the typed layers fill a node in.
    void add_hook(hook_kind kind, const op_parts& h) { hooks_[static_cast<std::size_t>(kind)].push_back(hook(h)); }
    void add_predicate(const op_parts& g) { predicates_.push_back(guard(g)); }
    std::vector<guard>& predicates() { return predicates_; }
    std::vector<local_prototype>& locals() { return locals_; }
    hsm::projection& projection() { return projection_; }
    std::vector<hook>& hooks(hook_kind kind) { return hooks_[static_cast<std::size_t>(kind)]; }
    void add_local(local_prototype local) { locals_.push_back(std::move(local)); }
    transition_spec& add_transition() { return add_to(transitions_); }
    transition_spec& add_dispatch() { return add_to(choices_); }
    transition_spec& add_initial() { return add_to(initials_); }
    void adopt(owned<state_base> substate);
    void set_projection(hsm::projection p) { projection_ = std::move(p); }
    void set_name(std::string name) { name_ = std::move(name); }
    void set_id(enum_id id) { id_ = id; }
    void set_class(type_tag tag) { class_tag_ = tag; }
    void set_transient() { transient_ = true; }
    void set_history(history_depth depth) { history_ = depth; }
    hold_spec& define_hold() { return hold_; }
    void set_names_successor() { names_successor_ = true; }
    void set_origin(hsm::origin o) { origin_ = o; }
    loader_notes& note();
    void set_of_class() { of_class_ = true; }
    void set_number(std::uint32_t number) { number_ = number; }

protected:
    state_base(std::string name, state_kind kind);

private:
    transition_spec& add_to(std::vector<owned<transition_spec>>& list);
    condition_spec& declare(std::string_view name, int index);

    std::string name_;
    state_base* superstate_ = nullptr;
    enum_id id_;
    type_tag class_tag_ = nullptr;
    std::uint32_t number_ = 0;
    hsm::origin origin_;
    state_kind kind_;
    bool transient_ = false;
    bool of_class_ = false;
    bool names_successor_ = false;
    history_depth history_ = history_depth::none;
    owned<loader_notes> notes_;
    hsm::projection projection_;
    std::vector<hook> hooks_[hook_kinds];
    hold_spec hold_;
    std::vector<guard> predicates_;
    std::vector<local_prototype> locals_;
    std::vector<owned<transition_spec>> transitions_;
    std::vector<owned<transition_spec>> choices_;
    std::vector<owned<transition_spec>> initials_;
    std::vector<owned<condition_spec>> conditions_;
    owned<condition_index> condition_index_; ///< null while they are few
    std::vector<owned<state_base>> substates_;
};

/// Where it was written; nowhere if it was not loaded from a file.
file_position position_of(const state_base& s, origin o);
inline file_position position_of(const state_base& s) { return position_of(s, s.origin()); }
inline file_position position_of(const transition_spec& t) { return position_of(*t.source, t.origin ? t.origin : t.source->origin()); }

} // namespace hsm
