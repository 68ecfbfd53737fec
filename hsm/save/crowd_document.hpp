/// Documents of a whole crowd, as JSON text, for savegames.
///
///     std::string text = hsm::save_document(herd);
///     ...
///     const auto [outcome, changes] = hsm::restore_document(herd, text);
///
/// It is for agents what a document of an instance is (document.hpp), and is restored as an image of a crowd is (crowd_image.hpp): with their places
/// and handles, into a crowd that may have other options, of a chart that has been changed. Contexts that the crowd keeps are in it; they need a
/// `serialize`, and a default constructor and a move that does not throw, or to be trivially copyable. What that does not name is as in a new one.
///
/// In the thread of the crowd. Allocates. Not part of <hsm/hsm.hpp>; there only if hsm was built with nlohmann_json.
#pragma once

#include <hsm/save/crowd_image.hpp>
#include <hsm/save/document.hpp>

#include <string>
#include <string_view>

namespace hsm {

namespace detail {
std::string save_crowd_document(const crowd_base& herd, const saved_context& kind);
restored restore_crowd_document(crowd_base& herd, const saved_context& kind, std::string_view text, const document_options& how);
} // namespace detail

/// Empty if it is busy. Throws save_error (HSM-351), and what serialize throws.
template <class Context> std::string save_document(const crowd<Context>& herd) {
    return detail::save_crowd_document(herd, detail::saved_context_of<Context>());
}
/// taken; busy, and nothing has changed. Throws save_error, and nothing has changed: HSM-351; HSM-356, there is no room; HSM-361 to HSM-363 as
/// restore_document of an instance. What constructors and serialize throw goes on. What an observer throws comes when everything is restored.
template <class Context> restored restore_document(crowd<Context>& herd, std::string_view text, const document_options& how = {}) {
    return detail::restore_crowd_document(herd, detail::saved_context_of<Context>(), text, how);
}

} // namespace hsm
