#include <tests/support/scxml/machine.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <type_traits>

namespace scxml {

namespace {

using machine = hsm::fsm<session>;
using parallel = hsm::parallel<session>;

void raise(hsm::step<session>& step, std::string_view event) {
    if (step.process(event) == hsm::result::full) throw document_error("the internal queue is full");
}

/// A hook, or an action.
auto raising(const std::string& event) {
    return [event](session&, hsm::step<session>& step) { raise(step, event); };
}

class builder {
public:
    builder(const node& document, const std::vector<std::string>& outside) : events_(outside.begin(), outside.end()) { collect(document); }

    hsm::owned<machine> run(const node& document) {
        auto root = hsm::make_fsm<session>(document.id);
        note(document, *root, nullptr);
        grow(*root, document);
        for (const auto* n : order_) fill(*n);
        return root;
    }

private:
    struct place {
        hsm::state_base* state;
        const node* parent;
    };

    // --- all events that there can be ---

    void collect(const node& n) {
        const auto raised = [&](const std::vector<std::string>& names) { events_.insert(names.begin(), names.end()); };
        raised(n.entry);
        raised(n.exit);
        if (n.initial) raised(n.initial->raised);
        for (const auto& t : n.transitions) raised(t.raised);
        if (is_compound(n) || n.kind == kind::parallel) events_.insert("done.state." + n.id);
        for (const auto& child : n.children) collect(child);
    }

    // --- the tree ---

    void note(const node& n, hsm::state_base& state, const node* parent) {
        if (!places_.emplace(n.id, place{&state, parent}).second) throw document_error("two states have the id \"" + n.id + '"');
        order_.push_back(&n);
    }

    template <class Composite> void grow(Composite& above, const node& n) {
        for (const auto& child : n.children) {
            if (child.kind == kind::parallel) {
                auto& made = above.add_parallel(child.id);
                note(child, made, &n);
                grow(made, child);
            } else if (is_compound(child)) {
                auto& made = above.add_fsm(child.id);
                note(child, made, &n);
                grow(made, child);
            } else {
                note(child, add_atomic(above, child), &n);
            }
        }
    }

    template <class Composite> static hsm::state_base& add_atomic(Composite& above, const node& n) {
        if (n.kind == kind::history) return above.add_history(n.id);
        if (n.kind == kind::deep_history) return above.add_deep_history(n.id);
        if (n.kind == kind::state) return above.add(n.id);
        if constexpr (std::is_same_v<Composite, machine>)
            return above.add_final(n.id);
        else
            throw document_error("the final \"" + n.id + "\" is in a parallel");
    }

    const place& at(const std::string& id) const {
        const auto found = places_.find(id);
        if (found == places_.end()) throw document_error("there is no state \"" + id + '"');
        return found->second;
    }

    // --- a state ---

    void fill(const node& n) {
        auto& base = *at(n.id).state;
        if (is_history(n.kind)) {
            for (const auto& t : n.transitions) aim<hsm::initial_choice<session>>(base.add_initial(), t);
            return;
        }
        auto& state = static_cast<hsm::state<session>&>(base);
        for (const auto& event : n.entry) state.on_enter(raising(event));
        for (const auto& event : n.exit) state.on_exit(raising(event));
        if (n.kind == kind::final) tell_end(state, n);
        if (n.initial) aim<hsm::initial_choice<session>>(state.add_initial(), *n.initial);
        for (const auto& t : n.transitions) add(state, n, t);
    }

    /// Handle: how actions are added to a transition of that kind.
    template <class Handle> void aim(hsm::transition_spec& spec, const transition& t) {
        for (const auto& id : t.targets) {
            if (!spec.has_target)
                spec.aim_at(*at(id).state);
            else
                spec.more_targets.push_back(hsm::target_spec(hsm::state_key(*at(id).state)));
        }
        for (const auto& event : t.raised) Handle(spec).then(raising(event));
    }

    void add(hsm::state<session>& source, const node& n, const transition& t) {
        if (t.events.empty()) {
            if (t.targets.empty()) throw document_error("\"" + n.id + "\" has a transition without event and target");
            return finish(source.add_transition(), n, t).always(), void();
        }
        for (const auto& event : events_)
            if (matches(t.events, event)) {
                auto& spec = source.add_transition();
                hsm::transition<session>(spec).on(event);
                finish(spec, n, t);
            }
    }

    hsm::transition<session> finish(hsm::transition_spec& spec, const node& n, const transition& t) {
        aim<hsm::transition<session>>(spec, t);
        const hsm::transition<session> made(spec);
        if (!stays_inside(n, t)) made.external();
        const auto asks = t.cond.asks;
        if (asks == predicate::no) made.when([](const session&) { return false; });
        if (asks == predicate::in || asks == predicate::not_in) {
            const auto found = places_.find(t.cond.state);
            const hsm::state_base* const state = found == places_.end() ? nullptr : found->second.state;
            made.when([state, wanted = asks == predicate::in](const session& s) { return (state && s.is_active(*state)) == wanted; });
        }
        return made;
    }

    /// SCXML's internal transitions.
    bool stays_inside(const node& n, const transition& t) const {
        const auto* const source = at(n.id).state;
        const auto is_inside = [&](const std::string& id) {
            for (const auto* s = at(id).state->superstate(); s; s = s->superstate())
                if (s == source) return true;
            return false;
        };
        return t.internal && is_compound(n) && std::ranges::all_of(t.targets, is_inside);
    }

    // --- done.state ---

    void tell_end(hsm::state<session>& state, const node& n) {
        const auto* const parent = at(n.id).parent;
        const auto* const above = at(parent->id).parent;
        if (!above) return; // of the whole machine: it ends
        state.on_enter(raising("done.state." + parent->id));
        if (above->kind != kind::parallel) return;
        state.on_enter([regions = finals_of_regions(*above), event = "done.state." + above->id](session& s, hsm::step<session>& step) {
            const auto is_active = [&](const hsm::state_base* f) { return s.is_active(*f); };
            const auto is_over = [&](const auto& finals) { return std::ranges::any_of(finals, is_active); };
            if (std::ranges::all_of(regions, is_over)) raise(step, event);
        });
    }

    /// By region; a parallel in a parallel stands for its own regions, an atomic region is never over.
    std::vector<std::vector<const hsm::state_base*>> finals_of_regions(const node& p) const {
        std::vector<std::vector<const hsm::state_base*>> regions;
        for (const auto& region : p.children) {
            if (is_history(region.kind)) continue;
            if (region.kind == kind::parallel) {
                std::ranges::copy(finals_of_regions(region), std::back_inserter(regions));
                continue;
            }
            auto& finals = regions.emplace_back();
            for (const auto& child : region.children)
                if (child.kind == kind::final) finals.push_back(at(child.id).state);
        }
        return regions;
    }

    std::set<std::string> events_;
    std::map<std::string, place> places_;
    std::vector<const node*> order_;
};

} // namespace

hsm::owned<hsm::fsm<session>> make_machine(const node& document, const std::vector<std::string>& outside) {
    return builder(document, outside).run(document);
}

bool matches(const std::vector<std::string>& descriptors, std::string_view event) {
    return std::ranges::any_of(descriptors, [&](std::string_view d) {
        if (d.ends_with(".*")) d.remove_suffix(2);
        if (d.ends_with('.')) d.remove_suffix(1);
        return d == "*" || d.empty() || event == d || (event.starts_with(d) && event[d.size()] == '.');
    });
}

} // namespace scxml
