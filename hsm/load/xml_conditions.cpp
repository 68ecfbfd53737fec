// Conditions, and the priorities that they give to transitions.

#include <hsm/load/detail/xml_reader.hpp>

#include <hsm/define/state.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <functional>
#include <iterator>

namespace hsm::detail {

namespace {
constexpr std::size_t most_conditions = 20'000;
}

bool xml_reader::is_condition(const xml_element& e) { return std::ranges::find(condition_elements, e.name) != std::end(condition_elements); }

void xml_reader::unknown_condition(const xml_element& e, const xml_element& in) {
    problems_.add(code::unknown_element, e.at, fmt::format("<{}> is unknown in <{}>", e.name.substr(0, 80), in.name),
                  hint_among(e.name, {std::begin(condition_elements), std::end(condition_elements)}, ""));
}

std::optional<guard_tree> xml_reader::read_condition(const xml_element& e, const scope& in, const taken& may_take) {
    std::optional<guard_tree> tree;
    if (e.name == "condition") {
        check_attributes(e, {"ID", "Priority"});
        tree = read_named(e, in, may_take);
    } else if (e.name == "bit") {
        check_attributes(e, {"ID", "index", "Priority"});
        tree = read_bit(e, in);
    } else {
        check_attributes(e, {"Priority"});
        tree = read_group(e, in, may_take);
    }
    if (const auto* const a = document_.attribute(e, "Priority"))
        if (const auto priority = integer(*a); priority && tree) {
            tree->priority = tree->has_priority ? std::max(tree->priority, *priority) : *priority;
            tree->has_priority = true;
        }
    return tree;
}

std::optional<guard_tree> xml_reader::read_named(const xml_element& e, const scope& in, const taken& may_take) {
    const auto* const id = required(e, "ID");
    if (!id) return {};
    if (id->value == "true" || id->value == "false")
        if (!names_.find(behavior_kind::guard, id->value, in.context.context)) {
            guard_tree constant;
            constant.holds = id->value == "true";
            return constant;
        }
    auto wanted = use_of(behavior_kind::guard, id->value, id->value_at, in);
    wanted.event = may_take.event;
    wanted.holds = may_take.target;
    wanted.finishes = may_take.finishes;
    const auto* const b = find(wanted);
    if (!b) return {};
    check_event(*b, may_take, id->value_at);
    return guard_tree{guard_form::behavior, b, id->value_at};
}

std::optional<guard_tree> xml_reader::read_bit(const xml_element& e, const scope& in) {
    const auto* const index = document_.attribute(e, "index");
    guard_tree tree{guard_form::bit, nullptr, e.at};
    if (index) {
        if (const auto* const id = document_.attribute(e, "ID"))
            problems_.add(code::bad_value, id->at, "a bit cannot have both a name and an index",
                          "set the index where the bit is declared: at the top of the file");
        const auto number = integer(*index);
        if (!number || !is_index(*index, *number)) return {};
        tree.literal = detail::read_condition(in.node, *number, true);
        return tree;
    }
    const auto* const id = required(e, "ID");
    if (!id) return {};
    const bool negated = id->value.starts_with('!');
    const auto* const bit = find_bit(id->value.substr(negated ? 1 : 0), id->value_at, in.node);
    if (!bit) return {};
    tree.literal = {bit, !negated};
    return tree;
}

std::optional<guard_tree> xml_reader::read_group(const xml_element& e, const scope& in, const taken& may_take) {
    guard_tree tree{e.name == "all" ? guard_form::all : e.name == "any" ? guard_form::any : guard_form::negation, nullptr, e.at};
    int count = 0;
    document_.each_child(e, [&](const xml_element& child) {
        ++count;
        if (!is_condition(child)) {
            unknown_condition(child, e);
        } else if (auto part = read_condition(child, in, may_take)) {
            tree.priority = tree.has_priority ? std::max(tree.priority, part->priority) : part->priority;
            tree.has_priority = tree.has_priority || part->has_priority;
            tree.parts.push_back(std::move(*part));
        }
    });
    if (count == 0 || (e.name == "not" && count > 1))
        problems_.add(code::missing_attribute, e.at, fmt::format("<{}> has {} conditions", e.name, count == 0 ? "no" : "several"),
                      e.name == "not" ? "write one condition; <all> or <any> combine several into one" : "add a condition");
    if (tree.parts.empty() || (e.name == "not" && count > 1)) return {};
    return tree;
}

std::vector<guard_tree> xml_reader::read_conditions(const xml_element& e, const scope& in, const taken& may_take) {
    std::vector<guard_tree> trees;
    std::size_t count = 0;
    document_.each_child(e, [&](const xml_element& child) {
        if (!is_condition(child)) return;
        if (++count == most_conditions)
            problems_.add(code::too_many_parts, child.at, fmt::format("one element has more than {} conditions", most_conditions - 1));
        if (count >= most_conditions) return;
        if (auto tree = read_condition(child, in, may_take)) trees.push_back(std::move(*tree));
    });
    return trees;
}

/// Sorts conditions by priority. The transition gets the highest one, unless it has its own.
void xml_reader::add_guards(const xml_element& e, transition_spec& spec, const scope& in) {
    std::size_t written = 0;
    document_.each_child(e, [&](const xml_element& child) { written += is_condition(child); });
    auto trees = read_conditions(e, in, {&spec.event, false});
    if (trees.size() < written) spec.guards.emplace_back(); // an unreadable condition still makes it guarded
    std::ranges::stable_sort(trees, std::greater<>(), &guard_tree::priority);
    bool has_priority = false;
    for (const auto& tree : trees) {
        if (tree.has_priority) spec.priority = has_priority ? std::max(spec.priority, tree.priority) : tree.priority;
        has_priority = has_priority || tree.has_priority;
        add_guard(spec, tree);
    }
    const auto *const a = document_.attribute(e, "Priority"), *const rank = document_.attribute(e, "rank");
    if (a && rank) problems_.add(code::bad_value, rank->value_at, "an element has both a rank and a Priority", "remove one of the attributes");
    if (a || rank)
        if (const auto priority = integer(rank ? *rank : *a)) spec.priority = *priority;
}

void xml_reader::add_predicates(const xml_element& e, std::vector<guard>& to, const scope& in, const taken& may_take) {
    const auto trees = read_conditions(e, in, may_take);
    document_.each_child(e, [&](const xml_element& child) {
        if (!is_condition(child)) unknown_condition(child, e);
    });
    if (!e.first_child) problems_.add(code::missing_attribute, e.at, fmt::format("<{}> has no conditions", e.name), "add a condition");
    for (const auto& tree : trees) to.push_back(make_predicate(tree));
}

} // namespace hsm::detail
