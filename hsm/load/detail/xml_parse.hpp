/// The text of an XML file, parsed within bounds: what XML files of any kind have in common.
#pragma once

#include <hsm/load/detail/source_text.hpp>

#include <string_view>

namespace pugi {
class xml_document;
}

namespace hsm::detail {

/// In place: names and values of the document are in the source's text. False, and a problem, if it has too many parts, is not XML or is empty.
/// A document type is for the caller to find. `more`: further options of pugixml's; `beginning`: how such a file begins, for people.
bool parse_xml(source_text& source, const load_options& options, unsigned more, std::string_view beginning, problem_list& problems,
               pugi::xml_document& document);

} // namespace hsm::detail
