#include <hsm/load/detail/guard_tree.hpp>

#include <hsm/define/named.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

/// A guard of several parts. Owns copies of the callables, and the list of their needs.
struct composed_guard {
    guard_operand root;
    std::vector<const local_type*> locals;
    bool hook_context = false;
    bool event = false;
};

bool holds(const guard_operand& part, machine& m) {
    const auto operand_holds = [&](const guard_operand& p) { return holds(p, m); };
    switch (part.form) {
    case guard_form::behavior: return part.ask(part.asked.self(), m);
    case guard_form::bit: return m.chart->host->condition(m, part.literal.condition->number) == part.literal.wanted;
    case guard_form::constant: break;
    case guard_form::all: return std::ranges::all_of(part.parts, operand_holds);
    case guard_form::any: return std::ranges::any_of(part.parts, operand_holds);
    case guard_form::negation: return !holds(part.parts.front(), m);
    }
    return part.holds;
}

const op* run_composed(const op* at, machine& m) {
    m.at = at;
    if (holds(static_cast<const composed_guard*>(at->self)->root, m)) HSM_PROCEED(at + 2);
    HSM_PROCEED(at[1].target);
}

void delete_composed(const void* self) noexcept { delete static_cast<const composed_guard*>(self); }

guard named_guard(const guard_tree& tree) { return named_copy_of<guard>(*tree.what, tree.at); }

void add_needs(const guard& g, composed_guard& to) {
    to.locals.insert(to.locals.end(), g.needs().locals, g.needs().locals + g.needs().local_count);
    to.hook_context = to.hook_context || g.needs().hook_context;
    to.event = to.event || g.needs().event;
}

guard_operand copied(const guard_tree& tree, composed_guard& to) {
    guard_operand part;
    part.form = tree.form;
    part.holds = tree.holds;
    part.literal = tree.literal;
    if (tree.form == guard_form::behavior) {
        part.asked = named_guard(tree);
        part.ask = tree.what->ask;
        add_needs(part.asked, to);
    }
    for (const auto& p : tree.parts) part.parts.push_back(copied(p, to));
    return part;
}

std::string label_of(const guard_operand& part, bool whole) {
    if (part.form == guard_form::behavior) return std::string(part.asked.name());
    if (part.form == guard_form::bit) return label_of_condition(part.literal);
    if (part.form == guard_form::constant) return part.holds ? "true" : "false";
    if (part.form == guard_form::negation) return '!' + label_of(part.parts.front(), false);
    std::string text;
    const bool alone = part.parts.size() == 1;
    for (const auto& p : part.parts) {
        if (!text.empty()) text += part.form == guard_form::all ? " && " : " || ";
        text += label_of(p, alone && whole);
    }
    return whole || alone ? text : '(' + text + ')';
}

guard composed(const guard_tree& tree, bool wanted) {
    auto made = make_owned<composed_guard>();
    made->root = copied(tree, *made);
    if (!wanted) {
        guard_operand negation;
        negation.form = guard_form::negation;
        negation.parts.push_back(std::move(made->root));
        made->root = std::move(negation);
    }
    const hook_needs needs{made->locals.data(), static_cast<std::uint32_t>(made->locals.size()), made->hook_context, false, made->event};
    auto label = owned_label(label_of(made->root, true));
    return guard({&run_composed, made.release(), &delete_composed, needs, tree.at, label.release()});
}

/// Returns whether the tree is a disjunction of bits.
bool is_any_group(const guard_tree& tree, bool wanted) {
    if (tree.form == guard_form::bit) return true;
    if (tree.form == guard_form::negation) return is_any_group(tree.parts.front(), !wanted);
    if (tree.form != (wanted ? guard_form::any : guard_form::all)) return false;
    return std::ranges::all_of(tree.parts, [&](const auto& p) { return is_any_group(p, wanted); });
}

void collect(const guard_tree& tree, bool wanted, std::vector<condition_literal>& out) {
    if (tree.form == guard_form::bit) out.push_back({tree.literal.condition, tree.literal.wanted == wanted});
    for (const auto& p : tree.parts) collect(p, tree.form == guard_form::negation ? !wanted : wanted, out);
}

} // namespace

void add_guard(transition_spec& spec, const guard_tree& tree, bool wanted) {
    if (tree.form == guard_form::behavior && wanted) {
        spec.guards.push_back(named_guard(tree));
    } else if (tree.form == guard_form::constant && tree.holds == wanted) {
        return;
    } else if (tree.form == guard_form::negation) {
        add_guard(spec, tree.parts.front(), !wanted);
    } else if (is_any_group(tree, wanted)) {
        condition_group group{true, {}, tree.at};
        collect(tree, wanted, group.literals);
        spec.add_conditions(std::move(group));
    } else if (tree.form == (wanted ? guard_form::all : guard_form::any)) {
        for (const auto& p : tree.parts) add_guard(spec, p, wanted);
    } else {
        spec.guards.push_back(composed(tree, wanted));
        collect(tree, wanted, spec.asked);
    }
}

guard make_predicate(const guard_tree& tree) { return tree.form == guard_form::behavior ? named_guard(tree) : composed(tree, true); }

const guard_operand* composition_of(const guard& g) {
    return g.call() == &run_composed ? &static_cast<const composed_guard*>(g.self())->root : nullptr;
}

} // namespace hsm::detail
