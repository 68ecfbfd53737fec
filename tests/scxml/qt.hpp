/// Compares documents with Qt SCXML.
#pragma once

#include <tests/scxml/suites.hpp>

namespace suites {

/// Each document of the corpus that hsm loads gets 200 random events. passed: the active states are equal after each event. skipped: Qt does not load
/// it, or the difference is known, with the paragraph of the Recommendation. `player` is the program qt_player.
std::vector<verdict> run_beside_qt(const std::filesystem::path& folder, const std::string& player);

} // namespace suites
