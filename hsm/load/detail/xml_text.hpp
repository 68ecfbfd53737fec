/// Finds errors in the text of an XML file before it is parsed.
#pragma once

#include <hsm/load/detail/source_text.hpp>

namespace hsm::detail {

/// Reports the first error in the text's tags, comments, CDATA sections and instructions. An unclosed one is reported where it begins.
void check_tags(const source_text& source, problem_list& problems);

/// Reports invalid entities and characters in the values of attributes; other text between elements is an error anyway. The parser would treat an
/// unknown name as text, and accept any number as a character: a zero would truncate the value.
void check_references(const source_text& source, problem_list& problems);
/// Reports the same in the text between tags, for files in which text has a meaning.
void check_text_references(const source_text& source, problem_list& problems);

} // namespace hsm::detail
