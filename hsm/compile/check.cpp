#include <hsm/compile/check.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/compile/detail/check_parts.hpp>
#include <hsm/compile/detail/tables.hpp>
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

void findings_of_mistakes::report(found_mistake m) {
    const auto place = !m.at ? file_position() : m.where ? position_of(*m.at, m.where) : position_of(*m.at);
    out_.add(m.code, *m.about, std::move(m.problem), std::move(m.hint), place);
}

std::vector<finding> finding_list::take() {
    if (further_ > 0) {
        const bool errors = !findings_.empty() && findings_.back().severity() == severity::error;
        finding last{
            errors ? code::more_errors : code::more_warnings, {}, {}, errors ? "fix the listed errors first" : "fix the listed warnings first", {}};
        if (!findings_.empty()) last.path = findings_.front().path.substr(0, findings_.front().path.find('/'));
        last.problem =
            fmt::format("there {} {} more {}{}", further_ == 1 ? "is" : "are", further_, errors ? "error" : "warning", further_ == 1 ? "" : "s");
        if (!findings_.empty()) last.where.file = findings_.back().where.file;
        findings_.push_back(std::move(last));
    }
    return std::move(findings_);
}

} // namespace hsm::detail

namespace hsm {

using namespace detail;

namespace {

/// Returns whether the definition has more distinct events than an index can count.
bool too_many_events(const outline& o) {
    std::size_t most = 0; // n intervals have at most 2 n + 1 classes of values
    for (const auto& t : o.transitions)
        if (const auto& event = t.spec->event) most += 1 + event.names.size() + 2 * event.values.size();
    if (most < no_index) return false; // the usual case
    const auto core = make_owned<compiled_chart>();
    collect_events(*core, o);
    return core->events.size() >= no_index;
}

finding too_large(const state_base& root, std::string_view what) {
    return {code::too_large, shown_path(root), fmt::format("the definition has more than 65534 {}", what), "split it into several charts"};
}

/// Returns the errors that prevent further checks.
std::vector<finding> beyond_limits(const outline& o, const state_base& root) {
    if (o.too_large) return {too_large(root, "states")};
    if (o.too_deep)
        return {{code::too_many_levels, root.path(), fmt::format("a state is more than {} levels below the root", most_levels),
                 "add the states as siblings, or find the loop that adds a state to itself", position_of(root)}};
    std::vector<finding> findings;
    for (const auto& s : o.states)
        if (s.node->locals().size() > most_locals)
            findings.push_back({code::too_large, s.node->path(), fmt::format("the state has more than {} locals", most_locals),
                                "put several of them into one class", position_of(*s.node)});
    return findings;
}

} // namespace

std::vector<finding> nothing_to_check() {
    return {{code::no_root, "(nothing)", "the definition has no root", "create a root with make_fsm, and move it into compile once"}};
}

namespace detail {

compile_options rules_for(const state_base& root, compile_options given) {
    if (!root.notes() || !root.notes()->scxml_rules) return given;
    given.order = decision_order::substate_first;
    given.remember_finals = true;
    given.done_events = true;
    given.guard_error = "error.execution";
    return given;
}

} // namespace detail

std::vector<finding> check(state_base& root, const compile_options& given) {
    if (root.is_frozen()) return {}; // its chart has no errors, and other threads may be reading it
    const auto options = rules_for(root, given);
    const auto o = make_outline(root);
    if (const auto beyond = beyond_limits(o, root); !beyond.empty()) return beyond;
    finding_list findings(options.max_findings);
    if (too_many_events(o)) findings.add(too_large(root, "events"));
    check_errors(o, findings);
    if (!findings.empty()) return findings.take();
    if (root.notes()) {
        for (const auto& w : root.notes()->warnings) findings.add(w.code, *w.about, w.problem, w.hint, position_of(*w.about, w.where));
        findings.add_further(root.notes()->further_warnings);
    }
    check_warnings(o, options, findings);
    return findings.take();
}

} // namespace hsm
