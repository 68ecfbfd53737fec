/// A session with all that it has invoked, as JSON text.
///
///     std::string text = hsm::scxml::save_session(light);
///     ...
///     hsm::scxml::restore_session(light, text); // of a chart of the same document
///
/// In it are states, history and clock, what a document of an instance holds (docs/reference/document_format.md); data as the data model saves them;
/// delayed events, events that wait, ids; the same of each session that was invoked, with its document, unless that is in the document of its parent.
/// Not in it: fields that your own context has, limits, observers, and `_event`, which is there again with the next event.
///
/// A document is not trusted. It fits as a whole, or nothing has changed. No hook runs; of a document with scripts its <script> runs, as functions
/// are not data. In the thread of the session.
#pragma once

#include <hsm/op/result.hpp>
#include <hsm/save/save_error.hpp>
#include <hsm/scxml/session.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::scxml {

struct session_document_options {
    std::size_t most_bytes = 64u << 20; ///< of a text
};

/// Empty if its host is at work. Throws save_error (HSM-351): a service of the host's is invoked, or data of the scripts cannot be written.
std::string save_session(const session_base& s);

/// Into a session that runs, or does not. Documents that were invoked are in the text, or in the session's own. taken; busy. Throws save_error, and
/// nothing has changed: HSM-361, HSM-362; HSM-363, it is of another document. `on_invoked` hears of each session that there is now.
result restore_session(session_base& s, std::string_view text, const session_document_options& how = {});

} // namespace hsm::scxml
