#include <hsm/load/load_error.hpp>

#include <hsm/op/detail/format.hpp>

namespace hsm {

bool load_problem::is_warning() const { return code == code::unread_markup; }

std::string load_problem::to_string() const {
    const auto scope = where.to_string();
    auto text = fmt::format("{}{}{} {}: {}", scope, scope.empty() ? "" : ": ", hsm::to_string(code), is_warning() ? "warning" : "error", problem);
    if (!hint.empty()) text += fmt::format("; hint: {}", hint);
    return text;
}

std::string describe(const std::vector<load_problem>& problems) {
    std::string text;
    for (const auto& p : problems) text += p.to_string() + '\n';
    return text;
}

load_error::load_error(std::vector<load_problem> problems) : std::runtime_error(describe(problems)), problems_(std::move(problems)) {}

} // namespace hsm
