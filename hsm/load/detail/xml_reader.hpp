/// Converts the elements of an XML file to a tree of states. docs/reference/xml_format.md describes the format.
#pragma once

#include <hsm/define/detail/hook_kinds.hpp>
#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/detail/mistakes.hpp>
#include <hsm/load/detail/guard_tree.hpp>
#include <hsm/load/detail/registry_base.hpp>
#include <hsm/load/detail/xml_document.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>

namespace hsm::detail {

/// The name of an attribute or an element, and the kinds of states that can have it.
struct allowed_in_xml {
    std::string_view name;
    unsigned kinds;
};

inline std::string_view word_for(state_kind kind) {
    constexpr std::string_view words[] = {"a leaf", "a machine", "a parallel", "a final state", "a choice", "a history state"};
    return words[static_cast<std::size_t>(kind)];
}

class xml_reader {
public:
    xml_reader(const xml_document& document, const registry_base& names, problem_list& problems)
        : document_(document), names_(names), problems_(problems) {}

    void read(state_base& root);

private:
    /// A state that is filled in, and the context of its behavior.
    struct scope {
        state_base& node;
        const node_factory& context;
    };
    /// What a condition can take in addition to the context.
    struct taken {
        const event_key* event = nullptr;
        bool target = false;   ///< the state that would be entered, in a hold
        bool finishes = false; ///< nothing more, in the condition of a finished state
    };

    /// The events or bits that the file can name, in addition to the registered ones.
    struct declared_names {
        behavior_kind kind;
        hsm::code unknown; ///< the error for other names
        std::set<std::string, std::less<>> declared = {};
        std::vector<std::string_view> known = {}; ///< all, for hints; empty until the first one
    };

    // xml_reader.cpp: attributes and name lookup
    void check_attributes(const xml_element& e, const std::vector<std::string_view>& known);
    const xml_attribute* required(const xml_element& e, std::string_view name);
    bool flag(const xml_element& e, std::string_view name);
    std::optional<int> integer(const xml_attribute& a);
    static constexpr int most_index = 65535;                                    ///< of a bit in a chart
    bool is_index(const xml_attribute& a, int number, int least = -most_index); ///< of a bit; a negative one means that the bit is not set
    /// Calls visit(name, position) for each name in an attribute.
    template <class Visit> static void each_word(const xml_attribute& a, Visit visit);
    /// Calls take(name) for each name in the attribute "was" and in elements of that name. `alone`: reports other children as errors.
    template <class Take> void each_former_name(const xml_element& e, bool alone, Take take);
    /// Finds behavior of the required kind, otherwise of the kinds in `also`.
    const behavior* find(name_use wanted, std::initializer_list<behavior_kind> also = {});
    const behavior* supplied(name_use wanted);
    void notify_found(name_use use, const behavior* b);
    /// Describes the use of a name in that state.
    static name_use use_of(behavior_kind kind, std::string_view name, origin at, const scope& in) {
        return {.kind = kind, .name = name, .at = at, .over = &in.context, .state = &in.node};
    }
    std::string hint_for(const name_use& wanted, std::initializer_list<behavior_kind> also);
    std::string hint_among(std::string_view name, const std::vector<std::string_view>& names, std::string otherwise);
    void used(const behavior& b) { names_.add_use(problems_.file(), b); }
    std::optional<event_key> find_several(const xml_attribute& a, const scope& in);
    /// `is_word`: the value is one of several names, so it is not split again.
    event_key find_event(const xml_attribute& a, const scope& in, bool is_word = false);
    const condition_spec* find_bit(std::string_view name, origin at, state_base& where);
    void report_unknown(declared_names& among, std::string_view name, origin at);
    delay read_delay(const xml_attribute& a, const scope& in);
    void read_choosing(const xml_element& e, state_base& node);
    void read_rechoosing(const xml_element& e, const scope& in);
    double read_number(const xml_attribute& a);
    void read_score(const xml_element& e, transition_spec& spec, const scope& in);
    delay find_delay(const xml_attribute& a, const scope& in);
    void resolve_targets(state_base& s, const state_index& index);
    bool may_lead(const state_base& from, std::string_view path);
    void find_all_mistakes(const state_base& s, given_indices& indices);
    void resolve(const state_base& source, target_spec& target, std::string_view word, origin at, const state_index& index);

    // xml_states.cpp
    void declare(const xml_element& e);
    void read_state(const xml_element& e, const scope& above);
    void read_inside(const xml_element& e, const scope& in);
    state_base* make_state(const xml_element& e, const scope& above, std::string name, const node_factory*& context);
    const behavior* find_class(const xml_element& e, const xml_attribute& a, const scope& above);
    bool has_child(const xml_element& e, std::string_view name) const;
    std::optional<state_kind> kind_of(const xml_element& e, const state_base& above, history_depth& depth);
    state_kind kind_by_itself(const xml_element& e, const state_base& above);
    void check_kind(const xml_element& e, const state_base& node);

    // xml_details.cpp
    void read_details(const xml_element& e, const scope& in);
    void read_detail(const xml_element& e, const scope& in);
    void read_remembers(const xml_element& e, state_base& node);
    void make_room(const xml_element& e, state_base& node);
    void add_hook(const hook_kind_row& row, std::string_view name, origin at, const scope& in);
    const local_prototype* add_local(std::string_view name, origin at, const scope& in);

    // xml_transitions.cpp
    void read_transition(const xml_element& e, const scope& in);
    void read_choice(const xml_element& e, const scope& in);
    void read_deferral(const xml_element& e, const scope& in);
    void read_options(const xml_element& e, transition_spec& spec, const scope& in, bool guarded);
    void add_action(std::string_view name, origin at, transition_spec& spec, const scope& in);
    void check_event(const behavior& b, const taken& may_take, origin at);

    // xml_conditions.cpp
    static constexpr std::string_view condition_elements[] = {"condition", "bit", "all", "any", "not"};
    static bool is_condition(const xml_element& e);
    void unknown_condition(const xml_element& e, const xml_element& in);
    std::vector<guard_tree> read_conditions(const xml_element& e, const scope& in, const taken& may_take);
    std::optional<guard_tree> read_condition(const xml_element& e, const scope& in, const taken& may_take);
    std::optional<guard_tree> read_named(const xml_element& e, const scope& in, const taken& may_take);
    std::optional<guard_tree> read_bit(const xml_element& e, const scope& in);
    std::optional<guard_tree> read_group(const xml_element& e, const scope& in, const taken& may_take);
    void add_guards(const xml_element& e, transition_spec& spec, const scope& in);
    void add_predicates(const xml_element& e, std::vector<guard>& to, const scope& in, const taken& may_take);

    const xml_document& document_;
    const registry_base& names_;
    problem_list& problems_;
    state_base* root_ = nullptr;
    declared_names events_{behavior_kind::event, code::unknown_event}, bits_{behavior_kind::bit, code::unknown_bit};
    guess_budget guesses_;
    /// States of which the file does not determine the kind or the contents. Errors that depend on those are not reported.
    std::unordered_set<const state_base*> doubtful_;
    std::unordered_set<const state_base*> incomplete_; ///< states of which a part with its own error was left out
    std::vector<state_base*> final_by_itself_;         ///< states without a transition, for which the file does not set that they are final
    bool says_kinds_ = false;                          ///< the file sets the kind of a state, or has nested states
    std::size_t without_name_ = 0;                     ///< number of unnamed states
    int unknown_contexts_ = 0;                         ///< number of unknown contexts around the current element
};

template <class Visit> void xml_reader::each_word(const xml_attribute& a, Visit visit) {
    auto at = a.value_at;
    std::size_t counted = 0; // up to here, `at` is advanced
    for (std::size_t i = a.value.find_first_not_of(" \t\r\n"); i != a.value.npos;) {
        const auto found = a.value.find_first_of(" \t\r\n", i);
        const auto end = found == a.value.npos ? a.value.size() : found;
        for (; counted < i; ++counted) at.column += begins_character(a.value[counted]);
        visit(a.value.substr(i, end - i), at);
        i = a.value.find_first_not_of(" \t\r\n", end);
    }
}

template <class Take> void xml_reader::each_former_name(const xml_element& e, bool alone, Take take) {
    if (document_.attribute(e, "was"))
        if (const auto* const a = required(e, "was")) take(std::string(a->value));
    document_.each_child(e, [&](const xml_element& child) {
        if (child.name == "was") {
            check_attributes(child, {"ID"});
            if (const auto* const id = required(child, "ID")) take(std::string(id->value));
        } else if (alone) {
            problems_.add(code::unknown_element, child.at, "<" + std::string(child.name.substr(0, 80)) + "> is unknown here",
                          "write <was ID=\"...\"/>");
        }
    });
}

} // namespace hsm::detail
