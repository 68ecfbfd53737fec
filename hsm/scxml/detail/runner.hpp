/// Runs executable content in the hooks of one machine.
#pragma once

#include <hsm/define/event.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/scxml/context.hpp>
#include <hsm/scxml/detail/document.hpp>

#include <span>

namespace hsm::detail::scxml {

struct runner {
    hsm::scxml::context& session;
    machine& m;

    /// False: something went wrong, which has been told, and the rest was not done.
    bool run(const block& content);
    outcome<bool> test(const condition& c);
    /// As the guard of a transition. Throws what is wrong: the engine makes the error event of it. Where it is only asked, as by can(), nothing is
    /// reported, and nothing counts.
    bool holds(const condition& c);

    void begin(const document& d);
    void end();
    void deliver();
    void raise(std::string_view event, const value& data = {}, std::string_view type = "internal", std::string_view sendid = {});
    void bind_late(const document& d, const state_base& s);
    /// `_event`, from now on.
    void show(const named_event& event);
    /// False: an error, which has been told.
    bool find(const payload& p, value& found);
    bool find(const text_value& t, std::string& found);
    bool find(const expression& e, value& found);
    bool find(std::span<const parameter> all, hsm::scxml::named_values& found);
    /// What a final state has to say. A <param> that fails is left out, the others stay (5.7). A <content> that fails leaves nothing: 5.6 says
    /// the empty string, but the W3C's test 528 wants no data.
    value done_data(const payload& p);
    bool assign(const expression& location, const value& v);
    /// <finalize>, of an event from what it has invoked.
    void finalize(const invoke_spec& spec, const event_info& event);
    /// Now, or when so many nanoseconds have passed.
    bool dispatch(hsm::scxml::outgoing event, std::int64_t after);
    /// Reports it to the document and the host; false.
    bool fail(std::string_view event, std::string_view what, std::string_view sendid = {});
    /// Of the call's steps. False: they are used up, and the document has been given an error event, or nothing more of it runs.
    bool spend();
    /// A macrostep of a plain instance is complete: the next one has all steps again.
    void end_macrostep();
    [[noreturn]] void throw_used_up() const;

    // Of states with <invoke>.
    void will_invoke(const state_base& s);
    void cancel_invoked(const state_base& s);
    void invoke_all();

private:
    bool may_spend();
    bool run_out();
    std::string text_of_used_up() const;
    data_model* model() { return session.model_.get(); }

    // One of each kind of action. False as of run.
    bool act(const action& a, const raise_action& what);
    bool act(const action& a, const log_action& what);
    bool act(const action& a, const assign_action& what);
    bool act(const action& a, const script_action& what);
    bool act(const action& a, const send_action& what);
    bool act(const action& a, const cancel_action& what);
    bool act(const action& a, const choose_action& what);
    bool act(const action& a, const foreach_action& what);
    bool act(const action& a, const foreign_action& what);

    bool succeeds(const failure& f) { return !f || fail("error.execution", f.what); }
    bool is_own(const hsm::scxml::outgoing& event) const;
    void initialise(const datum& d, bool of_document);
    void schedule(const hsm::scxml::outgoing& event, std::int64_t after);
    void post(const hsm::scxml::outgoing& event);
    event_info external(const hsm::scxml::outgoing& event) const;
    [[noreturn]] void tell_lost(std::string_view event) const;
};

/// Nanoseconds of a time as CSS 2 writes it: "1.5s", ".5s", "200ms". Below zero: it is none.
std::int64_t time_of_css(std::string_view text);
/// Is that, as the type of a <send>, SCXML's own processor? Empty: it is.
bool is_own_processor(std::string_view type);
/// What is no JSON is text.
event_data data_of(const value& v);
/// The text as a JSON string, with its quotation marks.
std::string json_string(std::string_view text);

} // namespace hsm::detail::scxml
