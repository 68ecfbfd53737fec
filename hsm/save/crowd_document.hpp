/// Documents of a crowd: its state as JSON text, for savegames.
///
///     std::string text = hsm::save_document(herd);
///     ...
///     const auto [outcome, changes] = hsm::restore_document(herd, text);
///
/// The text contains each agent in the form of an instance's document (document.hpp). A document is restored like a crowd's image (crowd_image.hpp),
/// including places and handles. The restored crowd can have other options and a changed chart. The text includes contexts that the crowd keeps.
/// These contexts need a `serialize`, unless their bytes determine their value. If they are not trivially copyable, they also need a default
/// constructor and a move that does not throw. If `serialize` does not name a field, the field has the value of a new context.
///
/// Call these functions in the crowd's thread. They allocate memory. This header is not part of <hsm/hsm.hpp>; it is available only if hsm was built
/// with nlohmann_json.
#pragma once

#include <hsm/save/crowd_image.hpp>
#include <hsm/save/document.hpp>

#include <string>
#include <string_view>

namespace hsm {

namespace detail {
std::string save_crowd_document(const crowd_base& crowd, const saved_context& kind);
restored restore_crowd_document(crowd_base& crowd, const saved_context& kind, std::string_view text, const document_options& how);
} // namespace detail

/// Returns the document, or an empty text if the crowd is busy. Throws save_error (HSM-351), and exceptions of `serialize`.
template <class Context> std::string save_document(const crowd<Context>& crowd) {
    return detail::save_crowd_document(crowd, detail::saved_context_of<Context>());
}
/// Restores a crowd and returns `taken`. While a call to the crowd or one of its agents is in progress, returns `busy` and changes nothing. Throws
/// save_error: HSM-351 if the fields of a class are not known; HSM-356 if a queue or the mailbox has no room for waiting events; HSM-361 to HSM-363
/// as for an instance (document.hpp). Rethrows exceptions of constructors and `serialize`. In all these cases, nothing has changed. Exceptions of
/// observers are rethrown after everything is restored.
template <class Context> restored restore_document(crowd<Context>& crowd, std::string_view text, const document_options& how = {}) {
    return detail::restore_crowd_document(crowd, detail::saved_context_of<Context>(), text, how);
}

} // namespace hsm
