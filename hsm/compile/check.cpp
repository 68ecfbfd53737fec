#include <hsm/compile/check.hpp>

#include <hsm/compile/chart_core.hpp>
#include <hsm/compile/check_parts.hpp>
#include <hsm/define/shown.hpp>

#include <fmt/format.h>

namespace hsm {

namespace {

/// More distinct events than an index can count.
bool too_many_events(const outline& o) {
    std::vector<const event_key*> waited_for;
    for (const auto& t : o.transitions)
        if (t.spec->event) waited_for.push_back(&t.spec->event);
    if (waited_for.size() < no_index) return false; // as good as always
    std::vector<event_key> events;
    events.reserve(waited_for.size());
    for (const auto* event : waited_for) events.push_back(*event);
    sort_events(events);
    return events.size() >= no_index;
}

finding too_large(const state_base& root, std::string_view what) {
    return {code::too_large, shown_path(root), fmt::format("the definition has more than 65534 {}", what), "split it into several charts"};
}

} // namespace

std::vector<finding> nothing_to_check() {
    return {{code::no_root, "(nothing)", "there is no root to compile", "make one with make_fsm, and move it into compile once"}};
}

std::vector<finding> check(state_base& root, const compile_options& options) {
    if (root.is_frozen()) return {}; // its chart has found nothing wrong with it, and other threads may be reading it
    const auto o = make_outline(root);
    if (o.too_large) return {too_large(root, "states")};
    if (o.too_deep)
        return {{code::too_many_levels, root.path(), fmt::format("there is a state more than {} levels below it", most_levels),
                 "no machine that is written by hand is as deep: a state that is added in a loop?"}};
    finding_list findings(options.max_findings);
    if (too_many_events(o)) findings.add(too_large(root, "events"));
    check_errors(o, findings);
    if (findings.empty()) check_warnings(o, options, findings);
    return findings.take();
}

} // namespace hsm
