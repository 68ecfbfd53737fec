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
        if (let_go() || !is_machine(s)) return;
        if (decides && outermost_first && !decide_level(s) && leaf_ == s) retry_entry(s);
        if (let_go() || leaf_ == s) return;
        s = toward_leaf(s);
    }
}

/// At most one of the polled transitions whose level it is.
bool interpreter::decide_level(index level) {
    const auto* t = choose_at_level(level);
    if (!t) return false;
    fire(*t, t->on_finished ? reason::completion : reason::poll);
    settle();
    return true;
}

bool interpreter::decide_innermost() {
    if (const auto* t = choose_innermost()) {
        fire(*t, t->on_finished ? reason::completion : reason::poll);
        settle();
        return true;
    }
    return is_machine(leaf_) && retry_entry(leaf_);
}

/// A machine at rest makes its entry choice anew.
bool interpreter::retry_entry(index machine) {
    const occasion c{{reason::entry, nullptr, node(machine), nullptr, node(machine)}};
    make_entry_choices(c);
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
}

/// Reactions first, then the state that the update asked for.
void interpreter::react_to_update(index s, const successor& next) {
    const auto& row = core_.states[s];
    stage here(*this, s, {});
    for (const auto& predicate : of(core_.guards, row.predicates))
        if (ask(predicate, here)) mark(s);
    for (const auto& t : of(core_.transitions, row.reactions)) {
        if (stop_requested_) return;
        if (holds(t, occasion_of(t, reason::poll))) fire(t, reason::poll);
    }
    if (!next || stop_requested_) return;
    target_spec target;
    target.node = next.node;
    target.id = next.id;
    request(s, require(target, s), reason::request);
}

/// Among the states that have been marked as over and not been asked since; asking is done once per mark.
const transition_row* interpreter::take_completion() {
    for (const auto s : deciders()) {
        if (!completion_due_[s]) continue;
        completion_due_[s] = false;
        for (const auto& t : of(core_.transitions, core_.states[s].polled))
            if (t.on_finished && holds(t, occasion_of(t, reason::completion))) return &t;
    }
    return nullptr;
}

/// Whatever follows from the last step: transient states, completion, internal events, until there is nothing left.
void interpreter::settle() {
    chain links{*this, {}};
    while (true) {
        if (stop_requested_) return stop_now();
        if (over()) return;
        if (std::exchange(transients_due_, false)) {
            if (const auto* t = choose_transient()) {
                links.link();
                fire(*t, reason::poll);
                continue;
            }
        }
        if (const auto* t = take_completion()) {
            links.link();
            fire(*t, reason::completion);
            continue;
        }
        if (internal_.size() == 0) return;
        links.link();
        handle_queued(internal_);
    }
}

result interpreter::handle(std::uint16_t event, const event_ref& ref) {
    bool guarded = false;
    const auto* t = choose_event(event, ref, guarded);
    if (!t) return guarded ? result::guarded : result::unhandled;
    fire(*t, reason::event, &ref);
    return t->target == no_index ? result::internal : result::taken;
}

/// The oldest entry of the queue; it is consumed even if a hook throws.
result interpreter::handle_queued(event_queue& queue) {
    struct consumed {
        event_queue& queue;
        ~consumed() { queue.done(); }
    };
    const auto& entry = queue.take();
    const consumed whatever_happens{queue};
    if (!entry.type) {
        request(leaf_, entry.target, reason::request);
        return result::taken;
    }
    const auto& key = core_.events[entry.event];
    const bool named = key.type == &event_type_of<named_event>;
    return handle(entry.event, {key.type, key.value, named ? std::string_view(key.name) : std::string_view(),
                                queue.payload(), nullptr});
}

index interpreter::toward_leaf(index machine) const {
    auto s = leaf_;
    while (core_.states[s].superstate != machine) s = core_.states[s].superstate;
    return s;
}

} // namespace hsm
