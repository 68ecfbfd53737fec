/// Real documents: each loads, and then all that can be done with it is done, or it is refused, with a place and a reason.
#pragma once

#include <tests/scxml/suites.hpp>

namespace suites {

/// passed: loaded, saved, loaded again and equal, drawn, and walked with equal traces of engine and reference; a document in an unknown language does
/// not run. skipped: refused.
std::vector<verdict> run_corpus(const std::filesystem::path& folder);

} // namespace suites
