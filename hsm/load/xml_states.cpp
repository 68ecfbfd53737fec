// States: their kinds, hooks, locals and substates.

#include <hsm/load/detail/marks.hpp>
#include <hsm/load/detail/xml_reader.hpp>

#include <hsm/define/detail/definition_editor.hpp>
#include <hsm/define/state.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace hsm::detail {

namespace {

constexpr unsigned bit_of(state_kind kind) { return 1u << static_cast<unsigned>(kind); }
constexpr unsigned machines = bit_of(state_kind::machine);
constexpr unsigned parallels = bit_of(state_kind::parallel);
constexpr unsigned composites = machines | parallels;
constexpr unsigned states = composites | bit_of(state_kind::leaf) | bit_of(state_kind::final);
constexpr unsigned finals = bit_of(state_kind::final);
constexpr unsigned choices = bit_of(state_kind::choice);
constexpr unsigned histories = bit_of(state_kind::history);

/// What only some kinds of states can have, as an attribute or an element.
struct allowed {
    std::string_view name;
    unsigned kinds;
};
constexpr allowed attributes[] = {
    {"initial", machines},  {"transient", states},    {"remembers", composites}, {"context", composites}, {"identifier", states},
    {"enter", states},      {"update", states},       {"exit", states},          {"local", states},       {"hold", states},
    {"hold_until", states}, {"min_duration", states}, {"was", states},           {"done_id", composites},
};
constexpr allowed elements[] = {
    {"state", composites},
    {"to", states | choices},
    {"on", states},
    {"defer", states},
    {"dispatch", machines},
    {"initial", machines},
    {"otherwise", choices | histories},
    {"enter", states},
    {"update", states},
    {"exit", states},
    {"change", machines},
    {"init", states},
    {"destroy", states},
    {"unhandled", composites},
    {"settled", machines},
    {"done_data", finals},
    {"local", states},
    {"finished", states},
    {"hold_until", states},
    {"was", states},
};
constexpr std::pair<std::string_view, hook_kind> hook_words[] = {
    {"enter", hook_kind::enter},         {"update", hook_kind::update},   {"exit", hook_kind::exit},
    {"change", hook_kind::change},       {"init", hook_kind::init},       {"destroy", hook_kind::destroy},
    {"unhandled", hook_kind::unhandled}, {"settled", hook_kind::settled}, {"done_data", hook_kind::done_data},
};

std::string_view word_for(state_kind kind) {
    constexpr std::string_view words[] = {"a leaf", "a machine", "a parallel", "a final state", "a choice", "a history state"};
    return words[static_cast<std::size_t>(kind)];
}

/// What the class of a state made is not written into a file again.
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

/// What is inside of a class stands where that is written, if that is known.
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
                      "give each a name of its own");
    if (e.name != "Project") {
        problems_.add(code::unknown_element, e.at, fmt::format("the file begins with <{}>", e.name.substr(0, 80)),
                      "it begins with <Project name=\"...\">");
        return;
    }
    check_attributes(e, {"name", "identifier", "initial", "transient", "remembers", "enter", "update", "exit", "local", "hold", "hold_until",
                         "min_duration", "was", "done_id"});
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
    if (problems_.empty()) return; // the check will tell
    given_indices indices;
    tell_all_mistakes(root, indices);
}

void xml_reader::declare(const xml_element& e) {
    const bool is_bit = e.name == "bit";
    if (is_bit)
        check_attributes(e, {"ID", "index", "was"});
    else
        check_attributes(e, {"ID", "was"});
    const auto* const id = required(e, "ID");
    if (!id) return;
    if (is_bit && id->value.starts_with('!')) {
        problems_.add(code::bad_value, id->value_at, fmt::format("the name of a bit is {}", in_quotes(id->value)),
                      "'!' in front of a name says that the bit is not set, and is no part of it");
        return;
    }
    (is_bit ? bits_ : events_).insert(std::string(id->value));
    if (!is_bit) {
        const auto* const known = names_.find(behaviour_kind::event, id->value, nullptr);
        tell_found({.kind = behaviour_kind::event, .name = id->value, .at = id->value_at}, known);
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
    tell_found({.kind = behaviour_kind::bit, .name = id->value, .at = id->value_at, .is_bit_index = is_numbered, .index = number},
               names_.find(behaviour_kind::bit, id->value, nullptr));
    const auto bit = is_numbered ? root_->condition(id->value, number) : root_->condition(id->value);
    bit.spec()->origin = e.at;
    each_former_name(e, true, [&](std::string name) { bit.was(std::move(name)); });
}

/// In the attribute "was", and in elements of that name. Alone: the element has no others.
template <class Take> void xml_reader::each_former_name(const xml_element& e, bool alone, Take take) {
    if (document_.attribute(e, "was"))
        if (const auto* const a = required(e, "was")) take(std::string(a->value));
    document_.each_child(e, [&](const xml_element& child) {
        if (child.name == "was") {
            check_attributes(child, {"ID"});
            if (const auto* const id = required(child, "ID")) take(std::string(id->value));
        } else if (alone) {
            problems_.add(code::unknown_element, child.at, fmt::format("<{}> is not known here", child.name.substr(0, 80)), "<was ID=\"...\"/> is");
        }
    });
}

/// None if it cannot be known.
std::optional<state_kind> xml_reader::kind_of(const xml_element& e, const state_base& above, history_depth& depth) {
    const auto* const a = document_.attribute(e, "kind");
    if (!a) return kind_by_itself(e, above);
    constexpr std::pair<std::string_view, state_kind> kinds[] = {
        {"leaf", state_kind::leaf},     {"machine", state_kind::machine}, {"parallel", state_kind::parallel},    {"final", state_kind::final},
        {"choice", state_kind::choice}, {"history", state_kind::history}, {"deep_history", state_kind::history},
    };
    std::vector<std::string_view> names;
    for (const auto& [word, kind] : kinds) {
        names.push_back(word);
        if (word != a->value) continue;
        if (kind == state_kind::history) depth = word == "history" ? history_depth::shallow : history_depth::deep;
        return kind;
    }
    problems_.add(code::bad_value, a->value_at, fmt::format("there is no kind of state {}", in_quotes(a->value)), hint_among(a->value, names, ""));
    return std::nullopt;
}

bool xml_reader::has_child(const xml_element& e, std::string_view name) const {
    const auto* child = document_.first_child(e);
    while (child && child->name != name) child = document_.next(*child);
    return child != nullptr;
}

/// Without a kind: a state with substates is a machine, one without a way out ends its machine.
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
    problems_.add(code::final_by_itself, e.at, fmt::format("the state has no <to>, so it ends its machine, and then \"{}\" means nothing", more),
                  "if something else leads out of it, write kind=\"leaf\"; otherwise leave that out");
    return state_kind::leaf;
}

void xml_reader::check_kind(const xml_element& e, const state_base& node) {
    const auto kind = node.kind();
    for (const auto& a : attributes)
        if (!(a.kinds & bit_of(kind)))
            if (const auto* const there = document_.attribute(e, a.name))
                problems_.add(code::misplaced, there->at, fmt::format("{} has no \"{}\"", word_for(kind), a.name),
                              "leave it out, or change the kind");
}

/// Null if the class is not known.
const behaviour* xml_reader::find_class(const xml_element& e, const xml_attribute& a, const scope& above) {
    auto wanted = use_of(behaviour_kind::state, a.value, a.value_at, above);
    wanted.contains_states = has_child(e, "state");
    return find(wanted);
}

/// `context`: that of what is in it. Doubtful, if the file does not say what it is.
state_base* xml_reader::make_state(const xml_element& e, const scope& above, std::string name, const node_factory*& context) {
    const auto* const of_class = document_.attribute(e, "class");
    if (of_class) {
        if (const auto* const k = document_.attribute(e, "kind"))
            problems_.add(code::misplaced, k->at, "a state of a class has the kind of its class", "leave the kind out");
        if (const auto* const b = find_class(e, *of_class, above)) {
            auto* const made = b->make.call()(b->make.self(), above.node);
            mark_as_of_class(*made, shared_name(mark_of_class));
            made->note().class_name = b->name;
            made->set_name(std::move(name));
            context = b->inner;
            return made;
        }
    }
    const behaviour* part = nullptr;
    const auto* const of_part = of_class ? nullptr : document_.attribute(e, "context");
    if (of_part) part = find(use_of(behaviour_kind::part, of_part->value, of_part->value_at, above));
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
    check_attributes(e, {"ID", "kind", "class", "context", "identifier", "initial", "transient", "remembers", "enter", "update", "exit", "local",
                         "hold", "hold_until", "min_duration", "was", "done_id"});
    const auto* const id = required(e, "ID");
    if (!id && !document_.first_child(e)) return incomplete_.insert(&above.node), void(); // there is nothing more to be told of it
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
    else
        document_.each_child(e, [&](const xml_element& child) { read_detail(child, in); });
    document_.each_child(e, [&](const xml_element& child) {
        if (child.name == "state" && (composites & bit_of(kind))) read_state(child, in);
    });
}

void xml_reader::read_remembers(const xml_element& e, state_base& node) {
    const auto* const a = document_.attribute(e, "remembers");
    if (!a) return;
    if (a->value == "deep")
        node.set_history(history_depth::deep);
    else if (a->value == "shallow" && node.kind() == state_kind::machine)
        node.set_history(history_depth::shallow);
    else
        problems_.add(code::bad_value, a->value_at, fmt::format("remembers is {}", in_quotes(a->value)),
                      node.kind() == state_kind::parallel ? "a parallel remembers \"deep\"" : "it is \"shallow\" or \"deep\"");
}

/// Everything of a state but its substates.
void xml_reader::read_details(const xml_element& e, const scope& in) {
    auto& node = in.node;
    if (flag(e, "transient")) node.set_transient();
    if (flag(e, "hold")) node.set_hold();
    read_remembers(e, node);
    each_former_name(e, false, [&](std::string name) { node.add_former_name(std::move(name)); });
    if (const auto* const a = document_.attribute(e, "identifier"))
        if (const auto* const b = find(use_of(behaviour_kind::identifier, a->value, a->value_at, in))) {
            node.set_id(b->id);
            node.note().identifier = b->name;
        }
    if (const auto* const a = document_.attribute(e, "done_id")) node.set_done_id(std::string(a->value));
    if (const auto* const a = document_.attribute(e, "min_duration")) node.set_least_duration(read_delay(*a, in));
    if (const auto* const a = document_.attribute(e, "local")) each_word(*a, [&](std::string_view name, origin at) { add_local(name, at, in); });
    make_room(e, node);
    for (const auto& [word, kind] : hook_words) add_hooks(e, kind, word, in);
    if (const auto* const a = document_.attribute(e, "hold_until"))
        each_word(*a, [&](std::string_view name, origin at) {
            auto wanted = use_of(behaviour_kind::guard, name, at, in);
            wanted.holds = true;
            const auto* const b = find(wanted);
            if (!b) return;
            check_event(*b, {nullptr, true}, at);
            definition_editor(node).hold().predicates.push_back(make_predicate({guard_form::behaviour, b}));
        });
    if (const auto* const a = document_.attribute(e, "initial"); a && node.kind() == state_kind::machine && required(e, "initial")) {
        auto& spec = node.add_initial();
        spec.aim_at(a->value);
        spec.origin = a->at;
    }
    document_.each_child(e, [&](const xml_element& child) { read_detail(child, in); });
}

void xml_reader::read_detail(const xml_element& e, const scope& in) {
    const auto* const known = std::ranges::find(elements, e.name, &allowed::name);
    if (known == std::end(elements)) {
        if (&in.node == root_ && (e.name == "event" || e.name == "bit")) return;
        std::vector<std::string_view> names;
        for (const auto& a : elements) names.push_back(a.name);
        const bool of_root = e.name == "event" || e.name == "bit" || e.name == "Project";
        problems_.add(code::unknown_element, e.at, fmt::format("<{}> is not known here", e.name.substr(0, 80)),
                      of_root ? "it stands at the top of the file" : hint_among(e.name, names, "see docs/xml_format.md"));
        return;
    }
    if (!(known->kinds & bit_of(in.node.kind()))) {
        if (doubtful_.contains(&in.node)) return;
        problems_.add(code::misplaced, e.at, fmt::format("{} has no <{}>", word_for(in.node.kind()), e.name), "leave it out, or change the kind");
        return;
    }
    if (e.name == "to" || e.name == "on") return read_transition(e, in);
    if (e.name == "dispatch" || e.name == "initial" || e.name == "otherwise") return read_choice(e, in);
    if (e.name == "defer") return read_deferral(e, in);
    if (e.name == "finished") return check_attributes(e, {}), add_predicates(e, definition_editor(in.node).predicates(), in, {nullptr, false, true});
    if (e.name == "hold_until") return check_attributes(e, {}), add_predicates(e, definition_editor(in.node).hold().predicates, in, {nullptr, true});
    if (e.name == "state" || e.name == "was") return;
    check_attributes(e, {"ID"});
    const auto* const id = required(e, "ID");
    if (!id) return;
    if (e.name == "local") return add_local(id->value, id->value_at, in);
    const auto* const word = std::ranges::find(hook_words, e.name, [](const auto& w) { return w.first; });
    add_hook(word->second, id->value, id->value_at, in);
}

/// For hooks and predicates that the element names: a name may be two bytes of the file, and lists that grow take three times their memory.
void xml_reader::make_room(const xml_element& e, state_base& node) {
    const auto words = [&](std::string_view name) {
        std::size_t count = 0;
        if (const auto* const a = document_.attribute(e, name)) each_word(*a, [&](std::string_view, origin) { ++count; });
        return count;
    };
    std::size_t in_element[hook_kinds + 1] = {}; // the last: of hold_until
    document_.each_child(e, [&](const xml_element& child) {
        for (const auto& [word, kind] : hook_words) in_element[static_cast<std::size_t>(kind)] += child.name == word || child.name == "local";
        in_element[hook_kinds] += child.name == "hold_until";
    });
    for (const auto& [word, kind] : hook_words) {
        auto& hooks = definition_editor(node).hooks(kind);
        const auto count = words(word);
        if (count > 0) hooks.reserve(hooks.size() + count + in_element[static_cast<std::size_t>(kind)]);
    }
    auto& predicates = definition_editor(node).hold().predicates;
    if (const auto count = words("hold_until"); count > 0) predicates.reserve(predicates.size() + count + in_element[hook_kinds]);
}

void xml_reader::add_hooks(const xml_element& e, hook_kind kind, std::string_view word, const scope& in) {
    if (kind != hook_kind::enter && kind != hook_kind::update && kind != hook_kind::exit) return; // the others are elements
    if (const auto* const a = document_.attribute(e, word)) each_word(*a, [&](std::string_view name, origin at) { add_hook(kind, name, at, in); });
}

void xml_reader::add_hook(hook_kind kind, std::string_view name, origin at, const scope& in) {
    auto wanted = use_of(behaviour_kind::callback, name, at, in);
    wanted.hook = kind;
    if (kind == hook_kind::change) wanted.kind = behaviour_kind::change;
    if (kind == hook_kind::done_data) wanted.kind = behaviour_kind::done_data;
    if (kind == hook_kind::update) wanted.kind = behaviour_kind::update;
    const auto* const b = kind == hook_kind::update ? find(wanted, {behaviour_kind::callback}) : find(wanted);
    if (!b) return definition_editor(in.node).hooks(kind).emplace_back(), void(); // so that nothing else seems to be wrong
    hook h(b->op.call()(b->op.self()));
    h.set_name(b->label);
    h.set_where(at);
    if (b->names_successor) in.node.set_names_successor();
    definition_editor(in.node).hooks(kind).push_back(std::move(h));
}

/// The hooks of its class bear the number of the local instead of a name.
void xml_reader::add_local(std::string_view name, origin at, const scope& in) {
    const auto* const b = find(use_of(behaviour_kind::local, name, at, in));
    if (!b) return;
    const definition_editor node(in.node);
    const auto same = [&](const local_prototype& l) { return l.name() == b->name; };
    if (std::ranges::count_if(node.locals(), same) > 1) return; // two of them are an error; all of them may take much memory
    const shared_name mark(mark_of_local(node.locals().size()));
    std::size_t before[hook_kinds];
    for (std::size_t k = 0; k < hook_kinds; ++k) before[k] = node.hooks(static_cast<hook_kind>(k)).size();
    const auto predicates = node.predicates().size();
    b->make.call()(b->make.self(), in.node);
    for (std::size_t k = 0; k < hook_kinds; ++k)
        for (auto i = before[k]; i < node.hooks(static_cast<hook_kind>(k)).size(); ++i) node.hooks(static_cast<hook_kind>(k))[i].set_name(mark);
    for (auto i = predicates; i < node.predicates().size(); ++i) node.predicates()[i].set_name(mark);
    if (!node.locals().empty()) node.locals().back().set_name(b->label);
}

} // namespace hsm::detail
