/// Converts a definition to an SCXML document, as far as SCXML can express it.
#pragma once

#include <hsm/load/detail/xml_output.hpp>
#include <hsm/scxml/detail/document.hpp>

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace hsm::detail::scxml {

class writer : xml_output {
public:
    writer(const state_base& root, problem_list& losses);

    std::string run();

private:
    // writer.cpp: elements, names
    using xml_output::begin, xml_output::end;
    void begin(std::string_view element, const extra_markup& markup); ///< with the comments before it
    void some(std::string_view name, std::string_view value) {
        if (!value.empty()) attribute(name, value);
    }
    void end(const extra_markup& markup); ///< after the stored markup inside
    void lost(const state_base& s, origin where, std::string what, std::string hint = {});
    void name_all(const state_base& s, std::set<std::string>& taken);
    std::string ids_of(const transition_spec& t, const state_base& from);
    const extra_markup& extra(const void* part, std::string_view element = {}) const;
    void find_names();

    // write_states.cpp
    void write_state(const state_base& s);
    void write_inside(const state_base& s);
    void write_data(const state_base& s);
    void write_initial(const state_base& s);
    void write_hooks(const state_base& s);
    void write_hook(const hook& h, std::string_view element, const state_base& s, hook_kind kind);
    /// Returns null if the hook is not content of a document.
    const block* block_of(const hook& h, const void* of, hook_kind kind, const std::vector<hook>& among) const;
    void write_transitions(const state_base& s);
    void write_transition(const transition_spec& t, const std::string& events, const state_base& s);
    std::string event_of(const transition_spec& t, const state_base& s);
    std::string condition_of(const transition_spec& t, const state_base& s);
    void report_losses(const state_base& s);
    void report_losses(const transition_spec& t, const state_base& s);
    std::string timer_of(const transition_spec& t) const;

    // write_content.cpp
    void write_actions(const transition_spec& t, const state_base& s, std::string_view what);
    void write_call(const hook& h, const state_base& s, std::string_view what);
    void write_block(const block& content);
    void write_action(const action& a);
    void write_text(std::string_view literal, std::string_view computed, const text_value& t);
    void write_content(const std::string& content);
    void write_payload(const payload& p);
    void write_invocations(const state_base& s);

    const state_base& root_;
    const document* document_;
    std::unordered_map<const state_base*, std::vector<const document::data_of_state*>> data_;
    std::unordered_map<const state_base*, std::vector<const invoke_spec*>> invocations_;
    std::unordered_map<const state_base*, std::string> ids_;
    std::set<const state_base*> wanted_; ///< targets and other states that need an id
    std::map<const transition_spec*, std::string> timers_;
    bool calls_ = false; ///< whether elements for registered behavior are written
    bool asks_ = false;  ///< whether there are conditions that the null model does not support
};

} // namespace hsm::detail::scxml
