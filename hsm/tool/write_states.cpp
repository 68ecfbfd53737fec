// Writes states as code.

#include <hsm/define/detail/choosing_names.hpp>
#include <hsm/define/detail/history_kinds.hpp>
#include <hsm/define/detail/hook_kinds.hpp>
#include <hsm/tool/detail/machine_writer.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm::detail::tool {

namespace {

cpp_group group_of(hook_form form) {
    if (form == hook_form::change) return cpp_group::changes;
    return form == hook_form::done_data ? cpp_group::done_data : cpp_group::hooks;
}

std::string_view word_for(const state_base& s) {
    switch (s.kind()) {
    case state_kind::machine: return "add_fsm";
    case state_kind::parallel: return "add_parallel";
    case state_kind::final: return "add_final";
    case state_kind::choice: return "add_choice";
    case state_kind::history: return by_history_depth(s.history_kind()).definition;
    case state_kind::leaf: break;
    }
    return "add";
}

bool is_of_class(const state_base& s) { return s.notes() && !s.notes()->class_name.empty(); }

template <class Visit> void each_state(const state_base& s, Visit visit) {
    visit(s);
    for (const auto& sub : s.substates())
        if (!sub->of_class()) each_state(*sub, visit);
}

} // namespace

machine_writer::machine_writer(const program_source& source, cpp_text& to, bool constant)
    : source_(source), to_(to), constant_(constant), index_(source.root) {}

void machine_writer::run() {
    name_variables();
    each_state(source_.root, [&](const state_base& s) { collect_uses(s); });
    write_declarations();
    if (has_calls(source_.root)) write_calls(source_.root, {});
    write_substates(source_.root, {});
    write_transitions(source_.root, {});
}

/// Names each variable after the shortest end of the state's path that is unique.
void machine_writer::name_variables() {
    std::map<std::string, int> count;
    const auto ends_of = [&](const state_base& s, auto visit) {
        std::string end(s.name());
        for (const auto* at = &s;;) {
            if (visit(end)) return;
            at = at->superstate();
            if (!at || !at->superstate()) return;
            end = fmt::format("{} {}", at->name(), end);
        }
    };
    each_state(source_.root, [&](const state_base& s) { ends_of(s, [&](const std::string& end) { return ++count[cpp_identifier(end)], false; }); });
    std::set<std::string, std::less<>> taken{"root", "made"};
    variables_[&source_.root] = "root";
    each_state(source_.root, [&](const state_base& s) {
        if (&s == &source_.root) return;
        std::string variable;
        ends_of(s, [&](const std::string& end) { return variable = cpp_identifier(end), count[variable] == 1; });
        auto free = variable;
        for (int n = 2; !taken.insert(free).second; ++n) free = fmt::format("{}_{}", variable, n);
        variables_[&s] = free;
    });
}

void machine_writer::collect_uses(const state_base& s) {
    const auto use = [&](const target_spec& t) {
        if (const auto* const found = index_.look_up(s, t).found) used_[found] = true;
    };
    for (const auto* list : {&s.transitions(), &s.choices(), &s.initials()})
        for (const auto& t : *list) {
            if (t->of_class) continue;
            used_[&s] = true;
            if (t->target) use(t->target);
            for (const auto* more : {&t->more_targets, &t->joined, &t->excluded}) std::ranges::for_each(*more, use);
        }
    const bool holds_own = std::ranges::any_of(s.substates(), [](const auto& sub) { return !sub->of_class(); });
    if (holds_own || has_calls(s)) used_[&s] = true;
}

/// Writes the declarations of events and conditions at the top of the file.
void machine_writer::write_declarations() {
    for (const auto& c : source_.root.conditions()) {
        if (!c->declared || c->name.empty() || c->origin.file) continue;
        const auto index = c->index == condition_spec::any_index ? std::string() : fmt::format(", {}", c->index);
        if (constant_ && index.empty() && !c->trigger) continue;
        to_.statement(c->origin) << fmt::format("root.condition({}{}){}", cpp_string(c->name), index, c->trigger ? ".trigger()" : "");
        for (const auto& was : constant_ ? std::vector<std::string>() : c->former_names) to_ << fmt::format(".was({})", cpp_string(was));
        to_ << ";\n";
    }
    if (constant_) return; // constant charts have no former names
    for (const auto& e : source_.root.former_events())
        if (source_.names.events_are_names())
            to_.statement({}) << fmt::format("root.about_event({}).was({});\n", cpp_string(e.event.name), cpp_string(e.name));
        else
            to_.statement({}) << fmt::format("root.about_event<{}>().was({});\n", source_.names.qualified(cpp_group::events, e.event.name, {}),
                                             cpp_string(e.name));
}

machine_writer::part_path machine_writer::inside_of(const state_base& s, const part_path& outer) {
    if (!s.projection() || is_of_class(s)) return outer;
    auto inside = outer;
    inside.emplace_back(s.projection().name());
    return inside;
}

void machine_writer::write_substates(const state_base& s, const part_path& inside) {
    for (const auto& sub : s.substates())
        if (!sub->of_class()) write_state(*sub, inside);
}

void machine_writer::write_state(const state_base& s, const part_path& outer) {
    const auto inside = inside_of(s, outer);
    write_beginning(s, outer);
    if (has_calls(s)) write_calls(s, inside);
    write_substates(s, inside);
}

/// Writes the call that adds the state to its superstate.
void machine_writer::write_beginning(const state_base& s, const part_path& outer) {
    to_.statement(s.origin());
    if (used_[&s]) to_ << fmt::format("auto& {} = ", variables_[&s]);
    const auto& above = variables_[s.superstate()];
    const auto name = cpp_string(s.name());
    if (is_of_class(s)) {
        const auto [scope, identifier] = source_.names.find(cpp_group::classes, s.notes()->class_name, outer);
        to_ << fmt::format("{}.add<{}{}>();\n", above, scope, identifier);
    } else if (s.projection()) {
        const auto& inner = source_.names.context(inside_of(s, outer));
        to_ << fmt::format("{}.add<hsm::{}<{}context>>({}, {});\n", above, s.kind() == state_kind::parallel ? "parallel" : "fsm", inner.scope,
                           part_argument(s, outer), name);
    } else {
        to_ << fmt::format("{}.{}({});\n", above, word_for(s), name);
    }
}

std::string machine_writer::part_argument(const state_base& s, const part_path& outer) const {
    const auto way = source_.names.qualified(cpp_group::parts, s.projection().name(), outer);
    return constant_ ? fmt::format("hsm::fixed<{}>", way) : fmt::format("hsm::named({}, {})", cpp_string(s.projection().name()), way);
}

bool machine_writer::has_calls(const state_base& s) const { return has_options(s) || !s.predicates().empty(); }

bool machine_writer::has_options(const state_base& s) const {
    const bool pseudo = s.kind() == state_kind::choice || s.kind() == state_kind::history;
    const bool has_hooks = std::ranges::any_of(hook_kind_table, [&](const hook_kind_row& row) { return !s.hooks(row.kind).empty(); });
    return (is_of_class(s) && &s != &source_.root) || s.chooses().how != choosing::first || (s.notes() && !s.notes()->identifier.empty()) ||
           (!pseudo && (s.is_transient() || !s.tags().empty() || s.history_kind() != history_depth::none || s.holds() || has_hooks ||
                        !s.locals().empty() || (!constant_ && !s.former_names().empty())));
}

void machine_writer::write_calls(const state_base& s, const part_path& inside) {
    if (has_options(s)) write_options(s, inside);
    for (const auto& g : s.predicates()) {
        to_.statement(location_of(g.where(), s)) << fmt::format("hsm::detail::finishes_when({}, ", variables_[&s]);
        write_guard(g, inside);
        to_ << ");\n";
    }
}

/// Writes a statement with the state's options.
void machine_writer::write_options(const state_base& s, const part_path& inside) {
    to_.statement(s.origin()) << variables_[&s];
    if (s.history_kind() != history_depth::none) to_ << (s.history_kind() == history_depth::deep ? ".remembers_deep()" : ".remembers()");
    const auto identifier = s.notes() ? std::string_view(s.notes()->identifier) : std::string_view();
    if (!identifier.empty()) to_ << fmt::format(".identified<{}>()", source_.names.qualified(cpp_group::identifiers, identifier, {}));
    if (!identifier.empty() || (is_of_class(s) && &s != &source_.root)) to_ << fmt::format(".named({})", cpp_string(s.name()));
    if (!constant_)
        for (const auto& was : s.former_names()) to_ << fmt::format(".was({})", cpp_string(was));
    for (const auto& tag : s.tags()) to_ << fmt::format(".tag({})", cpp_string(tag));
    if (s.chooses().how != choosing::first) to_ << fmt::format(".choose(hsm::{})", name_of(s.chooses().how));
    if (s.chooses().every) {
        to_ << ".rechoose_every(";
        write_delay(s.chooses().every, inside);
        to_ << ")";
    } else if (s.chooses().again) {
        to_ << ".rechoose()";
    }
    if (s.chooses().stay_bonus > 0) to_ << fmt::format(".stay_bonus({})", s.chooses().stay_bonus);
    if (s.is_transient() && s.kind() != state_kind::choice) to_ << ".transient()";
    write_holds(s, inside);
    write_hooks(s, inside);
    to_ << ";\n";
    if (constant_) return; // constant charts have no former names
    for (const auto& was : s.former_locals())
        for (const auto& l : s.locals())
            if (same_type(l.type(), *was.of))
                to_.statement(s.origin()) << fmt::format("root.about_local<{}>().was({});\n",
                                                         source_.names.qualified(cpp_group::locals, l.name(), inside), cpp_string(was.name));
}

void machine_writer::write_holds(const state_base& s, const part_path& inside) {
    const auto& holds = s.holds();
    if (holds.until_released) to_ << ".hold()";
    for (const auto& g : holds.predicates) {
        to_ << ".hold_until(";
        write_guard(g, inside);
        to_ << ")";
    }
    if (holds.least) {
        to_ << ".min_duration(";
        write_delay(holds.least, inside);
        to_ << ")";
    }
}

/// Writes locals first, as attributes do, then the hooks by kind.
void machine_writer::write_hooks(const state_base& s, const part_path& inside) {
    for (const auto& l : s.locals()) to_ << fmt::format(".local<{}>()", source_.names.qualified(cpp_group::locals, l.name(), inside));
    for (const auto& row : hook_kind_table)
        for (const auto& h : s.hooks(row.kind)) {
            to_ << fmt::format(".{}(", row.call);
            write_callable(group_of(row.form), h.name(), location_of(h.where(), s), inside);
            to_ << ")";
        }
}

void machine_writer::write_callable(cpp_group group, std::string_view name, const origin& where, const part_path& inside) {
    const auto [scope, identifier] = source_.names.find(group, name, inside);
    to_ << (constant_ ? std::string("hsm::fixed<") : fmt::format("hsm::named({}, ", cpp_string(name))) << scope;
    to_.at(where) << identifier << (constant_ ? ">" : ")");
}

} // namespace hsm::detail::tool
