/// The parts of an XML file that do not belong to the machine: comments, processing instructions, attributes that loading ignores.
#pragma once

#include <string>
#include <string_view>

namespace hsm::detail {

/// Inserts these parts of the original into the output of xml_writer, at the corresponding places. A comment stays before the element that followed
/// it, or after the element on whose line it was. Markup of an element that does not exist any more goes to the next place. An original that is not
/// XML is ignored.
std::string with_markup_of(std::string_view original, std::string saved);

} // namespace hsm::detail
