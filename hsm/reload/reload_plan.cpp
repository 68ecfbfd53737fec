#include <hsm/reload/reload_plan.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/reload/detail/chart_map.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/text/detail/escape.hpp>

#include <iterator>
#include <utility>

namespace hsm {

using namespace detail;

const char* to_string(reload_rule rule) {
    constexpr const char* texts[] = {"same name", "renamed", "edited", "same class or enumerator", "replaced", "dropped"};
    return texts[static_cast<int>(rule)];
}

reload_plan::reload_plan(const chart_base& from, const chart_base& to) {
    require_chart(from);
    require_chart(to);
    map_ = make_owned<chart_map>(from, to);
}

reload_plan::reload_plan(reload_plan&& other) noexcept = default;
reload_plan::~reload_plan() = default;

reload_plan& reload_plan::map(std::string_view from, std::string_view to) { return map_->edit(from, &to), *this; }
reload_plan& reload_plan::drop(std::string_view from) { return map_->edit(from, nullptr), *this; }

reload_plan& reload_plan::exit_enter(bool runs_hooks) { return map_->runs_hooks = runs_hooks, *this; }

reload_plan& reload_plan::add(owned<reload_converter> converter) {
    map_->add(std::move(converter));
    return *this;
}

const chart_map& reload_plan::charts() const {
    map_->find_all();
    return *map_;
}

std::vector<reload_step> reload_plan::steps() const {
    std::vector<reload_step> all;
    const auto& m = charts();
    const auto &old_names = m.old_names(), &new_names = m.new_names();
    const auto add = [&](const char* kind, const std::string& from, const mapped_part& part, const std::vector<std::string>& names) {
        all.push_back({kind, from, part.to == saved_names::unknown ? "" : names[part.to], part.rule});
    };
    for (std::size_t s = 0; s < m.states.size(); ++s) {
        const auto& row = m.before().states[s];
        const auto& part = m.states[s];
        add("state", old_names.states[s], part, new_names.states);
        const auto inside = [&](const char* kind, const std::string& name, const std::string& to, bool is_there, reload_rule rule) {
            all.push_back({kind, old_names.states[s] + ": " + name, is_there ? new_names.states[part.to] + ": " + to : "", rule});
        };
        for (auto t = row.timers.first; t < row.timers.first + row.timers.count; ++t) {
            const auto found = part.is_exact() ? new_names.find_timer(static_cast<index>(part.to), m.names->timers[t]) : saved_names::unknown;
            const bool is_there = found != saved_names::unknown;
            inside("timer", old_names.timers[t], is_there ? new_names.timers[found] : "", is_there, is_there ? part.rule : reload_rule::dropped);
        }
        for (auto l = row.locals.first; l < row.locals.first + row.locals.count; ++l)
            inside("local", old_names.locals[l], m.names->locals[l], m.locals[l].is_exact(), m.locals[l].rule);
        if (row.record == no_index) continue;
        const bool is_there = part.is_exact() && m.after().states[part.to].record != no_index;
        all.push_back({"history", old_names.states[s], is_there ? new_names.states[part.to] : "", is_there ? part.rule : reload_rule::dropped});
    }
    for (std::size_t e = 0; e < m.events.size(); ++e) add("event", old_names.events[e], m.events[e], new_names.events);
    for (std::size_t c = 1; c < m.conditions.size(); ++c) add("condition", old_names.conditions[c], m.conditions[c], new_names.conditions);
    return all;
}

std::string reload_plan::to_string() const {
    std::string text;
    for (const auto& each : steps())
        text += each.to.empty() ? fmt::format("{} {}: {}\n", each.kind, each.from, hsm::to_string(each.rule))
                                : fmt::format("{} {} -> {}: {}\n", each.kind, each.from, each.to, hsm::to_string(each.rule));
    return text;
}

std::string reload_plan::to_json() const {
    std::string text = "[";
    for (const auto& each : steps())
        text += fmt::format(R"({}{{"kind": "{}", "from": {}, "to": {}, "rule": "{}"}})", text.size() == 1 ? "\n  " : ",\n  ", each.kind,
                            json_string(each.from), each.to.empty() ? "null" : json_string(each.to), hsm::to_string(each.rule));
    return text + "\n]\n";
}

std::string reload_report::to_string() const {
    auto text =
        fmt::format("{} machines; active states: {} with the same path, {} with another path, {} replaced\n", machines, same, moved, replaced);
    for (const auto& each : changes) text += each.to_string() + '\n';
    return text;
}

void reload_report::add(reload_report other) {
    machines += other.machines;
    same += other.same;
    moved += other.moved;
    replaced += other.replaced;
    changes.insert(changes.end(), std::make_move_iterator(other.changes.begin()), std::make_move_iterator(other.changes.end()));
}

bool reload_plan::released() const { return atomic_load<order::acquire>(map_->before().owner->users) <= 2; }

state_ref bind(const chart_base& chart, const state_key& state) { return chart.state(require_state(require_chart(chart), state)); }

} // namespace hsm
