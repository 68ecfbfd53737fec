// Reads transitions, entry choices and hooks, after all states exist.

#include <hsm/scxml/detail/reader.hpp>

#include <hsm/define/state.hpp>
#include <hsm/load/detail/misspelt.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <set>

namespace hsm::detail::scxml {

namespace {

bool is_inside(const state_base* s, const state_base& outer) {
    while (s && s != &outer) s = s->superstate();
    return s != nullptr;
}
bool is_properly_inside(const state_base* s, const state_base& outer) { return s != &outer && is_inside(s, outer); }

bool takes_all_of(const transition_spec& earlier, const transition_spec& t) {
    return std::ranges::all_of(t.event.names, [&](const name_pattern& wanted) {
        return std::ranges::any_of(earlier.event.names, [&](const name_pattern& given) { return given.matches(wanted.text); });
    });
}

/// Returns whether the state has several child states, of which one is active.
bool has_more_than_one(const state_base& s) {
    int count = 0;
    for (const auto& sub : s.substates())
        if (sub->kind() != state_kind::history && ++count > 1) return true;
    return false;
}

/// A descriptor matches all names that begin with it, up to a dot.
name_pattern pattern_of_descriptor(std::string_view d) {
    if (d.ends_with(".*")) d.remove_suffix(2);
    if (d.ends_with('.')) d.remove_suffix(1);
    if (d == "*") d = {};
    return {std::string(d), true};
}

} // namespace

void reader::fill(const place& p) {
    doc_ = p.in;
    file_ = p.file;
    comments_.clear();
    const auto& e = *p.e;
    auto& s = *p.state;
    if (s.kind() == state_kind::history)
        read_history(e, s);
    else
        fill_state(e, s);
}

void reader::fill_state(const element& e, state_base& s) {
    const bool is_root = &s == root_;
    const auto name = e.local();
    if (!is_root) {
        extra_markup extra;
        if (name == "state")
            check_attributes(e, {"id", "initial", "src"}, s, extra);
        else if (name == "scxml") // a document that was read for the src of a state
            check_attributes(e, {"name", "version", "initial", "datamodel", "binding", "exmode"}, s, extra);
        else
            check_attributes(e, {"id"}, s, extra);
        if (!extra.attributes.empty()) markup_of(&s).attributes = std::move(extra.attributes);
    }
    // Included parts are read last, and the state's own attributes have precedence.
    if (const auto* const a = attribute(e, "initial"); a && (name == "state" || name == "scxml") && s.initials().empty()) {
        if (s.kind() != state_kind::machine) {
            problem(code::misplaced, a->at, "a state without child states has an \"initial\"", "remove it");
        } else {
            auto& spec = s.add_initial(at(a->at));
            aim(spec, find_targets(*a, s));
            spec.has_target = true;
        }
    }
    const bool is_final = s.kind() == state_kind::final;
    doc_->each_child(e, [&](const element& child) {
        if (problems_.full()) return;
        if (child.kind == xml_kind::comment) return store_comment(child);
        if (child.kind == xml_kind::text) return;
        auto comments = take_comments();
        if (!is_scxml(child)) return; // read_child has stored it
        const auto what = child.local();
        if (what == "onentry" || what == "onexit") {
            if (is_root) return problem(code::misplaced, child.at, fmt::format("<{}> is not allowed in <scxml>", what), "put it into a state");
            read_hook(child, s, std::move(comments));
        } else if (what == "transition") {
            const bool of_root = is_root && !without_blanks(value(child, "event")).empty();
            if (of_root)
                warn(code::outside_standard, s, child.at, "a <transition> is in <scxml>: other programs can reject it",
                     "put it into a state; hsm takes it if no state takes the event");
            else if (is_root || is_final)
                return problem(code::misplaced, child.at, fmt::format("a <transition> is not allowed in <{}>", name), "put it into a state");
            comments_ = std::move(comments);
            read_transition(child, s);
            comments_.clear();
        } else if (what == "initial") {
            if (is_root || s.kind() != state_kind::machine)
                return problem(
                    code::misplaced, child.at,
                    fmt::format("an <initial> is not allowed in <{}>{}", name, s.kind() == state_kind::leaf ? " without child states" : ""),
                    "use it in states with child states");
            read_initial(child, s, std::move(comments));
        } else if (what == "datamodel") {
            if (name == "final") return unknown_element(child, e, s);
            read_data(child, s, std::move(comments));
        } else if (what == "donedata") {
            if (!is_final) return unknown_element(child, e, s);
            read_done_data(child, s, std::move(comments));
        } else if (what == "script" && is_root) {
            extra_markup extra;
            extra.before = std::move(comments);
            auto made = read_script(child, s, extra);
            if (!made.script) return store_element(child, s, extra);
            document_->scripts.push_back(std::move(made.script));
            document_->script_markup.push_back(std::move(extra));
        } else if (what == "script") {
            unknown_element(child, e, s);
        } else if (what == "invoke") {
            if (is_root || is_final) return unknown_element(child, e, s);
            comments_ = std::move(comments);
            read_invoke(child, s);
            comments_.clear();
        }
    });
    comments_.clear();
    add_invoke_hooks_of(s);
    check_transitions(s);
}

void reader::read_initial(const element& e, state_base& s, std::string comments) {
    extra_markup extra;
    extra.before = std::move(comments);
    check_attributes(e, {}, s, extra);
    if (!s.initials().empty())
        return problem(code::second_initial, e.at, "the state has more than one initial", "keep either the attribute or the element");
    auto& spec = s.add_initial(at(e.at));
    spec.has_target = true;
    {
        const inside_of here(*this, extra);
        read_default(e, spec, s);
    }
    keep(std::move(extra), &s, "initial");
}

void reader::read_history(const element& e, state_base& s) {
    extra_markup extra;
    extra.before = document_->markup[{&s, {}}].before; // stored by read_child
    check_attributes(e, {"id", "type"}, s, extra);
    auto& spec = s.add_initial(at(e.at));
    spec.has_target = true;
    const bool leads = [&] {
        const inside_of here(*this, extra);
        return read_default(e, spec, s);
    }();
    keep(std::move(extra), &s);
    if (!leads) {
        aim_at_entry(spec, *s.superstate());
        warn(code::outside_standard, s, e.at, "the <history> has no default: if its parent was never exited, it leads to the parent's initial states",
             "add <transition target=\"...\"/> to it");
    }
    if (!attribute(e, "id")) warn(code::useless_history, s, e.at, "the <history> has no id, so no transition leads to it", "add an id, or remove it");
    const auto& of = *s.superstate();
    const bool deep = s.history_kind() == history_depth::deep;
    const bool remembers = deep ? has_choice(of) : of.kind() == state_kind::machine && has_more_than_one(of);
    if (!remembers)
        warn(code::useless_history, s, e.at,
             fmt::format("the <history> of {0} has nothing to record: whenever {0} is active, the same substates are active", in_quotes(of.name())),
             "use the state itself as the target");
    if (deep || !leads || !spec.target) return;
    const auto* const target = spec.target.node;
    if (target && target->superstate() != &of && is_properly_inside(target, of))
        warn(code::outside_standard, s, spec.origin,
             fmt::format("a shallow <history> leads to {}, which is not a child of its state", in_quotes(target->name())),
             "make it deep, or name a child");
}

/// Returns whether different substates can be active. Computed once for each state.
bool reader::has_choice(const state_base& s) {
    const auto [known, is_new] = choices_.try_emplace(&s, false);
    if (!is_new) return known->second;
    bool found = s.kind() == state_kind::machine && has_more_than_one(s);
    for (auto sub = s.substates().begin(); !found && sub != s.substates().end(); ++sub) found = has_choice(**sub);
    return choices_[&s] = found;
}

/// Checks transitions of one state against each other, if the chart's own check does not find the problem.
void reader::check_transitions(const state_base& s) {
    const auto& all = s.transitions();
    for (auto t = all.begin(); t != all.end(); ++t) {
        if (!(*t)->event || compared_ > most_compared) continue;
        const auto covers = [&](const auto& earlier) {
            compared_ += earlier->event.names.size() * (*t)->event.names.size() + 1;
            if (compared_ > most_compared) return false;
            const bool known = earlier->guards.empty() && earlier->event == (*t)->event; // to the check of the chart
            return earlier->event && !known && std::ranges::all_of(earlier->guards, is_event_guard) && takes_all_of(*earlier, **t);
        };
        const auto earlier = std::find_if(all.begin(), t, covers);
        if (earlier != t)
            warn(code::shadowed, s, (*t)->origin,
                 fmt::format("the transition never fires: the transition in line {} takes its events", (*earlier)->origin.line),
                 "move it before that transition, or add a condition to that transition");
    }
    const auto always_fires = [](const auto& t) { return t->always && t->guards.empty(); };
    const auto first = std::ranges::find_if(all, always_fires);
    if (first == all.end()) return;
    for (const auto& t : all)
        if (t->event)
            warn(code::never_enabled, s, t->origin,
                 "the transition never fires: a transition without event and condition is taken before any event arrives",
                 fmt::format("add an event or a condition to the transition in line {}", (*first)->origin.line));
}

/// Returns null if there is none. An empty condition is ignored with a warning.
const xml_attribute* reader::condition_of(const element& e, const state_base& s) {
    const auto* const cond = attribute(e, "cond");
    if (!cond || !without_blanks(cond->value).empty()) return cond;
    warn(code::outside_standard, s, cond->at, "the condition is empty and is ignored", "remove it");
    return nullptr;
}

/// Reads the transition of an <initial> or <history>. Returns false if it is missing or has no target.
bool reader::read_default(const element& e, transition_spec& spec, const state_base& s) {
    bool found = false, leads = false;
    const bool of_history = e.local() == "history";
    doc_->each_child(e, [&](const element& child) {
        if (!is_scxml(child, "transition")) return unknown_element(child, e, s);
        if (std::exchange(found, true))
            return problem(code::misplaced, child.at, fmt::format("<{}> has more than one <transition>", e.local()), "keep one");
        extra_markup extra;
        extra.before = take_comments();
        check_attributes(child, {"target", "type", "event", "cond"}, s, extra);
        for (const auto* const a : {attribute(child, "event"), condition_of(child, s)})
            if (a)
                problem(code::misplaced, a->at, fmt::format("the <transition> of <{}> has \"{}\"", e.local(), a->name),
                        "remove it; this transition is always taken");
        leads = attribute(child, "target") || !of_history;
        if (const auto* const target = leads ? required(child, "target") : nullptr) aim(spec, find_targets(*target, s));
        add_content(spec, read_block(child, s, extra), at(child.at));
        keep(std::move(extra), &spec);
    });
    if (!found && !of_history)
        problem(code::missing_attribute, e.at, fmt::format("<{}> has no <transition>", e.local()), "add <transition target=\"...\"/>");
    return leads;
}

/// A <history> without a target leads to the default entry of its state.
void reader::aim_at_entry(transition_spec& spec, const state_base& of) {
    const auto is_history_here = [&](const state_base* s) { return s && s->kind() == state_kind::history && s->superstate() == &of; };
    if (!of.initials().empty() && of.initials().front()->target && !is_history_here(of.initials().front()->target.node)) {
        spec.target = of.initials().front()->target;
        spec.more_targets = of.initials().front()->more_targets;
        return;
    }
    std::vector<state_base*> entered;
    for (const auto& sub : of.substates())
        if (sub->kind() != state_kind::history && (entered.empty() || of.kind() == state_kind::parallel)) entered.push_back(sub.get());
    aim(spec, entered);
}

std::vector<state_base*> reader::find_targets(const xml_attribute& a, const state_base& s) {
    std::vector<state_base*> found;
    std::set<const state_base*> named;
    each_word(a.value, [&](std::string_view word) {
        if (const auto known = states_.find(word); known != states_.end()) {
            if (named.insert(known->second.state).second) return found.push_back(known->second.state);
            return warn(code::outside_standard, s, a.value_at, fmt::format("{} is named twice as a target", in_quotes(word)), "remove one");
        }
        if (problems_.full()) return;
        if (known_ids_.empty())
            for (const auto& [id, known] : states_) known_ids_.push_back(id);
        std::string hint;
        if (word.size() <= longest_guessed && guesses_.left >= known_ids_.size()) {
            guesses_.left -= known_ids_.size();
            if (const auto closest = closest_name(word, known_ids_, guesses_); !closest.empty())
                hint = fmt::format("did you mean {}?", in_quotes(closest));
        }
        problem(code::unknown_state, a.value_at, fmt::format("the {} {} is not a state", a.name, in_quotes(word)), std::move(hint));
    });
    if (found.empty() && without_blanks(a.value).empty())
        problem(code::bad_value, a.at, fmt::format("the {} is empty", a.name),
                fmt::format("in {}, name a state, or remove the attribute", in_quotes(s.name())));
    return found;
}

void reader::aim(transition_spec& spec, const std::vector<state_base*>& targets) {
    for (auto* const t : targets) {
        if (!spec.target)
            spec.aim_at(*t);
        else
            spec.more_targets.push_back(target_spec(state_key(*t)));
    }
}

void reader::check_descriptor(std::string_view word, origin where, const state_base& s) {
    if (word.size() > options_.max_name)
        return problem(code::long_name, where, fmt::format("the name of an event has more than {} bytes", options_.max_name),
                       "choose a shorter name, or raise load_options::max_name");
    auto name = word;
    if (name == "*" || name == ".*") return;
    if (name.ends_with(".*")) name.remove_suffix(2);
    if (name.ends_with('.')) name.remove_suffix(1);
    check_event_name(name, where, s);
    if (name.empty() || name.front() == '.' || name.find("..") != name.npos || name.find('*') != name.npos)
        warn(code::odd_descriptor, s, where, fmt::format("the event descriptor {} matches almost no event", in_quotes(word)),
             "write \"*\" alone, or at the end after a dot");
}

/// Collects uses of events for check_misspelt_events.
void reader::check_event_name(std::string_view name, origin where, const state_base& s) {
    if (const auto known = event_uses_.find(name); known != event_uses_.end())
        ++known->second.uses;
    else
        event_uses_.emplace(name, event_use{1, &s, at(where)});
}

void reader::check_misspelt_events() {
    std::vector<name_uses> names;
    std::vector<const event_use*> uses;
    for (const auto& [name, use] : event_uses_) {
        names.push_back({name, use.uses, false});
        uses.push_back(&use);
    }
    const auto* const file = file_;
    for (const auto& [name, other] : find_misspelt(names)) {
        file_ = uses[name]->where.file;
        warn(code::misspelt_name, *uses[name]->first, uses[name]->where, problem_of_misspelt("event", names[name], names[other]),
             fmt::format("did you mean {}?", in_quotes(names[other].name)));
    }
    file_ = file;
}

void reader::read_transition(const element& e, state_base& s) {
    extra_markup extra;
    extra.before = take_comments();
    check_attributes(e, {"event", "cond", "target", "type"}, s, extra);
    const auto* const events = attribute(e, "event");
    const auto* const target = attribute(e, "target");
    const auto* const cond = condition_of(e, s);
    const auto type = value(e, "type");
    if (!type.empty() && type != "internal" && type != "external")
        problem(code::bad_value, attribute(e, "type")->value_at, fmt::format("the type of a <transition> is {}", in_quotes(type)),
                "write \"internal\" or \"external\"");
    std::vector<state_base*> targets;
    if (target) targets = find_targets(*target, s);
    std::optional<condition> when;
    if (cond) when = read_condition(*cond, s);
    const bool constant = when && when->asks == condition::form::constant;
    if (constant && !when->holds) warn(code::never_enabled, s, cond->value_at, "the condition is never true", "remove the transition");
    const auto content = read_block(e, s, extra);
    if (!events && !target && !cond && content->empty())
        problem(code::missing_attribute, e.at, "a <transition> has neither \"event\" nor \"cond\" nor \"target\"",
                "add one of them; otherwise the transition fires without end");
    else if (!events && !target && content->empty() && !(constant && !when->holds))
        warn(code::unguarded_cycle, s, e.at, "the <transition> has no target and no action, so it fires endlessly while its condition is true",
             "add an event or a target");
    else if (!events && !target && !cond)
        warn(code::outside_standard, s, e.at, "a <transition> has neither \"event\" nor \"cond\" nor \"target\"",
             "add one of them; otherwise the transition fires repeatedly, until another transition exits the state");
    const auto before = s.transitions().size();
    add_transition(e, s, events ? event_for(*events, s) : event_key(), targets, when ? &*when : nullptr, content);
    if (s.transitions().size() > before) keep(std::move(extra), s.transitions().back().get());
}

event_key reader::event_for(const xml_attribute& a, const state_base& s) {
    std::vector<name_pattern> names;
    each_word(a.value, [&](std::string_view word) {
        check_descriptor(word, a.value_at, s);
        names.push_back(pattern_of_descriptor(word));
    });
    if (!names.empty()) return key_of_names(std::move(names));
    problem(code::bad_value, a.at, "the event is empty", "name an event, or remove the attribute");
    return {};
}

namespace {
bool is_computed(const condition& c) { return c.asks == condition::form::computed || std::ranges::any_of(c.parts, is_computed); }
} // namespace

void reader::add_transition(const element& e, state_base& s, event_key event, const std::vector<state_base*>& targets, const condition* when,
                            const std::shared_ptr<const block>& content) {
    auto& spec = s.add_transition(at(e.at));
    spec.event = std::move(event);
    spec.always = !spec.event;
    aim(spec, targets);
    const bool internal = value(e, "type") == "internal";
    const auto inside = [&](const state_base* t) { return is_properly_inside(t, s); };
    const bool stays = (internal || &s == root_) && s.kind() == state_kind::machine && std::ranges::all_of(targets, inside);
    const auto related = [&](const state_base* t) { return t != &s && (t->kind() == state_kind::history || is_inside(t, s) || is_inside(&s, *t)); };
    if (internal && !targets.empty() && !stays && s.kind() != state_kind::parallel)
        warn(code::pointless_kind, s, e.at, "the transition exits its state, although its type is internal",
             "name only targets inside the transition's state, or remove the attribute type");
    spec.reenter = spec.always && !targets.empty() && inside(targets.front());
    spec.external = !stays && std::ranges::any_of(targets, related);
    if (document_->model && spec.event) spec.guards.push_back(event_guard(owner_, true));
    const bool is_condition_alone = spec.always && targets.empty() && content->empty(); // must not be empty when it is written again
    const bool always_holds = when && when->asks == condition::form::constant && when->holds;
    if (when && !(always_holds && !is_condition_alone)) spec.guards.push_back(condition_guard(*when, owner_, when->e.at));
    looks_again_ = looks_again_ || (spec.always && when && is_computed(*when));
    if (is_condition_alone) // it does nothing, but is legal and therefore kept
        spec.add_action(content_hook(content, owner_, at(e.at)));
    else
        add_content(spec, content, at(e.at));
}

void reader::read_done_data(const element& e, state_base& s, std::string comments) {
    extra_markup extra;
    extra.before = std::move(comments);
    check_attributes(e, {}, s, extra);
    const auto& data = document_->done_data.emplace(&s, read_payload(e, s, extra, true)).first->second;
    keep(std::move(extra), &s, "donedata");
    s.add_hook(hook_kind::done_data, done_data_hook(data, s, owner_));
}

void reader::add_data_hooks(state_base& root) {
    if (document_->model)
        for (const auto& [id, known] : states_) document_->states.emplace(known.state->name(), known.state);
    if (!document_->invocations.empty()) root.add_hook(hook_kind::settled, invoking_hook(owner_));
    const bool begins = document_->model || sends_later_ || !document_->opaque.empty();
    if (!begins) return;
    root.add_hook(hook_kind::enter, begin_hook(owner_));
    root.add_hook(hook_kind::exit, end_hook(owner_));
    if (document_->model) {
        // Sets `_event` also for events that no other transition takes. Transitions without an event are then tried again if their conditions may
        // read it (appendix D, mainEventLoop): in this case the transition is taken, and does nothing else.
        auto& spec = root.add_transition();
        spec.event = key_of_names({name_pattern{{}, true}});
        spec.guards.push_back(event_guard(owner_, looks_again_));
    }
    if (document_->model) root.add_hook(hook_kind::settled, macrostep_hook(owner_));
    if (sends_later_) root.add_hook(hook_kind::update, delivery_hook(owner_));
}

} // namespace hsm::detail::scxml
