/// SCXML documents as text, and their sessions.
#pragma once

#include <hsm/scxml/detail/data_model.hpp>
#include <hsm/scxml/options.hpp>
#include <hsm/scxml/session.hpp>

#include <string>

namespace hsm::test {

inline std::string scxml_document(const std::string& inside, const std::string& attributes = "") {
    return "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" " + attributes + ">" + inside + "</scxml>";
}
inline std::string ecmascript_document(const std::string& inside) { return scxml_document(inside, "datamodel=\"ecmascript\""); }

/// Permits documents in this language.
inline scxml_options options_with(const detail::scxml::data_model_kind& language, const std::string& include_folder = "") {
    scxml_options options;
    options.data_models = {&language};
    options.include_folder = include_folder;
    return options;
}

/// Returns the active leaves, separated by spaces.
inline std::string leaves_of(const scxml::session_base& session) {
    std::string text;
    for (const auto& name : session.configuration()) text += (text.empty() ? "" : " ") + name;
    return text;
}

} // namespace hsm::test
