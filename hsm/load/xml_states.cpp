// Reads states: their kinds and their substates. xml_details.cpp reads the rest.

#include <hsm/load/detail/marks.hpp>
#include <hsm/load/detail/xml_reader.hpp>

#include <hsm/define/detail/definition_editor.hpp>
#include <hsm/define/detail/history_kinds.hpp>
#include <hsm/define/detail/hook_kinds.hpp>
#include <hsm/define/state.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

using namespace state_sets;

/// Returns the attributes of <state> and the kinds of states that can have them.
std::vector<allowed_in_xml> attributes_of_states() {
    std::vector<allowed_in_xml> all{
        {"initial", machines},   {"transient", states}, {"remembers", composites},      {"context", composites},  {"identifier", states},
        {"local", states},       {"hold", states},      {"hold_until", states},         {"min_duration", states}, {"was", states},
        {"done_id", composites}, {"tags", states},      {"choose", machines | choices}, {"rechoose", machines},   {"rechoose_every", machines},
        {"stay_bonus", machines}};
    for (const auto& row : hook_kind_table)
        if (row.in_attribute) all.push_back({row.name, row.allowed});
    return all;
}

/// Marks the parts that the class of a state has created, so that they are not written to files.
void mark_as_of_class(state_base& s, const shared_name& mark) {
    const auto mark_all = [&](auto& list) {
        for (auto& op : list) op.set_name(mark);
    };
    const definition_editor edit(s);
    for (std::size_t k = 0; k < hook_kinds; ++k) mark_all(edit.hooks(static_cast<hook_kind>(k)));
    mark_all(edit.predicates());
    mark_all(edit.locals());
    mark_all(edit.hold().predicates);
    if (auto* const find = edit.hold().least.finder()) find->set_name(mark);
    for (const auto* list : {&s.transitions(), &s.choices(), &s.initials()})
        for (const auto& t : *list) t->of_class = true;
    for (const auto& sub : s.substates()) {
        sub->set_of_class();
        mark_as_of_class(*sub, mark);
    }
}

/// Sets the position of a state, and of all states that its class has created without one.
void locate(state_base& s, origin at) {
    s.set_origin(at);
    for (const auto& sub : s.substates())
        if (!sub->origin()) locate(*sub, at);
}

} // namespace

void xml_reader::read(state_base& root) {
    const auto& e = document_.root();
    root_ = &root;
    root.note().file = problems_.file();
    root.set_origin(e.at);
    for (const auto& r : names_.repeated())
        problems_.add(code::registered_twice, {}, fmt::format("the {} {} is registered more than once", to_string(r.kind), in_quotes(r.name)),
                      "rename one of them");
    if (e.name != "Project") {
        problems_.add(code::unknown_element, e.at, fmt::format("the file begins with <{}>", e.name.substr(0, 80)),
                      "begin the file with <Project name=\"...\">");
        return;
    }
    std::vector<std::string_view> known{"name"};
    for (const auto& a : attributes_of_states())
        if (a.name != "context") known.push_back(a.name);
    check_attributes(e, known);
    if (const auto* const name = required(e, "name")) root.set_name(std::string(name->value));
    document_.each_child(e, [&](const xml_element& child) {
        if (child.name == "event" || child.name == "bit") declare(child);
    });
    const scope in{root, names_.context()};
    read_details(e, in);
    document_.each_child(e, [&](const xml_element& child) {
        if (child.name == "state") read_state(child, in);
    });
    if (says_kinds_)
        for (auto* const s : final_by_itself_) s->set_final_unsaid();
    resolve_targets(root, state_index(root));
    if (problems_.empty()) return; // compile reports the other errors
    given_indices indices;
    find_all_mistakes(root, indices);
}

void xml_reader::declare(const xml_element& e) {
    const bool is_bit = e.name == "bit";
    if (is_bit)
        check_attributes(e, {"ID", "index", "trigger", "was"});
    else
        check_attributes(e, {"ID", "was"});
    const auto* const id = required(e, "ID");
    if (!id) return;
    if (is_bit && id->value.starts_with('!')) {
        problems_.add(code::bad_value, id->value_at, fmt::format("a name of a bit cannot begin with '!': {}", in_quotes(id->value)),
                      "remove the '!': it is allowed only where a bit is used, and means that the bit must not be set");
        return;
    }
    (is_bit ? bits_ : events_).declared.insert(std::string(id->value));
    if (!is_bit) {
        const auto* const known = names_.find(behavior_kind::event, id->value, nullptr);
        notify_found({.kind = behavior_kind::event, .name = id->value, .at = id->value_at}, known);
        const auto key = known ? known->key : key_of_name(id->value);
        return each_former_name(e, true, [&](std::string name) { root_->add_former_event(key, std::move(name)); });
    }
    const auto* const index = document_.attribute(e, "index");
    int number = 0;
    bool is_numbered = false;
    if (index)
        if (const auto read = integer(*index)) {
            number = *read;
            is_numbered = true;
        }
    if (is_numbered && !is_index(*index, number, 1)) return;
    notify_found({.kind = behavior_kind::bit, .name = id->value, .at = id->value_at, .is_bit_index = is_numbered, .index = number},
                 names_.find(behavior_kind::bit, id->value, nullptr));
    const auto bit = is_numbered ? root_->condition(id->value, number) : root_->condition(id->value);
    bit.spec()->origin = e.at;
    if (flag(e, "trigger")) bit.trigger();
    each_former_name(e, true, [&](std::string name) { bit.was(std::move(name)); });
}

/// Returns nothing if the kind is unknown.
std::optional<state_kind> xml_reader::kind_of(const xml_element& e, const state_base& above, history_depth& depth) {
    const auto* const a = document_.attribute(e, "kind");
    if (!a) return kind_by_itself(e, above);
    constexpr std::pair<std::string_view, state_kind> kinds[] = {
        {"leaf", state_kind::leaf},   {"machine", state_kind::machine}, {"parallel", state_kind::parallel},
        {"final", state_kind::final}, {"choice", state_kind::choice},
    };
    std::vector<std::string_view> names;
    for (const auto& [word, kind] : kinds) {
        names.push_back(word);
        if (word != a->value) continue;
        return kind;
    }
    for (const auto of : {history_depth::shallow, history_depth::deep, history_depth::previous}) {
        names.push_back(by_history_depth(of).xml);
        if (names.back() != a->value) continue;
        depth = of;
        return state_kind::history;
    }
    problems_.add(code::bad_value, a->value_at, fmt::format("unknown kind of state {}", in_quotes(a->value)), hint_among(a->value, names, ""));
    return std::nullopt;
}

bool xml_reader::has_child(const xml_element& e, std::string_view name) const {
    bool found = false;
    document_.each_child(e, [&](const xml_element& child) { found = found || child.name == name; });
    return found;
}

/// Returns the kind of a state without "kind": with substates it is a machine, without a transition to another state it is final.
state_kind xml_reader::kind_by_itself(const xml_element& e, const state_base& above) {
    const auto has = [&](std::string_view name) { return has_child(e, name); };
    if (has("state")) return state_kind::machine;
    if (has("to") || above.kind() == state_kind::parallel) return state_kind::leaf;
    std::string_view more;
    for (const std::string_view name : {"update", "hold", "hold_until", "min_duration", "transient"})
        if (document_.attribute(e, name)) more = name;
    for (const std::string_view name : {"update", "on", "defer", "hold_until", "finished"})
        if (has(name)) more = name;
    if (more.empty()) return state_kind::final;
    problems_.add(code::final_by_itself, e.at, fmt::format("the state has no <to>, so it is final, but a final state never uses \"{}\"", more),
                  "if a transition of an outer state leads out of it, write kind=\"leaf\"; otherwise remove this part");
    return state_kind::leaf;
}

void xml_reader::check_kind(const xml_element& e, const state_base& node) {
    const auto kind = node.kind();
    for (const auto& a : attributes_of_states())
        if (!(a.kinds & bit_of(kind)))
            if (const auto* const there = document_.attribute(e, a.name))
                problems_.add(code::misplaced, there->at, fmt::format("{} cannot have \"{}\"", word_for(kind), a.name),
                              "remove it, or change the kind");
}

/// Returns null if the class is unknown.
const behavior* xml_reader::find_class(const xml_element& e, const xml_attribute& a, const scope& above) {
    auto wanted = use_of(behavior_kind::state, a.value, a.value_at, above);
    wanted.contains_states = has_child(e, "state");
    return find(wanted);
}

/// Sets `context` to that of the state's contents. The state is doubtful if the file does not determine its kind or context.
state_base* xml_reader::make_state(const xml_element& e, const scope& above, std::string name, const node_factory*& context) {
    const auto* const of_class = document_.attribute(e, "class");
    if (of_class) {
        if (const auto* const k = document_.attribute(e, "kind"))
            problems_.add(code::misplaced, k->at, "the state has a class, and its class sets the kind", "remove the kind");
        if (const auto* const b = find_class(e, *of_class, above)) {
            auto* const made = b->make.call()(b->make.self(), above.node);
            mark_as_of_class(*made, shared_name(mark_of_class));
            made->note().class_name = b->name;
            made->set_name(std::move(name));
            context = b->inner;
            return made;
        }
    }
    const behavior* part = nullptr;
    const auto* const of_part = of_class ? nullptr : document_.attribute(e, "context");
    if (of_part) part = find(use_of(behavior_kind::part, of_part->value, of_part->value_at, above));
    if (part) context = part->inner;
    auto depth = history_depth::none;
    const auto kind = of_class ? std::nullopt : kind_of(e, above.node, depth);
    auto made = context->make(kind ? *kind : has_child(e, "state") ? state_kind::machine : state_kind::leaf, depth, std::move(name));
    auto* const node = made.get();
    above.node.adopt(std::move(made));
    if (!kind || (of_part && !part)) doubtful_.insert(node);
    if (part) {
        part->project.call()(part->project.self(), *node);
        definition_editor(*node).projection().set_name(part->label);
    }
    return node;
}

void xml_reader::read_state(const xml_element& e, const scope& above) {
    std::vector<std::string_view> known{"ID", "kind", "class"};
    for (const auto& a : attributes_of_states()) known.push_back(a.name);
    check_attributes(e, known);
    const auto* const id = required(e, "ID");
    if (!id && !e.first_child) return incomplete_.insert(&above.node), void(); // nothing else can be reported about it
    const auto* context = &above.context;
    auto* const node = make_state(e, above, id ? std::string(id->value) : fmt::format("?{}", ++without_name_), context);
    locate(*node, e.at);
    const bool says = document_.attribute(e, "kind") || document_.attribute(e, "class");
    if (!says && node->kind() == state_kind::final) final_by_itself_.push_back(node);
    says_kinds_ |= says || node->kind() == state_kind::machine;
    const bool doubtful = doubtful_.contains(node);
    unknown_contexts_ += doubtful;
    read_inside(e, {*node, *context});
    unknown_contexts_ -= doubtful;
}

void xml_reader::read_inside(const xml_element& e, const scope& in) {
    const auto kind = in.node.kind();
    if (!doubtful_.contains(&in.node)) check_kind(e, in.node);
    if (kind != state_kind::choice && kind != state_kind::history)
        read_details(e, in);
    else {
        read_choosing(e, in.node);
        document_.each_child(e, [&](const xml_element& child) { read_detail(child, in); });
    }
    document_.each_child(e, [&](const xml_element& child) {
        if (child.name == "state" && (composites & bit_of(kind))) read_state(child, in);
    });
}

} // namespace hsm::detail
