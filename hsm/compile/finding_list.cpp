#include <hsm/compile/detail/finding_list.hpp>

#include <hsm/define/detail/shown.hpp>
#include <hsm/op/detail/format.hpp>

namespace hsm::detail {

void finding_list::add(hsm::code code, const state_base& about, std::string problem, std::string hint, const file_position& where) {
    if (full()) return ++further_, void();
    auto position = !where.file.empty() || !examined_ ? where : at_ ? position_of(*examined_, at_) : position_of(*examined_);
    findings_.push_back({code, shown_path(about), in_terms_of(about, std::move(problem)), in_terms_of(about, std::move(hint)), std::move(position)});
}

void finding_list::add(finding f) {
    if (full()) return ++further_, void();
    findings_.push_back(std::move(f));
}

std::string finding_list::guess(const state_base& from, const target_spec& what) { return full() ? std::string() : suggestion(from, what, guesses_); }

void finding_list::examine(const state_base& s, origin at) {
    examined_ = &s;
    at_ = at;
}

void findings_of_mistakes::hear(told_mistake m) {
    const auto place = !m.at ? file_position() : m.where ? position_of(*m.at, m.where) : position_of(*m.at);
    out_.add(m.code, *m.about, std::move(m.problem), std::move(m.hint), place);
}

std::vector<finding> finding_list::take() {
    if (further_ > 0) {
        const bool errors = !findings_.empty() && findings_.back().severity() == severity::error;
        finding last{errors ? code::more_errors : code::more_warnings, {}, {}, "fix these first", {}};
        if (!findings_.empty()) last.path = findings_.front().path.substr(0, findings_.front().path.find('/'));
        last.problem =
            fmt::format("there {} {} more {}{}", further_ == 1 ? "is" : "are", further_, errors ? "error" : "warning", further_ == 1 ? "" : "s");
        if (!findings_.empty()) last.where.file = findings_.back().where.file;
        findings_.push_back(std::move(last));
    }
    return std::move(findings_);
}

} // namespace hsm::detail
