/// Writes a tree of states as C++ definition calls.
///
/// All states are declared first, each with its hooks. So transitions can refer to any state by a variable.
#pragma once

#include <hsm/define/detail/lookup.hpp>
#include <hsm/load/detail/guard_tree.hpp>
#include <hsm/tool/detail/cpp_text.hpp>
#include <hsm/tool/detail/program_text.hpp>

#include <map>
#include <string>
#include <vector>

namespace hsm::detail::tool {

class machine_writer {
public:
    /// `constant` selects the definition calls of a constant chart.
    machine_writer(const program_source& source, cpp_text& to, bool constant);

    /// Writes the statements, which use a variable `root`.
    void run();

private:
    using part_path = std::vector<std::string>; ///< the parts that lead from the root's context to an inner one

    // write_states.cpp
    void name_variables();
    void collect_uses(const state_base& s);
    void write_declarations();
    void write_state(const state_base& s, const part_path& outer);
    void write_substates(const state_base& s, const part_path& inside);
    void write_beginning(const state_base& s, const part_path& outer);
    void write_calls(const state_base& s, const part_path& inside);
    void write_options(const state_base& s, const part_path& inside);
    void write_hooks(const state_base& s, const part_path& inside);
    void write_holds(const state_base& s, const part_path& inside);
    bool has_calls(const state_base& s) const;
    bool has_options(const state_base& s) const;
    std::string part_argument(const state_base& s, const part_path& outer) const;

    // write_transitions.cpp
    void write_transitions(const state_base& s, const part_path& inside);
    void write_transition(const transition_spec& t, const part_path& inside);
    void write_choice(const transition_spec& t, std::string_view word, const part_path& inside);
    void write_time(const transition_spec& t, bool begins, const part_path& inside);
    void begin_reaction(const transition_spec& t, const part_path& inside);
    void write_event(const event_key& e, const origin& where, std::string_view word);
    void write_conditions(const transition_spec& t, const part_path& inside);
    void write_guard(const guard& g, const part_path& inside);
    void write_operand(const guard_operand& part, const part_path& inside);
    void write_literal(const condition_literal& l);
    void write_delay(const delay& d, const part_path& inside);
    void write_actions(const transition_spec& t, const part_path& inside);
    std::string targets_of(const transition_spec& t);
    std::string listed(const std::vector<target_spec>& states, const state_base& from);
    std::string reference_to(const target_spec& t, const state_base& from);

    /// Writes a registered function as an argument: its name, or in a constant chart a form that the compiler can evaluate.
    void write_callable(cpp_group group, std::string_view name, const origin& where, const part_path& inside);
    static part_path inside_of(const state_base& s, const part_path& outer);
    origin location_of(const origin& where, const state_base& s) const { return where ? where : s.origin(); }

    const program_source& source_;
    cpp_text& to_;
    bool constant_;
    state_index index_;
    std::map<const state_base*, std::string> variables_;
    std::map<const state_base*, bool> used_; ///< whether a transition or another statement refers to the state
};

} // namespace hsm::detail::tool
