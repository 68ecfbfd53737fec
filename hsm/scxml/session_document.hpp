/// A session and its invoked sessions as JSON text.
///
///     std::string text = hsm::scxml::save_session(light);
///     ...
///     hsm::scxml::restore_session(light, text); // of a chart of the same document
///
/// The text contains states, history and clock, in the form of an instance's document (docs/reference/document_format.md). It also contains the data
/// (as the data model saves it), the delayed and waiting events, and the ids of sessions and invocations. For each invoked session, the text contains
/// the same parts, and also the invoked document unless this document is part of the parent's document. The text does not contain fields of your own
/// context, limits, observers, or `_event`, which is set with the next event.
///
/// The text is untrusted: if any part of it does not fit, nothing changes. No hook runs. If the document has top-level scripts, they run again,
/// because functions are not saved. Call these functions in the session's thread.
#pragma once

#include <hsm/op/result.hpp>
#include <hsm/save/save_error.hpp>
#include <hsm/scxml/session.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::scxml {

struct session_document_options {
    std::size_t most_bytes = 64u << 20; ///< limits the size of the text
};

/// Returns the text, or an empty text in a callback (during a call to a session of the same host). Throws save_error (HSM-351) if a session has
/// invoked a service (service.hpp), or if script data cannot be written.
std::string save_session(const session_base& s);

/// Restores a session, whether it is running or not. Returns taken or busy. If an <invoke> contains its document in <content>, this document is used.
/// All other invoked documents are read from `text`. Throws save_error and changes nothing: HSM-361 if the text is not the document of a session, or
/// has a later version; HSM-362 if it is broken or too large; HSM-363 if it belongs to a session of another document. Calls `on_invoked` for each
/// restored session.
result restore_session(session_base& s, std::string_view text, const session_document_options& how = {});

} // namespace hsm::scxml
