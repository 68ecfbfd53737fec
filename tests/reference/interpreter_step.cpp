// What happens in which order: a tick's walk from the root inwards, and what follows a transition or an update.

#include <tests/reference/interpreter_stage.hpp>

#include <hsm/run/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace hsm {

/// Counts what follows from what, and knows the cycle when it does not end.
struct interpreter::chain {
    const interpreter& self;
    std::vector<index> trail; ///< the leaf before each link

    /// Before each link.
    void link() {
        if (trail.size() == self.chain_limit_)
            throw chain_error(
                {code::chain, self.core_.root->path(),
                 "after " + std::to_string(trail.size()) + " transitions in a row there is no end: " + cycle(),
                 "guard one of them, or raise chain_limit if the chain is meant to be this long"});
        trail.push_back(self.leaf_);
    }

    /// The shortest sequence that the end of the trail repeats.
    std::string cycle() const {
        const auto repeats = [&](std::size_t period) {
            return std::equal(trail.end() - static_cast<std::ptrdiff_t>(period), trail.end(),
                              trail.end() - static_cast<std::ptrdiff_t>(2 * period));
        };
        std::size_t period = 1;
        while (2 * period <= trail.size() && !repeats(period)) ++period;
        if (2 * period > trail.size()) period = std::min<std::size_t>(trail.size(), 8);
        std::string text;
        for (auto i = trail.size() - period; i < trail.size(); ++i) text += self.node(trail[i])->path() + " -> ";
        return text + (self.leaf_ == no_index ? "none" : self.node(self.leaf_)->path());
    }
};

/// Superstate first: per level its update, its one decision, then inwards. Substate first: one decision, then the updates.
void interpreter::walk(phase what) {
    const bool decides = what != phase::hooks;
    const bool updates = what != phase::decisions;
    const bool outermost_first = core_.options.order == decision_order::superstate_first;
    if (decides) outermost_first ? decide_level(no_index) : decide_innermost();
    if (!updates && !outermost_first) return;

    for (index s = leaf_ == no_index ? no_index : 0; s != no_index && !over();) {
        const auto activation = activation_[s];
        const auto let_go = [&] { return over() || !active(s) || activation_[s] != activation; };
        if (updates) update_state(s);
        if (updates && !let_go()) retry_waiting(s);
        if (let_go() || !is_machine(s)) return;
        if (decides && outermost_first && !decide_level(s) && leaf_ == s) retry_entry(s);
        if (let_go() || leaf_ == s) return;
        s = toward_leaf(s);
    }
}

/// At most one of the polled transitions whose level it is.
bool interpreter::decide_level(index level) {
    waiting_at(level) = {};
    const auto* t = choose_at_level(level);
    if (!t) return false;
    fire(*t, reason_of(*t));
    settle();
    return true;
}

bool interpreter::decide_innermost() {
    stop_waiting();
    if (const auto* t = choose_innermost()) {
        fire(*t, reason_of(*t));
        settle();
        return true;
    }
    return is_machine(leaf_) && retry_entry(leaf_);
}

/// A machine at rest makes its entry choice anew.
bool interpreter::retry_entry(index machine) {
    const occasion c{{reason::entry, nullptr, node(machine), nullptr, node(machine), nullptr}};
    make_entry_choices(c, false);
    if (leaf_ == machine) return false;
    completed(machine, c);
    settle();
    return true;
}

void interpreter::update_state(index s) {
    const auto& row = core_.states[s];
    stage here(*this, s, {}, elapsed_);
    if (row.kind != state_kind::final)
        for (const auto& h : of(core_.hooks, row.update)) call(h, here);
    if (!stop_requested_) react_to_update(s, here.now.next);
    settle();
    try_pending();
}

/// Reactions first, then the state that the update asked for.
void interpreter::react_to_update(index s, const successor& next) {
    const auto& row = core_.states[s];
    stage here(*this, s, {});
    for (const auto& predicate : of(core_.guards, row.predicates))
        if (ask(predicate, here)) mark(s);
    for (const auto& t : of(core_.transitions, row.reactions)) {
        if (stop_requested_) return;
        if (due(t) && holds(t, occasion_of(t, reason_of(t)))) fire(t, reason_of(t));
    }
    if (!next || stop_requested_) return;
    target_spec target;
    target.node = next.node;
    target.id = next.id;
    request(s, require(target, s), false);
}

/// Whatever follows from the last step: transient states, completion, what is tried after every transition, internal
/// events, until there is nothing left.
void interpreter::settle() {
    chain links{*this, {}};
    while (true) {
        if (stop_requested_) return stop_now();
        if (over()) return;
        if (std::exchange(transients_due_, false)) {
            if (const auto* t = choose_transient()) {
                links.link();
                fire(*t, reason_of(*t));
                continue;
            }
        }
        if (const auto* t = take_completion()) {
            links.link();
            fire(*t, reason::completion);
            continue;
        }
        if (std::exchange(always_due_, false)) {
            if (const auto* t = choose_always()) {
                links.link();
                fire(*t, reason_of(*t));
                continue;
            }
        }
        if (internal_.size() == 0) return;
        links.link();
        handle_queued(internal_);
    }
}

/// The first transition whose guards hold consumes the event, also when it then has to wait.
result interpreter::handle(std::uint16_t event, const event_ref& ref) {
    bool guarded = false;
    const auto* t = event == no_index ? nullptr : choose_event(event, ref, guarded);
    if (!t && guarded) return result::guarded;
    if (!t) {
        tell_unhandled(ref);
        return result::unhandled;
    }
    if (holder(*t) != no_index) return keep(*t, ref);
    fire(*t, reason::event, &ref);
    return t->target == no_index ? result::internal : result::taken;
}

/// The innermost active machine that wants to know.
void interpreter::tell_unhandled(const event_ref& event) {
    auto told = event;
    told.object = nullptr;
    for (auto s = leaf_; s != no_index; s = core_.states[s].superstate)
        if (const auto& hooks = core_.states[s].unhandled; hooks.count)
            return run_hooks(hooks, s, {{reason::event, &told, nullptr, nullptr, node(leaf_), nullptr}, event.object});
}

/// The oldest entry of the queue; it is consumed even if a hook throws.
result interpreter::handle_queued(event_queue& queue) {
    struct consumed {
        event_queue& queue;
        ~consumed() { queue.done(); }
    };
    const auto& entry = queue.take();
    const consumed whatever_happens{queue};
    if (!entry.type) return request(leaf_, entry.target, entry.force);
    const auto& key = core_.events[entry.event];
    const bool named = key.type == &event_type_of<named_event>;
    return handle(entry.event,
                  {key.type, key.value, named ? std::string_view(key.name) : std::string_view(), queue.payload(),
                   [](void* slot, const event_ref& from) { from.type->move(slot, from.object); }});
}

index interpreter::at_depth(int d) const {
    auto s = leaf_;
    while (depth(s) > d) s = core_.states[s].superstate;
    return s;
}

index interpreter::toward_leaf(index machine) const {
    auto s = leaf_;
    while (core_.states[s].superstate != machine) s = core_.states[s].superstate;
    return s;
}

} // namespace hsm
