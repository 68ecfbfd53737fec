/// Converts an SCXML document to a definition with the same meaning.
#pragma once

#include <hsm/define/detail/lookup.hpp>
#include <hsm/load/detail/registry_base.hpp>
#include <hsm/load/detail/xml_document.hpp>
#include <hsm/scxml/detail/run_content.hpp>
#include <hsm/scxml/scxml.hpp>

#include <deque>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hsm::detail::scxml {

class reader {
public:
    /// `store` is that of the invoking document; null if there is none. Relative file names start at `folder`; empty: at the include folder.
    reader(const scxml_options& options, const target_of_load& to, problem_list& problems, document_store* store = nullptr, std::string folder = {})
        : options_(options), to_(to), problems_(problems), store_(store), folder_(std::move(folder)) {}

    void read(std::string bytes, state_base& root);
    /// Reads a document inside another one.
    void read_nested(const xml_document& doc, const xml_element& e, const char* file, std::size_t depth, state_base& root);

private:
    using element = xml_element;

    /// A state and its element.
    struct place {
        const xml_document* in;
        const element* e;
        state_base* state;
        const char* file;
    };

    // reader.cpp: elements, attributes, files
    origin at(origin o) const { return {o.line, o.column, file_}; }
    void problem(code c, origin where, std::string what, std::string hint = {});
    void warn(code c, const state_base& about, origin where, std::string what, std::string hint = {});
    /// Adds a warning that is reported even if the document has errors.
    void warn_of_attribute(code c, const state_base& about, origin where, std::string what, std::string hint);
    bool is_scxml(const element& e) const;
    bool is_scxml(const element& e, std::string_view name) const { return is_scxml(e) && e.local() == name; }
    const xml_attribute* attribute(const element& e, std::string_view name) const { return doc_->attribute(e, name); }
    std::string_view value(const element& e, std::string_view name) const;
    const xml_attribute* required(const element& e, std::string_view name);
    /// Reports an error if the element has more than one of these attributes.
    bool one_of(const element& e, std::initializer_list<std::string_view> names);
    void check_attributes(const element& e, std::initializer_list<std::string_view> known, const state_base& about, extra_markup& keep);
    void store_attribute(const xml_attribute& a, extra_markup& to);
    void store_children(const element& e, extra_markup& to);
    void store_text_comments(const element& e, extra_markup& to);
    void store_element(const element& e, const state_base& s, const extra_markup& extra);
    void unknown_element(const element& e, const element& in, const state_base& about);
    void store_comment(const element& e) { comments_ += doc_->written(e); }
    std::string take_comments() { return std::exchange(comments_, {}); }
    void check_repeated(const element& e);
    void add_prefix(std::string_view name, std::string_view uri);
    void add_prefixes(const element& e);
    std::optional<std::string> read_source(const xml_attribute& src, std::string_view what);
    bool read_included(const element& e, const element& in, state_base& above);
    /// A part of another file.
    struct included_element {
        const xml_document* doc = nullptr;
        const element* e = nullptr;
        const char* file = nullptr;
    };
    /// Reads another file during its lifetime.
    class included_here {
    public:
        included_here(reader& r, const included_element& part)
            : reader_(r), doc_(std::exchange(r.doc_, part.doc)), file_(std::exchange(r.file_, part.file)) {
            ++r.include_depth_;
        }
        included_here(const included_here&) = delete;
        included_here& operator=(const included_here&) = delete;
        ~included_here() {
            reader_.doc_ = doc_;
            reader_.file_ = file_;
            --reader_.include_depth_;
        }

    private:
        reader& reader_;
        const xml_document* doc_;
        const char* file_;
    };
    /// Returns null and reports a problem if the file cannot be read. Problems inside it are reported with its name.
    const xml_document* read_document(const xml_attribute& src, std::string_view what, const char*& file);
    included_element read_src(const xml_attribute& src);
    bool has_states_in(const included_element& part);
    /// During its lifetime, comments and foreign elements belong to an element that is not a state.
    class inside_of {
    public:
        inside_of(reader& r, extra_markup& to)
            : reader_(r), to_(to), comments_(std::exchange(r.comments_, {})), outer_(std::exchange(r.inside_, &to)) {}
        inside_of(const inside_of&) = delete;
        inside_of& operator=(const inside_of&) = delete;
        ~inside_of() {
            to_.inside += std::exchange(reader_.comments_, std::move(comments_));
            reader_.inside_ = outer_;
        }

    private:
        reader& reader_;
        extra_markup& to_;
        std::string comments_;
        extra_markup* outer_;
    };
    extra_markup& markup_of(const void* part, std::string_view name = {}) { return document_->markup[{part, name}]; }
    void keep(extra_markup extra, const void* part, std::string_view name = {}) {
        if (!extra.empty()) markup_of(part, name) = std::move(extra);
    }

    // read_states.cpp
    void read_root(const element& e, state_base& root);
    void read_language(const element& e);
    void read_children(const element& e, state_base& s);
    void read_child(const element& child, const element& e, state_base& s);
    void read_state(const element& e, state_base& above);
    state_base& make(state_kind kind, history_depth depth, const element& e, state_base& above);
    bool has_states(const element& e) const;
    void register_id(const element& e, state_base& s);
    void read_data(const element& e, state_base& s, std::string comments);
    void add_data_hooks(state_base& root);

    // read_transitions.cpp
    void fill(const place& p);
    void fill_state(const element& e, state_base& s);
    void read_initial(const element& e, state_base& s, std::string comments);
    void read_history(const element& e, state_base& s);
    const xml_attribute* condition_of(const element& e, const state_base& s);
    bool read_default(const element& e, transition_spec& spec, const state_base& s);
    void aim_at_entry(transition_spec& spec, const state_base& of);
    void read_transition(const element& e, state_base& s);
    void check_transitions(const state_base& s);
    bool has_choice(const state_base& s);
    void add_transition(const element& e, state_base& s, event_key event, const std::vector<state_base*>& targets, const condition* when,
                        const std::shared_ptr<const block>& content);
    std::vector<state_base*> find_targets(const xml_attribute& a, const state_base& s);
    void aim(transition_spec& spec, const std::vector<state_base*>& targets);
    event_key event_for(const xml_attribute& a, const state_base& s);
    void check_descriptor(std::string_view word, origin at, const state_base& s);
    void check_event_name(std::string_view name, origin where, const state_base& s);
    void check_misspelt_events();
    void read_done_data(const element& e, state_base& s, std::string comments);

    // read_invoke.cpp
    void read_invoke(const element& e, state_base& s);
    void read_invoked_content(const element& e, invoke_spec& spec, state_base& s);
    std::shared_ptr<document_of_invoke> read_document(const element& e, state_base& s);
    void add_invoke_hooks_of(state_base& s);
    void begin_document(state_base& root);

    // read_content.cpp
    std::shared_ptr<const block> read_block(const element& e, const state_base& s, extra_markup& extra);
    void read_hook(const element& e, state_base& s, std::string comments);
    void read_actions(const element& e, const state_base& s, block& to);
    void add_content(state_base& s, hook_kind kind, const std::shared_ptr<const block>& content, origin at);
    void add_content(transition_spec& t, const std::shared_ptr<const block>& content, origin at);
    bound_op hook_for(const std::shared_ptr<const block>& content, origin at, const document::hook_key& is);
    void read_action(const element& e, const element& in, const state_base& s, block& to);
    void read_foreign(const element& e, const state_base& s, block& to);
    bool is_branch(const element& e) const { return is_scxml(e, "elseif") || is_scxml(e, "else"); }
    choose_action read_choice(const element& e, const state_base& s, extra_markup& extra);
    send_action read_send(const element& e, const state_base& s, extra_markup& extra);
    expression read_id_location(const element& e, const state_base& s);
    void check_event(const xml_attribute& a, const state_base& s);
    log_action read_log(const element& e, const state_base& s, extra_markup& extra);
    cancel_action read_cancel(const element& e, const state_base& s, extra_markup& extra);
    assign_action read_assign(const element& e, const state_base& s, extra_markup& extra);
    foreach_action read_foreach(const element& e, const state_base& s, extra_markup& extra);
    script_action read_script(const element& e, const state_base& s, extra_markup& extra);
    payload read_payload(const element& e, const state_base& s, extra_markup& extra, bool params_only = false);
    const xml_attribute* read_content(const element& e, const state_base& s, payload& to);
    void read_content_expression(const xml_attribute& expr, const state_base& s, payload& to);
    void read_namelist(const element& e, const state_base& s, std::vector<parameter>& to);
    parameter read_parameter(const element& e, const state_base& s);

    // read_expressions.cpp
    expression expression_of(const xml_attribute& a, const state_base& s, script_form form = script_form::expression);
    expression expression_of(std::string text, origin where, const state_base& s,
                             script_form form = script_form::expression);                                ///< where: with its file
    void queue_script_check(std::string_view text, origin where, const state_base& s, script_form form); ///< same as above
    void check_scripts();
    std::string model_hint() const;
    bool needs_model(origin where, std::string_view what);
    std::optional<hsm::detail::scxml::value> constant_of(std::string_view text) const;
    std::optional<std::string> constant_text(std::string_view text) const; ///< a constant as text: a string without its quotes
    text_value read_text(const element& e, const state_base& s, std::string_view literal, std::string_view computed);
    condition read_condition(const xml_attribute& a, const state_base& s);
    const state_base* state_of(std::string_view id) const;

    const scxml_options& options_;
    const target_of_load& to_;
    problem_list& problems_;
    document_store* store_;
    std::string folder_;
    std::size_t depth_ = 0;             ///< nesting depth of documents
    const xml_document* doc_ = nullptr; ///< the document being read
    const char* file_ = nullptr;        ///< its name if it is not the document itself
    std::deque<xml_document> included_;
    static constexpr int most_nested = 30;
    int include_depth_ = 0;
    std::string_view uri_; ///< the namespace of the document: that of SCXML, or none
    state_base* root_ = nullptr;
    document* document_ = nullptr;
    content_owner owner_;
    std::vector<place> order_; ///< all states, in document order
    struct known_state {
        state_base* state;
        origin where; ///< position of the id
    };
    std::unordered_map<std::string_view, known_state> states_; ///< by id
    std::unordered_map<std::string_view, origin> data_;        ///< the <data> elements, by id
    std::unordered_set<std::string_view> prefixes_;            ///< prefixes in the document's notes
    std::vector<std::string_view> known_ids_;                  ///< for hints; filled on first use
    guess_budget guesses_;
    std::unordered_map<const state_base*, bool> choices_; ///< cache of has_choice
    static constexpr std::size_t most_compared = 1'000'000;
    struct event_use {
        std::size_t uses;
        const state_base* first;
        origin where; ///< of the first use
    };
    std::map<std::string, event_use, std::less<>> event_uses_;
    std::size_t compared_ = 0; ///< compared events, to find shadowed transitions; larger documents are checked partly
    const std::shared_ptr<const block> nothing_ = std::make_shared<block>(); ///< the content of most transitions
    std::string comments_;                                                   ///< comments before the next element
    extra_markup* inside_ = nullptr;                                         ///< of the innermost element that is not a state
    std::size_t nameless_ = 0, made_ = 1;
    bool restricted_ = true;  ///< whether there is no data model
    bool quotes_ids_ = false; ///< In() takes an expression, so only string literals are resolved
    bool sends_later_ = false;
    bool looks_again_ = false; ///< a transition without an event has a condition that the data model evaluates
    std::string language_;
    std::vector<std::size_t> of_attributes_;        ///< indices of warnings about attributes
    std::vector<written_script> scripts_;           ///< if scripts are checked
    std::vector<const state_base*> states_of_them_; ///< the state of each script
};

} // namespace hsm::detail::scxml
