/// Mistakes in the text of an XML file that are found before it is parsed.
#pragma once

#include <hsm/load/detail/source_text.hpp>

namespace hsm::detail {

/// The first mistake in the text's tags, comments, CDATA sections and instructions. An unclosed one is reported where it begins.
void check_tags(const source_text& source, problem_list& problems);

/// Entities and characters that do not exist, in the values of attributes; all other text is an error anyway. To the parser a name that it
/// does not know is text, and each number a character: one of zero would cut the value short.
void check_references(const source_text& source, problem_list& problems);
/// The same in the text between tags: for files where text has a meaning.
void check_text_references(const source_text& source, problem_list& problems);

} // namespace hsm::detail
