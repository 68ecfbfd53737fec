// Writes transitions and their conditions.

#include <hsm/define/detail/shown.hpp>
#include <hsm/define/detail/transition_options.hpp>
#include <hsm/load/detail/marks.hpp>
#include <hsm/load/detail/xml_writer.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <limits>

namespace hsm::detail {

namespace {

std::size_t bits_in(const guard_operand& part) {
    std::size_t count = part.form == guard_form::bit;
    for (const auto& p : part.parts) count += bits_in(p);
    return count;
}

} // namespace

void xml_writer::write_transition(const transition_spec& t, const state_base& s) {
    if (t.defers) {
        begin("defer");
        attribute("event", t.event.name);
        return end();
    }
    const bool branch = s.kind() == state_kind::choice;
    if (branch && t.priority == std::numeric_limits<int>::min() && !t.is_guarded() && !t.asks_states()) return write_choice(t, "otherwise");
    begin(t.has_target ? "to" : "on");
    if (t.has_target) attribute("ID", path_to(t.target, s));
    if (t.event) attribute("event", t.event.name);
    flag("finished", t.on_finished);
    for (const auto& option : transition_options)
        if (option.is_set(t))
            attribute(option.name, option.flag ? "true" : option.text ? t.*option.text : text_of(t.*option.time, s, with_article(option.name)));
    write_inside(t, branch && s.chooses().how != choosing::first);
    end();
}

void xml_writer::write_choice(const transition_spec& t, std::string_view name) {
    begin(name);
    attribute("ID", path_to(t.target, *t.source));
    if (name == "dispatch") {
        write_inside(t, t.source->chooses().how != choosing::first);
    } else {
        for (const auto& target : t.more_targets) element("and", path_to(target, *t.source));
        for (const auto& a : t.actions) element("action", name_of(a.name(), *t.source, "an action"));
    }
    end();
}

/// `ranks`: the source chooses it by score or by chance.
void xml_writer::write_inside(const transition_spec& t, bool ranks) {
    const auto& s = *t.source;
    const bool alone = !ranks && t.conditions.empty() && t.guards.size() == 1 && !composition_of(t.guards.front());
    if (!alone && t.priority != 0) attribute(ranks ? "rank" : "Priority", std::to_string(t.priority));
    if (t.score) attribute("score", name_of(t.score->name(), s, "a score"));
    if (t.has_weight) attribute("weight", fmt::format("{}", t.weight));
    if (t.cooldown != 0) attribute("cooldown", to_string(time_span::from_nanoseconds(t.cooldown)));
    for (const auto& target : t.more_targets) element("and", path_to(target, s));
    for (const auto& state : t.joined) element("in", path_to(state, s));
    for (const auto& state : t.excluded) element("unless_in", path_to(state, s));
    write_conditions(t);
    for (const auto& g : t.guards) write_guard(g, s, "a guard", alone ? &t.priority : nullptr);
    for (const auto& a : t.actions) element("action", name_of(a.name(), s, "an action"));
    std::size_t bits = 0;
    for (const auto& g : t.guards)
        if (const auto* const part = composition_of(g)) bits += bits_in(*part);
    const bool is_unnamed = std::ranges::any_of(t.guards, [](const auto& g) { return !composition_of(g) && g.name().empty(); });
    if (!is_unnamed && bits != t.asked.size()) unnamed(s, "a guard that reads conditions");
}

void xml_writer::write_conditions(const transition_spec& t) {
    for (const auto& group : t.conditions) {
        if (group.any) begin("any");
        for (const auto& l : group.literals) write_literal(l, *t.source);
        if (group.any) end();
    }
}

void xml_writer::write_literal(const condition_literal& l, const state_base& s) {
    const auto& c = *l.condition;
    const bool by_name = !c.name.empty();
    if (!by_name && c.index == condition_spec::any_index) return unnamed(s, "a condition");
    const bool in_not = !by_name && c.index == 0 && !l.wanted; // an index of -0 does not exist
    if (in_not) begin("not");
    begin("bit");
    if (by_name)
        attribute("ID", (l.wanted ? "" : "!") + c.name);
    else
        attribute("index", std::to_string(l.wanted || in_not ? c.index : -c.index));
    end();
    if (in_not) end();
}

void xml_writer::write_guard(const guard& g, const state_base& s, std::string_view what, const int* priority) {
    if (const auto* const part = composition_of(g)) return write_operand(*part, s);
    begin("condition");
    attribute("ID", name_of(g.name(), s, what));
    if (priority) attribute("Priority", std::to_string(*priority));
    end();
}

void xml_writer::write_operand(const guard_operand& part, const state_base& s) {
    switch (part.form) {
    case guard_form::behavior: return write_guard(part.asked, s, "a guard", nullptr);
    case guard_form::bit: return write_literal(part.literal, s);
    case guard_form::constant: return element("condition", part.holds ? "true" : "false");
    case guard_form::all: begin("all"); break;
    case guard_form::any: begin("any"); break;
    case guard_form::negation: begin("not"); break;
    }
    for (const auto& p : part.parts) write_operand(p, s);
    end();
}

} // namespace hsm::detail
