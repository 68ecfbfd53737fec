/// Parses the text of XML files of any kind, within limits.
#pragma once

#include <hsm/load/detail/source_text.hpp>

#include <string_view>

namespace pugi {
class xml_document;
}

namespace hsm::detail {

/// Parses in place: names and values of the document are in the source's text. Returns false and adds a problem if the text has too many parts, is
/// not XML or is empty. The caller must check for a document type. `more`: further options of pugixml; `beginning`: for messages, how a file begins.
bool parse_xml(source_text& source, const load_options& options, unsigned more, std::string_view beginning, problem_list& problems,
               pugi::xml_document& document);

} // namespace hsm::detail
