// Reads the contents of a state except its substates: hooks, locals, and elements that other files read.

#include <hsm/define/detail/choosing_names.hpp>
#include <hsm/load/detail/marks.hpp>
#include <hsm/load/detail/xml_reader.hpp>

#include <hsm/define/detail/definition_editor.hpp>
#include <hsm/define/detail/hook_kinds.hpp>
#include <hsm/define/state.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

using namespace state_sets;

constexpr allowed_in_xml elements[] = {
    {"state", composites}, {"to", states | choices},           {"on", states},    {"defer", states},    {"dispatch", machines},
    {"initial", machines}, {"otherwise", choices | histories}, {"local", states}, {"finished", states}, {"hold_until", states},
    {"was", states},
};

const hook_kind_row* hook_named(std::string_view name) {
    const auto* const row = std::ranges::find(hook_kind_table, name, &hook_kind_row::name);
    return row == std::end(hook_kind_table) ? nullptr : row;
}

} // namespace

void xml_reader::read_remembers(const xml_element& e, state_base& node) {
    const auto* const a = document_.attribute(e, "remembers");
    if (!a) return;
    if (a->value == "deep")
        node.set_history(history_depth::deep);
    else if (a->value == "shallow" && node.kind() == state_kind::machine)
        node.set_history(history_depth::shallow);
    else
        problems_.add(code::bad_value, a->value_at, fmt::format("remembers is {}", in_quotes(a->value)),
                      node.kind() == state_kind::parallel ? "for a parallel, write \"deep\"" : "write \"shallow\" or \"deep\"");
}

void xml_reader::read_choosing(const xml_element& e, state_base& node) {
    const auto* const a = document_.attribute(e, "choose");
    if (!a) return;
    const auto* const found = std::ranges::find(names_of_choosing, a->value);
    if (found == std::end(names_of_choosing))
        problems_.add(code::bad_value, a->value_at, fmt::format("choose is {}", in_quotes(a->value)),
                      "write \"first\", \"best\", \"weighted\" or \"random\"");
    else
        node.choosing().how = static_cast<choosing>(found - std::begin(names_of_choosing));
}

/// Reads how a machine chooses again.
void xml_reader::read_rechoosing(const xml_element& e, const scope& in) {
    auto& node = in.node;
    const bool again = flag(e, "rechoose");
    if (again) node.choosing().again = true;
    if (const auto* const a = document_.attribute(e, "rechoose_every")) {
        if (const auto* const refuses = document_.attribute(e, "rechoose"); refuses && !again)
            problems_.add(code::bad_value, refuses->value_at, "rechoose is \"false\" in an element with rechoose_every",
                          "remove one of the attributes");
        node.choosing().again = true;
        node.choosing().every = read_delay(*a, in);
    }
    if (const auto* const a = document_.attribute(e, "stay_bonus")) {
        node.choosing().stay_bonus = read_number(*a);
        node.choosing().where = a->value_at;
    }
}

/// Reads everything except the substates.
void xml_reader::read_details(const xml_element& e, const scope& in) {
    auto& node = in.node;
    if (flag(e, "transient")) node.set_transient();
    if (flag(e, "hold")) node.set_hold();
    read_remembers(e, node);
    read_choosing(e, node);
    read_rechoosing(e, in);
    each_former_name(e, false, [&](std::string name) { node.add_former_name(std::move(name)); });
    if (const auto* const a = document_.attribute(e, "identifier"))
        if (const auto* const b = find(use_of(behavior_kind::identifier, a->value, a->value_at, in))) {
            node.set_id(b->id);
            node.note().identifier = b->name;
        }
    if (const auto* const a = document_.attribute(e, "done_id")) node.set_done_id(std::string(a->value));
    if (const auto* const a = document_.attribute(e, "tags")) each_word(*a, [&](std::string_view name, origin) { node.add_tag(std::string(name)); });
    if (const auto* const a = document_.attribute(e, "min_duration")) node.set_least_duration(read_delay(*a, in));
    if (const auto* const a = document_.attribute(e, "local")) each_word(*a, [&](std::string_view name, origin at) { add_local(name, at, in); });
    make_room(e, node);
    for (const auto& row : hook_kind_table)
        if (const auto* const a = row.in_attribute ? document_.attribute(e, row.name) : nullptr)
            each_word(*a, [&](std::string_view name, origin at) { add_hook(row, name, at, in); });
    if (const auto* const a = document_.attribute(e, "hold_until"))
        each_word(*a, [&](std::string_view name, origin at) {
            auto wanted = use_of(behavior_kind::guard, name, at, in);
            wanted.holds = true;
            const auto* const b = find(wanted);
            if (!b) return;
            check_event(*b, {nullptr, true}, at);
            definition_editor(node).hold().predicates.push_back(make_predicate({guard_form::behavior, b}));
        });
    if (const auto* const a = document_.attribute(e, "initial"); a && node.kind() == state_kind::machine && required(e, "initial")) {
        auto& spec = node.add_initial();
        spec.aim_at(a->value);
        spec.origin = a->at;
    }
    document_.each_child(e, [&](const xml_element& child) { read_detail(child, in); });
}

void xml_reader::read_detail(const xml_element& e, const scope& in) {
    const auto* const of_hook = hook_named(e.name);
    const auto* const known = std::ranges::find(elements, e.name, &allowed_in_xml::name);
    if (!of_hook && known == std::end(elements)) {
        if (&in.node == root_ && (e.name == "event" || e.name == "bit")) return;
        std::vector<std::string_view> names;
        for (const auto& a : elements) names.push_back(a.name);
        for (const auto& row : hook_kind_table) names.push_back(row.name);
        const bool of_root = e.name == "event" || e.name == "bit" || e.name == "Project";
        problems_.add(code::unknown_element, e.at, fmt::format("<{}> is unknown here", e.name.substr(0, 80)),
                      of_root ? "write it at the top of the file" : hint_among(e.name, names, "see docs/reference/xml_format.md"));
        return;
    }
    if (!((of_hook ? of_hook->allowed : known->kinds) & bit_of(in.node.kind()))) {
        if (doubtful_.contains(&in.node)) return;
        problems_.add(code::misplaced, e.at, fmt::format("{} cannot have <{}>", word_for(in.node.kind()), e.name), "remove it, or change the kind");
        return;
    }
    if (e.name == "to" || e.name == "on") return read_transition(e, in);
    if (e.name == "dispatch" || e.name == "initial" || e.name == "otherwise") return read_choice(e, in);
    if (e.name == "defer") return read_deferral(e, in);
    if (e.name == "finished") return check_attributes(e, {}), add_predicates(e, definition_editor(in.node).predicates(), in, {nullptr, false, true});
    if (e.name == "hold_until") return check_attributes(e, {}), add_predicates(e, definition_editor(in.node).hold().predicates, in, {nullptr, true});
    if (e.name == "state" || e.name == "was") return;
    const bool is_local = e.name == "local";
    check_attributes(e, is_local ? std::vector<std::string_view>{"ID", "was"} : std::vector<std::string_view>{"ID"});
    const auto* const id = required(e, "ID");
    if (!id) return;
    if (is_local) {
        const auto* const made = add_local(id->value, id->value_at, in);
        return each_former_name(e, true, [&](std::string name) {
            if (made) in.node.add_former_local(made->type(), std::move(name));
        });
    }
    add_hook(*of_hook, id->value, id->value_at, in);
}

/// Reserves the lists of hooks and predicates: names can be as short as two bytes, and a growing list takes three times its memory.
void xml_reader::make_room(const xml_element& e, state_base& node) {
    const auto words = [&](std::string_view name) {
        std::size_t count = 0;
        if (const auto* const a = document_.attribute(e, name)) each_word(*a, [&](std::string_view, origin) { ++count; });
        return count;
    };
    std::size_t in_element[hook_kinds + 1] = {}; // the last is for hold_until
    document_.each_child(e, [&](const xml_element& child) {
        for (const auto& row : hook_kind_table) in_element[static_cast<std::size_t>(row.kind)] += child.name == row.name || child.name == "local";
        in_element[hook_kinds] += child.name == "hold_until";
    });
    for (const auto& row : hook_kind_table) {
        auto& hooks = definition_editor(node).hooks(row.kind);
        const auto count = words(row.name);
        if (count > 0) hooks.reserve(hooks.size() + count + in_element[static_cast<std::size_t>(row.kind)]);
    }
    auto& predicates = definition_editor(node).hold().predicates;
    if (const auto count = words("hold_until"); count > 0) predicates.reserve(predicates.size() + count + in_element[hook_kinds]);
}

void xml_reader::add_hook(const hook_kind_row& row, std::string_view name, origin at, const scope& in) {
    constexpr behavior_kind kinds[] = {behavior_kind::callback, behavior_kind::update, behavior_kind::change, behavior_kind::done_data};
    auto wanted = use_of(kinds[static_cast<std::size_t>(row.form)], name, at, in);
    wanted.hook = row.kind;
    auto& hooks = definition_editor(in.node).hooks(row.kind);
    const auto* const b = row.form == hook_form::update ? find(wanted, {behavior_kind::callback}) : find(wanted);
    if (!b) return hooks.emplace_back(), void(); // prevents errors that would only follow from this one
    if (b->names_successor) in.node.set_names_successor();
    hooks.push_back(named_copy_of(*b, at));
}

/// Hooks of its class get a mark with the number of the local as their name. Returns null if it added no local.
const local_prototype* xml_reader::add_local(std::string_view name, origin at, const scope& in) {
    const auto* const b = find(use_of(behavior_kind::local, name, at, in));
    if (!b) return nullptr;
    const definition_editor node(in.node);
    const auto same = [&](const local_prototype& l) { return l.name() == b->name; };
    if (std::ranges::count_if(node.locals(), same) > 1) return nullptr; // two are an error; many more would only take memory
    const shared_name mark(mark_of_local(node.locals().size()));
    std::size_t before[hook_kinds];
    for (std::size_t k = 0; k < hook_kinds; ++k) before[k] = node.hooks(static_cast<hook_kind>(k)).size();
    const auto predicates = node.predicates().size();
    b->make.call()(b->make.self(), in.node);
    for (std::size_t k = 0; k < hook_kinds; ++k)
        for (auto i = before[k]; i < node.hooks(static_cast<hook_kind>(k)).size(); ++i) node.hooks(static_cast<hook_kind>(k))[i].set_name(mark);
    for (auto i = predicates; i < node.predicates().size(); ++i) node.predicates()[i].set_name(mark);
    if (node.locals().empty()) return nullptr;
    node.locals().back().set_name(b->label);
    return &node.locals().back();
}

} // namespace hsm::detail
