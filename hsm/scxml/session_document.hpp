/// A session and its invoked sessions as JSON text.
///
///     std::string text = hsm::scxml::save_session(light);
///     ...
///     hsm::scxml::restore_session(light, text); // of a chart of the same document
///
/// The text contains states, history and clock, in the form of an instance's document (docs/reference/document_format.md). It also contains data as
/// saved by the data model, delayed and waiting events, and ids. For each invoked session it contains the same, and the invoked document, unless that
/// is part of the parent's document. It does not contain fields of your own context, limits, observers, or `_event`, which is set with the next
/// event.
///
/// The text is untrusted: either all of it fits, or nothing changes. No hook runs. If the document has scripts, its <script> runs, because functions
/// are not saved. Call it in the session's thread.
#pragma once

#include <hsm/op/result.hpp>
#include <hsm/save/save_error.hpp>
#include <hsm/scxml/session.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::scxml {

struct session_document_options {
    std::size_t most_bytes = 64u << 20; ///< of the text
};

/// Returns an empty text while its host works. Throws save_error (HSM-351) if a service of the host is invoked, or script data cannot be written.
std::string save_session(const session_base& s);

/// Restores a session, running or not. Invoked documents come from the text or from the session's own document. Returns taken or busy. If it throws
/// save_error, nothing has changed: HSM-361; HSM-362; HSM-363, the text is of a session of another document. Calls `on_invoked` for each restored
/// session.
result restore_session(session_base& s, std::string_view text, const session_document_options& how = {});

} // namespace hsm::scxml
