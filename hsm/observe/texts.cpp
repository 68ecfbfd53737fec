#include <hsm/observe/detail/texts.hpp>

#include <fmt/format.h>

namespace hsm::detail {

std::string text_of_state(const chart_core& core, std::uint32_t state) { return core.states[state].node->path(); }

std::string text_of_event(const chart_core& core, std::uint32_t event) {
    const auto& e = core.events[event];
    if (e.type->is_name) return e.name;
    const std::string type(e.type->name);
    return type.ends_with(e.name) ? type : e.name + " of " + type;
}

std::string text_of_condition(const chart_core& core, std::uint32_t condition) {
    const auto name = core.conditions[condition];
    return name.empty() ? fmt::format("condition {}", condition) : std::string(name);
}

std::string text_of_transition(const chart_core& core, std::uint32_t transition) {
    const auto& t = core.transitions[transition];
    auto text = text_of_state(core, t.source);
    if (t.defers) return fmt::format("{} keeps {}", text, text_of_event(core, t.event));
    const auto targets = t.target == no_index ? std::span<const index>() : core.targets_of(t);
    for (std::size_t i = 0; i < targets.size(); ++i) text += fmt::format("{} {}", i == 0 ? " ->" : ",", text_of_state(core, targets[i]));
    if (t.event != no_index) return fmt::format("{} on {}", text, text_of_event(core, t.event));
    if (t.on_finished) return text + " when it is over";
    if (t.spec->every) return text + " every";
    if (t.spec->after) return text + " after";
    return text;
}

namespace {

std::string labelled(std::string_view what, std::string_view label, std::uint32_t place, const file_position& where) {
    if (!label.empty()) return fmt::format("{} \"{}\"", what, label);
    return where.line == 0 ? fmt::format("{} {}", what, place + 1) : fmt::format("{} {} ({})", what, place + 1, where.to_string());
}

} // namespace

std::string text_of_guard(const chart_core& core, std::uint32_t transition, std::uint32_t guard) {
    const auto& t = core.transitions[transition];
    const auto place = guard - t.guards.first;
    return labelled("guard", t.spec->guards[place].name(), place, position_of(*t.spec));
}

std::string text_of_predicate(const chart_core& core, std::uint32_t state, std::uint32_t guard) {
    const auto& s = core.states[state];
    const auto place = guard - s.hold.first;
    return labelled("predicate", s.node->holds().predicates[place].name(), place, position_of(*s.node));
}

std::string text_of_time(std::int64_t nanoseconds) {
    struct unit {
        std::int64_t size;
        std::string_view name;
    };
    constexpr unit units[] = {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}};
    if (nanoseconds == never) return "ever";
    for (const auto& u : units)
        if (nanoseconds >= u.size) return fmt::format("{} {}", static_cast<double>(nanoseconds) / static_cast<double>(u.size), u.name);
    return fmt::format("{} ns", nanoseconds);
}

} // namespace hsm::detail
