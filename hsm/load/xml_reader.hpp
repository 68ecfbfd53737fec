/// From the elements of an XML file to a tree of states. docs/xml_format.md describes the format.
#pragma once

#include <hsm/define/lookup.hpp>
#include <hsm/load/guard_tree.hpp>
#include <hsm/load/registry_base.hpp>
#include <hsm/load/xml_document.hpp>

#include <initializer_list>
#include <optional>
#include <set>
#include <string>

namespace hsm {

class xml_reader {
public:
    xml_reader(const xml_document& document, const registry_base& names, problem_list& problems)
        : document_(document), names_(names), problems_(problems) {}

    void read(state_base& root);

private:
    /// A state that is being filled in, and the context that its behaviour is for.
    struct place {
        state_base& node;
        const node_factory& context;
    };
    /// What conditions may take, beside the context.
    struct taken {
        const event_key* event = nullptr;
        bool target = false; ///< the state that is to be entered: while it is decided whether a state may be left
    };
    using words = std::vector<std::pair<std::string_view, origin>>;

    // xml_reader.cpp: attributes, and names that have to be found
    void check_attributes(const xml_element& e, std::initializer_list<std::string_view> known);
    const xml_attribute* required(const xml_element& e, std::string_view name);
    bool flag(const xml_element& e, std::string_view name);
    std::optional<int> integer(const xml_attribute& a);
    static constexpr int most_index = 65535; ///< of a bit in a chart
    bool is_index(const xml_attribute& a, int number, int least = -most_index); ///< of a bit, or, below zero, that it is not set
    static words words_of(const xml_attribute& a);
    const behaviour* find(std::initializer_list<behaviour_kind> kinds, std::string_view name, const node_factory& context, origin at);
    std::string hint_for(std::initializer_list<behaviour_kind> kinds, std::string_view name, const node_factory& context);
    std::string hint_among(std::string_view name, const std::vector<std::string_view>& names, std::string otherwise);
    void used(const behaviour& b) { names_.note_use(problems_.file(), b); }
    event_key find_event(const xml_attribute& a);
    const condition_spec* find_bit(std::string_view name, origin at, state_base& where);
    std::optional<delay> read_delay(const xml_attribute& a, const place& in);
    void resolve_targets(state_base& s, const state_index& index);
    void resolve(const state_base& source, target_spec& target, std::string_view word, origin at, const state_index& index);

    // xml_states.cpp
    void declare(const xml_element& e);
    void read_state(const xml_element& e, const place& above);
    void read_details(const xml_element& e, const place& in);
    void read_detail(const xml_element& e, const place& in);
    state_base* make_state(const xml_element& e, const place& above, std::string name, const node_factory*& context);
    state_base* make_of_class(const xml_attribute& a, const place& above);
    state_kind kind_of(const xml_element& e, const state_base& above, history_depth& depth);
    state_kind kind_by_itself(const xml_element& e, const state_base& above);
    void check_kind(const xml_element& e, const state_base& node);
    void read_remembers(const xml_element& e, state_base& node);
    void add_hooks(const xml_element& e, hook_kind kind, std::string_view word, const place& in);
    void add_hook(hook_kind kind, std::string_view name, origin at, const place& in);
    void add_local(std::string_view name, origin at, const place& in);

    // xml_transitions.cpp
    void read_transition(const xml_element& e, const place& in);
    void read_choice(const xml_element& e, const place& in);
    void read_deferral(const xml_element& e, const place& in);
    void read_parts(const xml_element& e, transition_spec& spec, const place& in, bool guarded);
    void add_action(std::string_view name, origin at, transition_spec& spec, const place& in);
    void check_event(const behaviour& b, const taken& may_take, origin at);

    // xml_conditions.cpp
    static bool is_condition(const xml_element& e);
    std::vector<guard_tree> read_conditions(const xml_element& e, const place& in, const taken& may_take);
    std::optional<guard_tree> read_condition(const xml_element& e, const place& in, const taken& may_take);
    std::optional<guard_tree> read_named(const xml_element& e, const place& in, const taken& may_take);
    std::optional<guard_tree> read_bit(const xml_element& e, const place& in);
    std::optional<guard_tree> read_group(const xml_element& e, const place& in, const taken& may_take);
    void add_guards(const xml_element& e, transition_spec& spec, const place& in);
    void add_predicates(const xml_element& e, std::vector<guard>& to, const place& in, const taken& may_take);

    const xml_document& document_;
    const registry_base& names_;
    problem_list& problems_;
    state_base* root_ = nullptr;
    std::set<std::string, std::less<>> events_; ///< that the file declares
    std::set<std::string, std::less<>> bits_;
    std::size_t states_ = 1;
    int suggestions_left_ = 50; ///< of states: each looks at all of them
};

} // namespace hsm
