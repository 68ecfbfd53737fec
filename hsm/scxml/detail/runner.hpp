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

    /// Runs content. Returns false after an error, which was reported; the rest was not executed.
    bool run(const block& content);
    outcome<bool> test(const condition& c);
    /// Evaluates a condition as a transition's guard. Throws its errors, which the engine converts to an error event. During queries such as can(),
    /// nothing is reported and no steps are counted.
    bool holds(const condition& c);

    void begin(const document& d);
    void end();
    void deliver();
    void raise(std::string_view event, const value& data = {}, std::string_view type = "internal", std::string_view sendid = {});
    void bind_late(const document& d, const state_base& s);
    /// Sets `_event`.
    void show(const named_event& event);
    /// These return false after an error, which was reported.
    bool find(const payload& p, value& found);
    bool find(const text_value& t, std::string& found);
    bool find(const expression& e, value& found);
    bool find(std::span<const parameter> all, hsm::scxml::named_values& found);
    /// Returns the data of a final state. A <param> that fails is left out (5.7). A <content> that fails results in no data: 5.6 requires an empty
    /// string, but the W3C's test 528 requires no data.
    value done_data(const payload& p);
    bool assign(const expression& location, const value& v);
    /// Runs <finalize> for an event from an invoked session.
    void finalize(const invoke_spec& spec, const event_info& event);
    /// Sends an event now, or after a delay in nanoseconds.
    bool dispatch(hsm::scxml::outgoing event, std::int64_t after);
    /// Reports an error to the document and the host. Returns false.
    bool fail(std::string_view event, std::string_view what, std::string_view sendid = {});
    /// Counts steps of the call. Returns false if they are used up; the document then received an error event, or nothing more of it runs.
    bool spend();
    /// Resets the steps after a macrostep of an instance without a session.
    void end_macrostep();
    [[noreturn]] void throw_used_up() const;

    // For states with <invoke>.
    void will_invoke(const state_base& s);
    void cancel_invoked(const state_base& s);
    void invoke_all();

private:
    bool may_spend();
    bool run_out();
    std::string text_of_used_up() const;
    data_model* model() { return session.model_.get(); }

    // One overload for each kind of action. They return false as run does.
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
    void initialise(const data_element& d, bool of_document);
    void schedule(const hsm::scxml::outgoing& event, std::int64_t after);
    void post(const hsm::scxml::outgoing& event);
    template <class Give> bool queue(std::deque<event_info>& shown, event_info&& event, Give give);
    event_info external(const hsm::scxml::outgoing& event) const;
    [[noreturn]] void throw_lost(std::string_view event) const;
};

/// Returns the nanoseconds of a time in the syntax of CSS 2: "1.5s", ".5s", "200ms". Negative if the text is invalid.
std::int64_t time_of_css(std::string_view text);
/// Returns whether the type of a <send> is SCXML's own processor. An empty type is.
bool is_own_processor(std::string_view type);
/// Text that is not JSON becomes a string.
event_data data_of(const value& v);

} // namespace hsm::detail::scxml
