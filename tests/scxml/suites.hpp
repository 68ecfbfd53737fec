/// Runs the conformance suites and the corpus in a folder of the form of ../shared/scxml, with one verdict for each document.
#pragma once

#include <hsm/scxml/options.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace suites {

struct verdict {
    enum class kind { passed, failed, skipped } what = kind::passed;
    std::string id;
    std::string reason; ///< of a failure or a skipped document
};

enum class part { mandatory, optional };

/// Returns options that permit the document's own folder. The default language is ECMAScript if it is available.
hsm::scxml_options options_for(const std::filesystem::path& file);

// These return an empty list if there is no manifest.
std::vector<verdict> run_irp(const std::filesystem::path& folder, part of);
std::vector<verdict> run_scion(const std::filesystem::path& folder);

/// Real documents. passed: the document was loaded, saved, loaded again with an equal result, drawn, and run with equal traces of engine and
/// reference. A document in an unknown language does not run. skipped: it was refused.
std::vector<verdict> run_corpus(const std::filesystem::path& folder);

/// Compares documents with Qt SCXML. Each document of the corpus that hsm loads gets 200 random events. passed: the active states are equal after
/// each event. skipped: Qt does not load it, or the difference is known, with the paragraph of the Recommendation. `player`: the program qt_player.
std::vector<verdict> run_beside_qt(const std::filesystem::path& folder, const std::string& player);

bool with_scripts(); ///< whether this program was built with ECMAScript
std::size_t count(const std::vector<verdict>& all, verdict::kind what);

} // namespace suites
