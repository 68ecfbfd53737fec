/// Gives a running session another document: after you have edited its file.
///
///     const auto after = hsm::compile(hsm::load_scxml("door.scxml", options)); // the edited file
///     hsm::scxml::reload_session(door, hsm::reload_plan(before, after));
///
/// The plan maps the states, as for an instance. Data are kept by their ids. New <data> get their initial values. With late binding, new <data> in a
/// state get them only if the state is active, or was entered before. Functions are not kept: the scripts of the new document run, and define them
/// again. Delayed and waiting events are kept. Invoked sessions and services end without running hooks, and no <invoke> of an active state begins
/// again. The report lists what was dropped (HSM-363).
#pragma once

#include <hsm/reload/reload_error.hpp>
#include <hsm/reload/reload_plan.hpp>
#include <hsm/scxml/session.hpp>

namespace hsm::scxml {

/// Returns the report that reload_session would return now. Changes nothing.
reload_report report_session(const session_base& session, const reload_plan& plan);
/// Gives the session the new chart of the plan, which must outlive the session. Changes nothing and returns the outcome busy in two cases: during a
/// call of the session's host, and while an event that behavior has posted waits. In the second case, call `run` first. Throws reload_error: the
/// errors of reload_plan::apply; HSM-424 if the session was invoked, if the plan runs hooks (`exit_enter`), or if data cannot be saved or
/// initialized. Throws usage_error if the new document cannot run. If it throws, nothing has changed; exceptions of observers are rethrown at the
/// end.
reload_report reload_session(session_base& session, const reload_plan& plan);

} // namespace hsm::scxml
