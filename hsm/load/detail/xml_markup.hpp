/// What an XML file has beside its machine: comments, processing instructions, attributes that loading passes over.
#pragma once

#include <string>
#include <string_view>

namespace hsm::detail {

/// What xml_writer has written, with all that of the file it was loaded from, at the places that correspond: a comment stays in front of the
/// element that it was in front of, or behind the one whose line it was on. What was in an element that is no longer there goes to the next place.
/// An original that is no XML has nothing.
std::string with_markup_of(std::string_view original, std::string saved);

} // namespace hsm::detail
