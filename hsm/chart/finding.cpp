#include <hsm/chart/finding.hpp>

#include <hsm/op/detail/format.hpp>

namespace hsm {

hsm::severity finding::severity() const {
    if (code == code::changed_chart || code == code::misspelt_name) return hsm::severity::warning;
    return static_cast<int>(code) < 100 || static_cast<int>(code) >= 200 ? hsm::severity::error : hsm::severity::warning;
}

std::string finding::to_string() const {
    auto text = fmt::format("{} {}{}{}: {}", hsm::to_string(code), severity() == hsm::severity::error ? "error" : "warning",
                            path.empty() ? "" : " at ", path, problem);
    if (!hint.empty()) text += fmt::format("; hint: {}", hint);
    return where.file.empty() ? text : where.to_string() + ": " + text;
}

std::string describe(const std::vector<finding>& findings) {
    std::string text;
    for (const auto& f : findings) text += f.to_string() + '\n';
    return text;
}

} // namespace hsm
