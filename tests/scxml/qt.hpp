/// Documents as Qt SCXML plays them, beside ours.
#pragma once

#include <tests/scxml/suites.hpp>

namespace suites {

/// Each document of the corpus that we load gets 200 random events. passed: after each of them the same states are active. skipped: Qt does
/// not load it, or the difference is known, with the paragraph of the Recommendation. `player` is the program qt_player.
std::vector<verdict> run_beside_qt(const std::filesystem::path& folder, const std::string& player);

} // namespace suites
