/// The conditions of a plan: declarations, tests in guards, and names for calls to a running machine.
#pragma once

#include <hsm/define/fsm.hpp>
#include <tests/support/differential/plan.hpp>

#include <string>
#include <vector>

namespace differential {

/// Handles to the conditions, by number.
class declared_conditions {
public:
    declared_conditions(const plan& p, hsm::state_base& root) {
        for (const auto& c : p.conditions) {
            if (handles_.empty())
                handles_.push_back(hsm::is_over);
            else if (c.named)
                handles_.push_back(c.index == none ? root.condition(name(handles_.size())) : root.condition(name(handles_.size()), c.index));
            else
                handles_.push_back(c.index == none ? root.condition() : hsm::condition(root.condition_at(c.index)));
            if (c.trigger) handles_.back().trigger();
        }
        for (const auto& c : p.conditions) indices_.push_back(c.index);
    }

    static std::string name(std::size_t which) { return "c" + std::to_string(which); }

    /// Calls f with the guard's test of conditions. `holds` is the guard's function.
    template <class Holds, class F> void ask(const guard_plan& g, Holds holds, F f) const {
        switch (g.writing) {
        case writing::name:
            return ask(
                g, [&](std::size_t i) { return named(g.literals[i]); }, holds, f);
        case writing::index:
            return ask(
                g, [&](std::size_t i) { return indexed(g.literals[i]); }, holds, f);
        case writing::handle: break;
        }
        const auto& handle = handles_[static_cast<std::size_t>(g.literals[0].which)];
        g.literals[0].wanted ? f(handle) : f(!handle);
    }

private:
    static std::string named(const literal_plan& l) { return (l.wanted ? "" : "!") + name(static_cast<std::size_t>(l.which)); }
    int indexed(const literal_plan& l) const { return (l.wanted ? 1 : -1) * indices_[static_cast<std::size_t>(l.which)]; }

    template <class Written, class Holds, class F> static void ask(const guard_plan& g, Written literal, Holds holds, F f) {
        using namespace hsm;
        switch (g.asks) {
        case asks::nothing: break;
        case asks::one: return f(literal(0));
        case asks::all: return f(all(literal(0), literal(1)));
        case asks::any: return f(any(literal(0), literal(1)));
        case asks::no_all: return f(no(all(literal(0), literal(1), literal(2))));
        case asks::no_any: return f(no(any(literal(0), literal(1))));
        case asks::all_with_any: return f(all(literal(0), any(literal(1), literal(2))));
        case asks::all_with_guard: return f(all(literal(0), holds, literal(1)));
        case asks::any_with_guard: return f(any(literal(0), holds, literal(1)));
        case asks::no_all_with_guard: return f(no(all(literal(0), holds)));
        case asks::any_with_all: return f(any(all(literal(0), literal(1)), all(holds, literal(2))));
        }
    }

    std::vector<hsm::condition> handles_;
    std::vector<int> indices_;
};

/// Names a condition of a chart that was built from a plan, in one of several ways. Requires that the root declares the conditions first.
inline hsm::condition_key key_of(const hsm::state_base& root, int which) {
    if (which == 0) return hsm::is_over;
    const auto& spec = *root.conditions()[static_cast<std::size_t>(which) - 1];
    if (!spec.name.empty() && which % 2 != 0) return spec.name;
    if (spec.index != hsm::condition_spec::any_index && which % 3 != 0) return static_cast<int>(spec.index);
    return hsm::condition(spec);
}

} // namespace differential
