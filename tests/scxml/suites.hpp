/// The conformance suites and the corpus, in folders of the form of ../shared/scxml: what each document of them comes to.
#pragma once

#include <hsm/scxml/options.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace suites {

struct verdict {
    enum class kind { passed, failed, skipped } what = kind::passed;
    std::string id;
    std::string reason; ///< of a failure, or of what was skipped
};

enum class part { mandatory, optional };

/// With what stands beside the document; and where it does not say what it is written in, it is ECMAScript, if there is that.
hsm::scxml_options options_for(const std::filesystem::path& file);

// Empty if there is no manifest.
std::vector<verdict> run_irp(const std::filesystem::path& folder, part of);
std::vector<verdict> run_scion(const std::filesystem::path& folder);

bool with_scripts(); ///< has this program been built with ECMAScript?
std::size_t count(const std::vector<verdict>& all, verdict::kind what);

} // namespace suites
