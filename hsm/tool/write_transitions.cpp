// Writes transitions and their conditions as code.

#include <hsm/tool/detail/machine_writer.hpp>

#include <hsm/define/detail/transition_options.hpp>
#include <hsm/op/detail/format.hpp>

#include <limits>

namespace hsm::detail::tool {

void machine_writer::write_transitions(const state_base& s, const part_path& inside) {
    for (const auto& t : s.initials())
        if (!t->of_class) write_choice(*t, s.kind() == state_kind::history ? "otherwise" : "initial", inside);
    for (const auto& t : s.choices())
        if (!t->of_class) write_choice(*t, "dispatch", inside);
    for (const auto& t : s.transitions())
        if (!t->of_class) write_transition(*t, inside);
    for (const auto& sub : s.substates())
        if (!sub->of_class()) write_transitions(*sub, inside_of(*sub, inside));
}

/// Writes the target of an entry choice, a choice or a history state.
void machine_writer::write_choice(const transition_spec& t, std::string_view word, const part_path& inside) {
    to_.statement(t.origin) << fmt::format("{}.{}({})", variables_[t.source], word, targets_of(t));
    write_conditions(t, inside);
    write_actions(t, inside);
    if (t.priority != 0 && word != "otherwise") to_ << fmt::format(".priority({})", t.priority);
    if (t.score) {
        to_ << ".score(";
        write_callable(cpp_group::scores, t.score->name(), t.score->where(), inside);
        to_ << ")";
    }
    if (t.has_weight) to_ << fmt::format(".weight({})", t.weight);
    if (t.cooldown != 0) to_ << fmt::format(".cooldown(hsm::time_span::from_nanoseconds({}))", t.cooldown);
    to_ << ";\n";
}

void machine_writer::write_transition(const transition_spec& t, const part_path& inside) {
    const auto& s = *t.source;
    if (s.kind() == state_kind::choice) {
        const bool last = t.priority == std::numeric_limits<int>::min() && !t.is_guarded() && !t.asks_states();
        return write_choice(t, last ? "otherwise" : "to", inside);
    }
    to_.statement(t.origin);
    if (t.defers) {
        to_ << variables_[&s];
        write_event(t.event, t.origin, "defer");
        to_ << ";\n";
        return;
    }
    begin_reaction(t, inside);
    if (t.on_finished) to_ << ".on_finished()";
    if (!t.joined.empty()) to_ << fmt::format(".in({})", listed(t.joined, s));
    if (!t.excluded.empty()) to_ << fmt::format(".unless_in({})", listed(t.excluded, s));
    write_actions(t, inside);
    if (t.priority != 0) to_ << fmt::format(".priority({})", t.priority);
    for (const auto& option : transition_options)
        if (!option.time && option.is_set(t)) to_ << fmt::format(".{}({})", option.name, option.text ? cpp_string(t.*option.text) : "");
    write_time(t, false, inside);
    to_ << ";\n";
}

/// Writes the option with a time, if it has one, and if this option begins a reaction or does not.
void machine_writer::write_time(const transition_spec& t, bool begins, const part_path& inside) {
    const auto* const option = time_option(t);
    if (!option || option->begins != begins) return;
    to_ << fmt::format(".{}(", option->name);
    write_delay(t.*option->time, inside);
    to_ << ")";
}

/// Writes the first call of a reaction, which depends on its parts, up to the conditions.
void machine_writer::begin_reaction(const transition_spec& t, const part_path& inside) {
    const auto& s = variables_[t.source];
    if (t.has_target || t.event || t.every) {
        to_ << s;
        write_time(t, true, inside);
        if (t.has_target) to_ << fmt::format(".to({})", targets_of(t));
        if (t.event) write_event(t.event, t.origin, "on");
        return write_conditions(t, inside);
    }
    if (t.is_guarded()) {
        to_ << s;
        return write_conditions(t, inside);
    }
    // a polled transition without a condition: no definition call begins one
    if (constant_)
        to_ << fmt::format("{}.when([](const {}context&) {{ return true; }})", s, source_.names.context(inside).scope);
    else
        to_ << fmt::format("hsm::transition<{}context>({}.add_transition())", source_.names.context(inside).scope, s);
}

namespace {
/// Returns the event's names as arguments of `.on`.
std::string event_names(const event_key& e) {
    if (e.names.empty()) return cpp_string(e.name);
    std::string text;
    for (const auto& n : e.names)
        text += (text.empty() ? "" : ", ") + (n.prefix ? fmt::format("hsm::event_prefix({})", cpp_string(n.text)) : cpp_string(n.text));
    return e.names.size() == 1 ? text : fmt::format("hsm::any({})", text);
}
} // namespace

void machine_writer::write_event(const event_key& e, const origin& where, std::string_view word) {
    if (is_any_event(e)) {
        to_ << ".on(hsm::any_event)";
        return;
    }
    if (source_.names.events_are_names()) {
        to_ << fmt::format(".{}({})", word, event_names(e));
        return;
    }
    const auto [scope, identifier] = source_.names.find(cpp_group::events, e.name, {});
    to_ << fmt::format(".{}<{}", word, scope);
    to_.at(where) << identifier << ">()";
}

void machine_writer::write_conditions(const transition_spec& t, const part_path& inside) {
    for (const auto& group : t.conditions) {
        const bool alone = group.literals.size() == 1;
        to_ << ".when(";
        if (!alone) to_ << (group.any ? "hsm::any(" : "hsm::all(");
        bool first = true;
        for (const auto& l : group.literals) {
            if (!std::exchange(first, false)) to_ << ", ";
            write_literal(l);
        }
        to_ << (alone ? ")" : "))");
    }
    for (const auto& g : t.guards) {
        to_ << ".when(";
        write_guard(g, inside);
        to_ << ")";
    }
}

void machine_writer::write_guard(const guard& g, const part_path& inside) {
    if (const auto* const part = composition_of(g)) {
        const bool has_name = !constant_ && part->form == guard_form::bit;
        if (has_name) to_ << fmt::format("hsm::named({}, ", cpp_string(g.label()));
        write_operand(*part, inside);
        if (has_name) to_ << ")";
        return;
    }
    write_callable(cpp_group::guards, g.name(), g.where(), inside);
}

void machine_writer::write_operand(const guard_operand& part, const part_path& inside) {
    switch (part.form) {
    case guard_form::behavior: return write_callable(cpp_group::guards, part.asked.name(), part.asked.where(), inside);
    case guard_form::bit: return write_literal(part.literal);
    case guard_form::constant: {
        const auto* const text = part.holds ? "true" : "false";
        const auto lambda = fmt::format("[](const {}context&) {{ return {}; }}", source_.names.context(inside).scope, text);
        to_ << (constant_ ? lambda : fmt::format("hsm::named(\"{}\", {})", text, lambda));
        return;
    }
    case guard_form::all: to_ << "hsm::all("; break;
    case guard_form::any: to_ << "hsm::any("; break;
    case guard_form::negation: to_ << "hsm::no("; break;
    }
    bool first = true;
    for (const auto& p : part.parts) {
        if (!std::exchange(first, false)) to_ << ", ";
        write_operand(p, inside);
    }
    to_ << ")";
}

void machine_writer::write_literal(const condition_literal& l) {
    const auto& c = *l.condition;
    if (!c.name.empty())
        to_ << cpp_string((l.wanted ? "" : "!") + c.name);
    else if (c.index == 0)
        to_ << (l.wanted ? "hsm::is_over" : "!hsm::is_over"); // there is no -0
    else
        to_ << std::to_string(l.wanted ? c.index : -c.index);
}

void machine_writer::write_delay(const delay& d, const part_path& inside) {
    if (d.find()) return write_callable(cpp_group::delays, d.find().name(), d.where(), inside);
    to_ << fmt::format("hsm::time_span::from_nanoseconds({})", d.nanoseconds());
}

void machine_writer::write_actions(const transition_spec& t, const part_path& inside) {
    for (const auto& a : t.actions) {
        to_ << ".then(";
        write_callable(cpp_group::hooks, a.name(), location_of(a.where(), *t.source), inside);
        to_ << ")";
    }
}

std::string machine_writer::targets_of(const transition_spec& t) {
    auto text = reference_to(t.target, *t.source);
    if (!t.more_targets.empty()) text += ", " + listed(t.more_targets, *t.source);
    return text;
}

std::string machine_writer::listed(const std::vector<target_spec>& states, const state_base& from) {
    std::string text;
    for (const auto& s : states) text += (text.empty() ? "" : ", ") + reference_to(s, from);
    return text;
}

/// Returns the variable of the target. States that a class adds have no variable; they are named by their path.
std::string machine_writer::reference_to(const target_spec& t, const state_base& from) {
    const auto* const found = index_.look_up(from, t).found;
    const auto variable = variables_.find(found);
    return variable == variables_.end() ? cpp_string(t.path) : variable->second;
}

} // namespace hsm::detail::tool
