#include <tests/support/differential/edit.hpp>

#include <tests/support/differential/dice.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/shrink.hpp>

#include <algorithm>
#include <string>

namespace differential {

namespace {

const state_plan& at(const plan& p, int s) { return p.states[static_cast<std::size_t>(s)]; }
int count(const plan& p) { return static_cast<int>(p.states.size()); }

/// Other names end with "x".
std::string first_name(const std::string& name) { return name.substr(0, name.find('x')); }

void edit(plan& p, dice& d) {
    const int s = d.below(count(p));
    auto& state = p.states[static_cast<std::size_t>(s)];
    auto& all = state.transitions;
    const auto some = [&]() -> transition_plan& { return all[static_cast<std::size_t>(d.below(static_cast<int>(all.size())))]; };
    switch (d.below(6)) {
    case 0:
        if (s > 0) remove_state(p, s, true);
        break;
    case 1:
        if (s > 0) remove_state(p, s, false);
        break;
    case 2: state.name = first_name(state.name) + "x"; break;
    case 3:
        if (!all.empty()) all.erase(all.begin() + d.below(static_cast<int>(all.size())));
        break;
    case 4:
        for (auto& t : all) t.after.ns += t.after.ns / 2, t.every.ns += t.every.ns / 2;
        break;
    default:
        if (all.empty()) break;
        if (auto& t = some(); t.target != none && t.more_targets.empty() && t.joined.empty())
            for (int other = 0; other < count(p); ++other)
                if (at(p, other).superstate == at(p, t.target).superstate && is_state(at(p, other).kind) && d.chance(50)) t.target = other;
    }
}

/// A state with a way to another context has a class of its own: of its kind and context.
int class_of(const plan& p, int s) {
    if (at(p, s).way == 0) return none;
    bool in_part = false;
    for (int outer = s; outer != none; outer = at(p, outer).superstate) in_part ^= at(p, outer).way != 0;
    return static_cast<int>(at(p, s).kind) * 2 + in_part;
}

/// The only state with the class or the enumerator of a state of `q`; none if there are several.
int with_identity(const plan& p, const plan& q, int like) {
    const int place = at(q, like).place, its_class = class_of(q, like);
    int found = none;
    for (int s = 0; s < count(p); ++s) {
        const bool is_same = (place != none && at(p, s).place == place) || (its_class != none && class_of(p, s) == its_class);
        if (is_same && found != none) return none;
        if (is_same) found = s;
    }
    return found;
}

void find_places(edited& e) {
    for (int s = 0; s < count(e.before); ++s) {
        const auto& state = at(e.before, s);
        int found = none;
        for (int t = 0; t < count(e.after); ++t) {
            const auto& other = at(e.after, t);
            const bool is_edited = first_name(state.name) == first_name(other.name) && state.name != other.name;
            if (is_edited) e.renamed.emplace_back(s, t);
            const bool is_inside =
                s == 0 ? t == 0 : other.superstate != none && e.place[static_cast<std::size_t>(state.superstate)] == other.superstate;
            if (is_edited || (is_inside && (s == 0 || state.name == other.name))) found = t;
        }
        if (found == none && with_identity(e.before, e.before, s) == s) found = with_identity(e.after, e.before, s);
        e.place.push_back(found);
    }
}

} // namespace

edited generate_edited(std::uint64_t seed, int inputs) {
    edited e;
    e.before = generate(seed, inputs);
    e.before.own_memory = false; // the instance moves to another object
    for (int s = 0; s < count(e.before); ++s) e.before.states[static_cast<std::size_t>(s)].name = "s" + std::to_string(s);
    e.after = e.before;
    dice d(seed);
    for (int edits = 1 + d.below(4); edits > 0; --edits) edit(e.after, d);
    if (d.chance(50)) std::swap(e.before, e.after);
    find_places(e);
    return e;
}

} // namespace differential
