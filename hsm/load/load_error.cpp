#include <hsm/load/load_error.hpp>

#include <hsm/define/detail/shown.hpp>
#include <hsm/load/detail/problem_list.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <tuple>

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

namespace hsm::detail {

void problem_list::add(hsm::code code, origin where, std::string problem, std::string hint) {
    if (full())
        ++further_;
    else
        problems_.push_back({code, {where.file ? where.file : file_, where.line, where.column}, shown(problem, longest_), shown(hint, longest_)});
}

std::vector<load_problem> problem_list::take() {
    std::ranges::stable_sort(problems_, {}, [](const load_problem& p) { return std::tie(p.where.line, p.where.column); });
    if (further_ > 0) {
        auto& last = problems_.emplace_back(load_problem{code::more_problems, {}, {}, {}});
        last.where.file = file_;
        last.problem = fmt::format("there {} {} more error{} in this file", further_ == 1 ? "is" : "are", further_, further_ == 1 ? "" : "s");
        last.hint = "fix the listed errors first";
    }
    return std::move(problems_);
}

std::string in_quotes(std::string_view text) { return fmt::format("\"{}\"", shown(text, 80)); }

} // namespace hsm::detail
