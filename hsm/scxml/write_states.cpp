// Writes states and transitions.

#include <hsm/scxml/detail/run_content.hpp>
#include <hsm/scxml/detail/writer.hpp>

#include <hsm/define/detail/hook_kinds.hpp>
#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/detail/transition_options.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm::detail::scxml {

namespace {

bool is_made_up(std::string_view name) { return name.starts_with('(') && name.ends_with(')'); }

std::string_view element_for(const state_base& s) {
    switch (s.kind()) {
    case state_kind::parallel: return "parallel";
    case state_kind::final: return "final";
    case state_kind::history: return "history";
    default: return "state";
    }
}

bool contains(const state_base& outer, const state_base* s) {
    while (s && s != &outer) s = s->superstate();
    return s != nullptr;
}

/// Reading removes a dot or ".*" at the end, so a name that ends with one gets another dot.
std::string descriptor_of(std::string_view name) { return std::string(name) + (name.ends_with('.') || name.ends_with(".*") ? "." : ""); }

} // namespace

void writer::write_state(const state_base& s) {
    const auto& markup = extra(&s);
    begin(element_for(s), markup);
    if (!is_made_up(s.name())) attribute("id", ids_.at(&s));
    if (s.kind() == state_kind::history) attribute("type", s.history_kind() == history_depth::deep ? "deep" : "shallow");
    write_initial(s);
    write_data(s);
    if (s.kind() != state_kind::history) write_inside(s);
    end(markup);
}

void writer::write_inside(const state_base& s) {
    report_losses(s);
    write_hooks(s);
    write_transitions(s);
    write_invocations(s);
    if (document_) {
        const auto found = document_->done_data.find(&s);
        if (found != document_->done_data.end()) {
            const auto& markup = extra(&s, "donedata");
            begin("donedata", markup);
            write_payload(found->second);
            end(markup);
        }
    }
    for (const auto& sub : s.substates()) write_state(*sub);
}

void writer::write_data(const state_base& s) {
    const auto found = data_.find(&s);
    if (found == data_.end()) return;
    for (const auto* const list : found->second) {
        begin("datamodel", list->extra);
        for (std::size_t i = 0; i < list->data.size(); ++i) {
            const auto& d = list->data[i];
            const auto& markup = list->data_markup[i];
            begin("data", markup);
            attribute("id", d.id);
            if (d.init) attribute("expr", d.init.text);
            if (d.has_content) write_content(d.content);
            end(markup);
        }
        end(list->extra);
    }
}

void writer::write_initial(const state_base& s) {
    const bool of_history = s.kind() == state_kind::history;
    if (s.initials().empty()) return;
    const auto& spec = *s.initials().front();
    const auto &markup = extra(&s, "initial"), &of_transition = extra(&spec);
    if (!of_history && spec.actions.empty() && markup.empty() && of_transition.empty()) return attribute("initial", ids_of(spec, s));
    if (!of_history) {
        begin("initial", markup);
    }
    begin("transition", of_transition);
    attribute("target", ids_of(spec, s));
    write_actions(spec, s, "an action");
    end(of_transition);
    if (!of_history) end(markup);
}

void writer::write_hooks(const state_base& s) {
    const auto write = [&](hook_kind kind, std::string_view element) {
        for (const auto& h : s.hooks(kind))
            if (!is_of_document(h)) write_hook(h, element, s, kind);
    };
    write(hook_kind::enter, "onentry");
    for (const auto& t : s.transitions())
        if (const auto timer = timer_of(*t); !timer.empty()) {
            begin("onentry");
            begin("send");
            attribute("event", timer);
            attribute("id", timer);
            attribute("delay", fmt::format("{}ms", static_cast<double>(t->after.nanoseconds()) / 1e6));
            end();
            end();
            begin("onexit");
            begin("cancel");
            attribute("sendid", timer);
            end();
            end();
        }
    write(hook_kind::exit, "onexit");
}

void writer::write_hook(const hook& h, std::string_view element, const state_base& s, hook_kind kind) {
    const auto* const content = block_of(h, &s, kind, s.hooks(kind));
    const auto& markup = extra(content);
    begin(element, markup);
    if (content) {
        write_block(*content);
    } else {
        write_call(h, s, fmt::format("its action ({})", element));
    }
    end(markup);
}

std::string writer::timer_of(const transition_spec& t) const {
    const auto found = timers_.find(&t);
    return found == timers_.end() ? std::string() : found->second;
}

std::string writer::event_of(const transition_spec& t, const state_base& s) {
    if (const auto timer = timer_of(t); !timer.empty()) return timer;
    if (t.on_finished) {
        if (s.kind() == state_kind::machine || s.kind() == state_kind::parallel)
            return fmt::format("done.state.{}", ids_.contains(&s) ? ids_.at(&s) : "");
        lost(s, t.origin, "a transition waits until the state is finished, but the state has no <final>");
    }
    if (t.event && (!t.event.values.empty() || t.event.others))
        lost(s, t.origin, fmt::format("a transition waits for several values of the type {}", in_quotes(t.event.name)));
    if (is_any_event(t.event)) lost(s, t.origin, "a transition takes only events that no other transition takes (any_event)");
    if (t.event.names.empty()) return descriptor_of(t.event.name);
    std::string names;
    for (const auto& n : t.event.names) names += (names.empty() ? "" : " ") + (n.text.empty() ? "*" : descriptor_of(n.text));
    return names;
}

std::string writer::condition_of(const transition_spec& t, const state_base& s) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " && ") + part; };
    const auto ask = [&](const std::vector<target_spec>& states, std::string_view form) {
        for (const auto& state : states)
            if (const auto found = look_up(s, state); found.found && ids_.contains(found.found))
                add(fmt::format("{}In('{}')", form, ids_.at(found.found)));
    };
    for (const auto& g : t.guards) {
        if (is_event_guard(g)) continue;
        if (const auto* const c = detail::scxml::condition_of(g))
            add(to_string(*c));
        else
            lost(s, g.where() ? g.where() : t.origin,
                 fmt::format("a guard{}", g.label().empty() ? std::string() : fmt::format(" ({})", in_quotes(g.label()))),
                 "only guards from the cond of an SCXML document can be saved: write this guard there as an expression");
    }
    ask(t.joined, "");
    ask(t.excluded, "!");
    return text;
}

void writer::write_transitions(const state_base& s) {
    std::vector<const transition_spec*> all;
    for (const auto& t : s.transitions())
        if (&s != &root_ || !document_ || t->origin) all.push_back(t.get()); // the loader's own transition has no position
    std::ranges::stable_sort(all, {}, [](const auto* t) { return -static_cast<std::int64_t>(t->priority); });
    for (const auto* t : all) write_transition(*t, event_of(*t, s), s);
}

void writer::write_transition(const transition_spec& t, const std::string& events, const state_base& s) {
    report_losses(t, s);
    const auto& markup = extra(&t);
    begin("transition", markup);
    some("event", events);
    some("cond", condition_of(t, s));
    if (t.has_target) attribute("target", ids_of(t, s));
    const auto found = t.has_target ? look_up(s, t.target).found : nullptr;
    const bool inside = found && found != &s && contains(s, found);
    if (inside && s.kind() == state_kind::machine && !t.external) attribute("type", "internal");
    write_actions(t, s, "an action");
    end(markup);
}

void writer::report_losses(const transition_spec& t, const state_base& s) {
    const auto lose = [&](bool is, std::string_view what) {
        if (is) lost(s, t.origin, std::string(what));
    };
    lose(t.defers, "it defers an event");
    for (const auto& option : transition_options)
        if (!option.scxml_lacks.empty()) lose(option.is_set(t) && !(option.time && !timer_of(t).empty()), option.scxml_lacks);
    lose(!t.conditions.empty(), "a transition reads conditions of the instance");
    const bool polled = !t.event && !t.on_finished && !t.after && !t.every && !t.always;
    lose(polled && !s.is_transient() && s.kind() != state_kind::choice, "a transition is tried in each tick; in SCXML it is tried after each event");
    const auto* const found = t.has_target ? look_up(s, t.target).found : nullptr;
    lose(found && !t.external && found != &s && contains(*found, &s),
         "a transition leads to its superstate, which stays active; in SCXML this superstate is exited and entered");
}

void writer::report_losses(const state_base& s) {
    const auto lose = [&](bool is, std::string_view what) {
        if (is) lost(s, {}, std::string(what));
    };
    const auto has = [&](hook_kind kind) { return std::ranges::any_of(s.hooks(kind), [](const hook& h) { return !is_of_document(h); }); };
    for (const auto& row : hook_kind_table) lose(!row.scxml_lacks.empty() && has(row.kind), row.scxml_lacks);
    lose(&s == &root_ && !document_ && (has(hook_kind::enter) || has(hook_kind::exit)), "the machine has actions at its start or end");
    lose(static_cast<bool>(s.holds()), "it can hold, so transitions out of it can wait");
    lose(!s.locals().empty(), "it has locals");
    lose(!s.tags().empty(), "it has tags");
    lose(s.chooses().how != choosing::first, "it chooses by score or by chance (choose)");
    lose(!s.predicates().empty(), "its locals decide when it is finished");
    lose(!s.choices().empty(), "it chooses its initial state (dispatch)");
    lose(s.kind() == state_kind::choice, "it is a choice; in SCXML it is a state that is left immediately");
    lose(s.kind() == state_kind::machine && s.history_kind() != history_depth::none, "it remembers its last state (remembers)");
    lose(s.history_kind() == history_depth::previous, "it leads to the previous substate; in SCXML it leads to the substate that was exited last");
    if (document_) return;
    for (const auto& t : s.transitions())
        for (const auto* above = s.superstate(); above; above = above->superstate())
            if (std::ranges::any_of(above->transitions(), [&](const auto& other) { return other->event == t->event; }))
                return lost(s, t->origin,
                            "a superstate waits for the same event, and is tried first unless the chart is compiled with substate_first",
                            "in SCXML the inner state is tried first");
}

} // namespace hsm::detail::scxml
