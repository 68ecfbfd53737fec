// Reads transitions, reactions, entry choices and deferrals.

#include <hsm/load/detail/xml_reader.hpp>

#include <hsm/define/detail/transition_options.hpp>
#include <hsm/define/state.hpp>
#include <hsm/load/detail/time_text.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/read_real.hpp>

#include <iterator>
#include <limits>

namespace hsm::detail {

void xml_reader::check_event(const behavior& b, const taken& may_take, origin at) {
    const bool takes_target = b.event && same_type(*b.event, event_type_of<hold_query>);
    const auto* const event = may_take.event && *may_take.event ? may_take.event : nullptr;
    if (!b.event || (takes_target ? may_take.target : event && same_type(*event->type, *b.event))) return;
    if (takes_target)
        problems_.add(code::other_event, at, fmt::format("the guard {} takes the state that the transition enters", in_quotes(b.name)),
                      "use it only in hold_until");
    else
        problems_.add(code::other_event, at,
                      fmt::format("the {} {} takes the event {}, but {}", to_string(b.kind), in_quotes(b.name), detail::unqualified(b.event->name),
                                  event ? fmt::format("this element waits for {}", in_quotes(event->name)) : "there is no event here"),
                      "name a function that takes only the context, or wait for this event");
}

void xml_reader::add_action(std::string_view name, origin at, transition_spec& spec, const scope& in) {
    auto wanted = use_of(behavior_kind::action, name, at, in);
    wanted.event = &spec.event;
    const auto* const b = find(wanted, {behavior_kind::callback});
    if (!b) return spec.actions.emplace_back(), void(); // prevents errors that would only follow from this one
    check_event(*b, {&spec.event, false}, at);
    spec.actions.push_back(named_copy_of(*b, at));
}

/// Reads the contents: conditions, actions, further targets, states that must or must not be active.
void xml_reader::read_options(const xml_element& e, transition_spec& spec, const scope& in, bool guarded) {
    if (const auto* const a = document_.attribute(e, "action")) {
        std::size_t count = 0; // names can be as short as two bytes, and a growing list takes three times its memory
        each_word(*a, [&](std::string_view, origin) { ++count; });
        document_.each_child(e, [&](const xml_element& child) { count += child.name == "action"; });
        spec.actions.reserve(count);
        each_word(*a, [&](std::string_view name, origin at) { add_action(name, at, spec, in); });
    }
    document_.each_child(e, [&](const xml_element& child) {
        const bool asks_states = child.name == "in" || child.name == "unless_in";
        const bool may_ask = asks_states && (e.name == "to" || e.name == "on");
        if (guarded && is_condition(child)) return;
        if (child.name != "action" && child.name != "and" && !may_ask) {
            std::vector<std::string_view> known(std::begin(condition_elements), std::end(condition_elements));
            known.insert(known.end(), {"action", "and", "in", "unless_in"});
            problems_.add(code::unknown_element, child.at, fmt::format("<{}> is unknown in <{}>", child.name.substr(0, 80), e.name),
                          is_condition(child) || asks_states ? "remove it; this element cannot have conditions" : hint_among(child.name, known, ""));
            return;
        }
        check_attributes(child, {"ID"});
        const auto* const id = required(child, "ID");
        if (!id) return;
        if (child.name == "action") add_action(id->value, id->value_at, spec, in);
        if (child.name == "and") spec.more_targets.push_back(target_spec(state_key(id->value)));
        if (may_ask) (child.name == "in" ? spec.joined : spec.excluded).push_back(target_spec(state_key(id->value)));
    });
    if (guarded) add_guards(e, spec, in);
}

void xml_reader::read_transition(const xml_element& e, const scope& in) {
    const bool reacts = e.name == "on";
    std::vector<std::string_view> known = {"Priority", "event", "finished", "action"};
    if (!reacts) known.emplace_back("ID");
    if (!reacts && in.node.kind() == state_kind::choice) known.insert(known.end(), {"rank", "score", "weight", "cooldown"});
    for (const auto& option : transition_options)
        if (reacts || !option.begins) known.push_back(option.name);
    check_attributes(e, known);
    const bool acts = document_.attribute(e, "action") || e.first_child != 0;
    if (reacts && !acts && !document_.attribute(e, "event"))
        return problems_.add(code::missing_attribute, e.at, "<on> has neither \"event\" nor \"action\"", "add an event or an action");
    const auto* const id = reacts ? nullptr : required(e, "ID");
    if (!reacts && !id && !e.first_child && e.attribute_count == 0) return incomplete_.insert(&in.node), void();
    auto& spec = in.node.add_transition();
    spec.origin = e.at;
    if (id) spec.aim_at(id->value);
    if (!reacts) spec.has_target = true; // also if the target is missing
    if (const auto* const a = document_.attribute(e, "event")) {
        const bool is_own_name = events_.declared.contains(a->value) || names_.find(behavior_kind::event, a->value, nullptr);
        spec.event = a->value == "any_event" && !is_own_name ? key_of_any_event() : find_event(*a, in);
    }
    spec.on_finished = flag(e, "finished");
    for (const auto& option : transition_options) {
        if (option.flag) spec.*option.flag = flag(e, option.name);
        if (option.flag || (option.begins && !reacts)) continue;
        const auto* const a = document_.attribute(e, option.name);
        if (a && option.time) spec.*option.time = read_delay(*a, in);
        if (a && option.text) spec.*option.text = a->value;
    }
    if (in.node.kind() == state_kind::choice) read_score(e, spec, in);
    read_options(e, spec, in, true);
}

double xml_reader::read_number(const xml_attribute& a) {
    double number = 1;
    if (read_real(a.value, number) != a.value.size() || a.value.empty())
        problems_.add(code::bad_value, a.value_at, fmt::format("{} is {}", a.name, in_quotes(a.value)), "write a number, for instance \"2.5\"");
    return number;
}

/// Reads the score, the weight and the cooldown of a candidate.
void xml_reader::read_score(const xml_element& e, transition_spec& spec, const scope& in) {
    if (const auto* const a = document_.attribute(e, "weight")) spec.set_weight(read_number(*a), a->value_at);
    if (const auto* const a = document_.attribute(e, "cooldown")) {
        const auto time = time_from_text(a->value);
        if (!time)
            problems_.add(code::bad_value, a->value_at, fmt::format("cooldown is {}", in_quotes(a->value)),
                          "write a time like \"500ms\" or \"1.5s\"");
        spec.cooldown = time.value_or(time_span()).nanoseconds();
    }
    if (const auto* const a = document_.attribute(e, "score"))
        if (const auto* const b = find(use_of(behavior_kind::score, a->value, a->value_at, in))) {
            spec.set_score(copy_of(*b));
            spec.score->set_name(b->label);
            spec.score->set_where(a->value_at);
        }
}

/// Reads entry choices of machines, and the default transitions of choices and history states.
void xml_reader::read_choice(const xml_element& e, const scope& in) {
    const bool guarded = e.name == "dispatch";
    if (guarded)
        check_attributes(e, {"ID", "Priority", "action", "rank", "score", "weight", "cooldown"});
    else
        check_attributes(e, {"ID", "action"});
    const bool branch = in.node.kind() == state_kind::choice;
    auto& spec = branch ? in.node.add_transition() : guarded ? in.node.add_dispatch() : in.node.add_initial();
    spec.origin = e.at;
    if (branch) spec.priority = std::numeric_limits<int>::min(); // tried last
    if (const auto* const id = required(e, "ID")) spec.aim_at(id->value);
    spec.has_target = true; // also if the target is missing
    if (guarded) read_score(e, spec, in);
    read_options(e, spec, in, guarded);
}

void xml_reader::read_deferral(const xml_element& e, const scope& in) {
    check_attributes(e, {"event"});
    const auto* const a = required(e, "event");
    if (!a) return;
    auto& spec = in.node.add_transition();
    spec.origin = e.at;
    spec.event = find_event(*a, in);
    spec.defers = true;
}

} // namespace hsm::detail
