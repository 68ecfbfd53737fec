/// Converts a tree of states to an XML file. xml_reader converts that file to the same tree.
#pragma once

#include <hsm/define/detail/lookup.hpp>
#include <hsm/load/detail/guard_tree.hpp>
#include <hsm/load/detail/xml_output.hpp>

#include <set>
#include <string>

namespace hsm::detail {

class xml_writer : xml_output {
public:
    xml_writer(const state_base& root, problem_list& problems);

    std::string run();

private:
    // xml_writer.cpp: elements, names
    void flag(std::string_view name, bool value) {
        if (value) attribute(name, "true");
    }
    void element(std::string_view name, std::string_view id);
    void unnamed(const state_base& s, std::string_view what);
    std::string name_of(std::string_view name, const state_base& s, std::string_view what);
    std::string text_of(const delay& d, const state_base& s, std::string_view what);
    std::string path_to(const state_base& target, const state_base& from);
    std::string path_to(const target_spec& target, const state_base& from);
    void declare(std::string_view element, std::string_view id, const std::vector<std::string>& former_names);
    std::vector<std::string> former_names_of(const local_type& type) const;
    void write_former_names(const std::vector<std::string>& names);
    void write_further_names(const std::vector<std::string>& names);
    void declare_events(const state_base& s, std::set<std::string_view>& seen);
    void declare_bits(const state_base& s, std::set<std::string_view>& seen);

    // xml_write_states.cpp
    void write_state(const state_base& s);
    void write_kind(const state_base& s);
    void write_attributes(const state_base& s);
    void write_details(const state_base& s);
    void write_initial(const state_base& s);
    void write_hooks_and_locals(const state_base& s);
    void write_predicates(const std::vector<guard>& list, std::string_view element, const state_base& s);

    // xml_write_transitions.cpp
    void write_transition(const transition_spec& t, const state_base& s);
    void write_choice(const transition_spec& t, std::string_view element);
    void write_inside(const transition_spec& t, bool ranks);
    void write_conditions(const transition_spec& t);
    void write_literal(const condition_literal& l, const state_base& s);
    void write_guard(const guard& g, const state_base& s, std::string_view what, const int* priority);
    void write_operand(const guard_operand& part, const state_base& s);

    const state_base& root_;
    state_index names_;
    std::vector<former_local> former_locals_; ///< of all states
};

} // namespace hsm::detail
