/// Real documents. Each is loaded and then used in all ways, or is refused with a position and a reason.
#pragma once

#include <tests/scxml/suites.hpp>

namespace suites {

/// passed: the document was loaded, saved, loaded again with an equal result, drawn, and run with equal traces of engine and reference. A document in
/// an unknown language does not run. skipped: it was refused.
std::vector<verdict> run_corpus(const std::filesystem::path& folder);

} // namespace suites
