// With substate_first and `.external()`, a step is a microstep of SCXML (REC 2015-09-01, Appendix D): compares random charts with that algorithm, as
// it is written there, over plain indices.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace test;

namespace {

enum class kind { leaf, machine, parallel, history };

struct transition {
    int event;
    std::vector<int> targets;
};

struct node {
    int parent;
    kind is;
    bool deep = false;         ///< for a history state
    std::vector<int> children; ///< without history states
    std::vector<int> histories;
    std::vector<int> initial; ///< of a machine; for a history state: its default
    std::vector<transition> transitions;
};

/// In document order; 0 is the root, <scxml>.
using tree = std::vector<node>;

bool below(const tree& t, int outer, int s) {
    while (s > outer) s = t[static_cast<std::size_t>(s)].parent;
    return s == outer;
}
bool properly_below(const tree& t, int outer, int s) { return s != outer && below(t, outer, s); }

/// Appendix D, from selectTransitions to enterStates, for events without conditions.
class algorithm {
public:
    explicit algorithm(const tree& t) : tree_(t) {}

    std::string start() {
        enter({{0, &at(0).initial, 0}});
        return std::exchange(trace_, "");
    }

    std::string process(int event) {
        auto chosen = remove_conflicting(select(event));
        const auto leaving = exit_set(chosen);
        for (const auto s : leaving)
            for (const auto h : at(s).histories) record(s, h);
        for (auto s = leaving.rbegin(); s != leaving.rend(); ++s) configuration_.erase(*s), note("X ", *s);
        for (const auto& c : chosen) note("T ", c.number);
        enter(chosen);
        return std::exchange(trace_, "");
    }

    std::string leaves() const {
        std::string names;
        for (const auto s : configuration_)
            if (at(s).is == kind::leaf) names += " s" + std::to_string(s);
        return names;
    }

private:
    struct choice {
        int source;
        const std::vector<int>* targets;
        int domain; ///< computed once, before history is recorded
        int number = 0;
    };
    using set = std::set<int>;

    const node& at(int s) const { return tree_[static_cast<std::size_t>(s)]; }

    std::vector<choice> select(int event) const {
        std::vector<choice> chosen;
        for (const auto leaf : configuration_) {
            if (at(leaf).is != kind::leaf) continue;
            for (int s = leaf; s != 0; s = at(s).parent) {
                const auto& all = at(s).transitions;
                const auto t = std::ranges::find(all, event, &transition::event);
                if (t == all.end()) continue;
                const auto known = [&](const choice& c) { return c.targets == &t->targets; };
                if (std::ranges::none_of(chosen, known)) chosen.push_back({s, &t->targets, domain(s, t->targets), s});
                break;
            }
        }
        return chosen;
    }

    void effective(const std::vector<int>& targets, set& out) const {
        for (const auto x : targets) {
            if (at(x).is != kind::history) {
                out.insert(x);
            } else if (const auto r = history_.find(x); r != history_.end()) {
                out.insert(r->second.begin(), r->second.end());
            } else {
                effective(at(x).initial, out);
            }
        }
    }

    int domain(int source, const std::vector<int>& targets) const {
        set all;
        effective(targets, all);
        if (all.empty()) return -1;
        for (int a = at(source).parent;; a = at(a).parent) {
            const bool compound = at(a).is == kind::machine;
            if (compound && std::ranges::all_of(all, [&](int x) { return properly_below(tree_, a, x); })) return a;
        }
    }

    set exit_set(const std::vector<choice>& chosen) const {
        set leaving;
        for (const auto& c : chosen)
            for (const auto s : configuration_)
                if (c.domain >= 0 && properly_below(tree_, c.domain, s)) leaving.insert(s);
        return leaving;
    }

    std::vector<choice> remove_conflicting(const std::vector<choice>& chosen) const {
        std::vector<choice> filtered;
        for (const auto& t1 : chosen) {
            std::vector<choice> kept;
            bool lost = false;
            for (const auto& t2 : filtered) {
                const auto one = exit_set({t1});
                const auto two = exit_set({t2});
                const bool meets = std::ranges::any_of(one, [&](int s) { return two.contains(s); });
                if (!meets || !properly_below(tree_, t2.source, t1.source)) kept.push_back(t2);
                lost |= meets && !properly_below(tree_, t2.source, t1.source);
            }
            if (lost) continue;
            filtered = kept;
            filtered.push_back(t1);
        }
        return filtered;
    }

    void record(int s, int h) {
        history_[h].clear();
        for (const auto x : configuration_)
            if (at(h).deep ? properly_below(tree_, s, x) && at(x).is == kind::leaf : at(x).parent == s) history_[h].insert(x);
    }

    /// Differs from SCXML in one way: active states are not entered again, because a record can lead out of the domain.
    void enter(const std::vector<choice>& chosen) {
        set entering;
        for (const auto& c : chosen) {
            for (const auto x : *c.targets) add_descendants(entering, x);
            set all;
            effective(*c.targets, all);
            for (const auto x : all) add_ancestors(entering, x, c.domain);
        }
        for (const auto s : entering)
            if (configuration_.insert(s).second) note("E ", s);
    }

    void add_descendants(set& n, int s) const {
        if (at(s).is == kind::history) {
            const auto r = history_.find(s);
            const auto& back = r == history_.end() ? set(at(s).initial.begin(), at(s).initial.end()) : r->second;
            for (const auto x : back) add_descendants(n, x);
            for (const auto x : back) add_ancestors(n, x, at(s).parent);
            return;
        }
        n.insert(s);
        if (at(s).is == kind::machine) {
            for (const auto x : at(s).initial) add_descendants(n, x);
            for (const auto x : at(s).initial) add_ancestors(n, x, s);
        }
        if (at(s).is == kind::parallel) add_regions(n, s);
    }

    void add_ancestors(set& n, int s, int top) const {
        for (int a = at(s).parent; a > top; a = at(a).parent) {
            n.insert(a);
            if (at(a).is == kind::parallel) add_regions(n, a);
        }
    }

    void add_regions(set& n, int parallel) const {
        for (const auto c : at(parallel).children)
            if (std::ranges::none_of(n, [&](int x) { return properly_below(tree_, c, x); })) add_descendants(n, c);
    }

    void note(std::string_view what, int number) {
        if (!trace_.empty()) trace_ += ", ";
        trace_ += std::string(what) + "s" + std::to_string(number);
    }

    const tree& tree_;
    set configuration_;
    std::map<int, set> history_;
    std::string trace_;
};

/// Random trees, without targets that cannot be active together, which the algorithm does not define.
class generator {
public:
    explicit generator(unsigned seed) : random_(seed) {}

    tree make() {
        add(-1, kind::machine, 0);
        for (int s = 0; s < static_cast<int>(tree_.size()); ++s) fill(s);
        return std::move(tree_);
    }

private:
    int upto(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    node& at(int s) { return tree_[static_cast<std::size_t>(s)]; }

    int add(int parent, kind is, int depth) {
        const int s = static_cast<int>(tree_.size());
        tree_.push_back({parent, is, false, {}, {}, {}, {}});
        if (is == kind::leaf) return s;
        for (int i = 1 + upto(2) + (is == kind::parallel || s == 0); i > 0; --i) {
            const int what = depth >= 4 ? 0 : upto(10);
            const int child = add(s, what < 4 ? kind::leaf : what < 7 ? kind::machine : kind::parallel, depth + 1);
            at(s).children.push_back(child);
        }
        if (s == 0 || upto(2)) return s;
        const int h = static_cast<int>(tree_.size());
        tree_.push_back({s, kind::history, upto(2) == 0, {}, {}, {}, {}});
        at(s).histories.push_back(h);
        return s;
    }

    /// Returns proper descendants of `in`; two if the second can be active at the same time as the first.
    std::vector<int> targets(int in, bool histories) {
        std::vector<int> states;
        for (int s = 1; s < static_cast<int>(tree_.size()); ++s)
            if (properly_below(tree_, in, s) && (histories || at(s).is != kind::history)) states.push_back(s);
        std::vector<int> chosen{states[static_cast<std::size_t>(upto(static_cast<int>(states.size())))]};
        const int other = states[static_cast<std::size_t>(upto(static_cast<int>(states.size())))];
        if (at(other).is == kind::history || at(chosen[0]).is == kind::history) return chosen;
        if (below(tree_, other, chosen[0]) || below(tree_, chosen[0], other)) return chosen;
        int common = at(other).parent;
        while (!below(tree_, common, chosen[0])) common = at(common).parent;
        if (at(common).is == kind::parallel) chosen.push_back(other);
        return chosen;
    }

    void fill(int s) {
        if (at(s).is == kind::history) return void(at(s).initial = targets(at(s).parent, false));
        if (at(s).is == kind::machine) at(s).initial = upto(2) ? targets(s, false) : std::vector{at(s).children.front()};
        for (int event = 0; s != 0 && event < 4; ++event)
            if (upto(3) == 0) at(s).transitions.push_back({event, upto(6) == 0 ? std::vector<int>() : targets(0, true)});
    }

    std::mt19937 random_;
    tree tree_;
};

/// Converts the tree to a definition.
class definition {
public:
    explicit definition(const tree& t) : tree_(t), nodes_(t.size()) {
        nodes_[0] = root_.get();
        add_below(0, *root_);
        for (std::size_t s = 0; s < t.size(); ++s) connect(s);
    }
    hsm::owned<hsm::fsm<recorder>> root() { return std::move(root_); }

private:
    template <class Superstate> void add_below(int s, Superstate& to) {
        auto all = tree_[static_cast<std::size_t>(s)].children;
        for (const auto c : all) {
            const std::string name = "s" + std::to_string(c);
            if (tree_[static_cast<std::size_t>(c)].is == kind::machine)
                add_below(c, keep(c, to.add_fsm(name)));
            else if (tree_[static_cast<std::size_t>(c)].is == kind::parallel)
                add_below(c, keep(c, to.add_parallel(name)));
            else
                keep(c, to.add(name));
        }
        for (const auto h : tree_[static_cast<std::size_t>(s)].histories) {
            const std::string name = "s" + std::to_string(h);
            const bool deep = tree_[static_cast<std::size_t>(h)].deep;
            nodes_[static_cast<std::size_t>(h)] = deep ? &to.add_deep_history(name) : &to.add_history(name);
        }
    }

    template <class State> State& keep(int s, State& state) {
        const std::string name(state.name());
        state.on_enter(tracing("E " + name)).on_exit(tracing("X " + name));
        nodes_[static_cast<std::size_t>(s)] = &state;
        return state;
    }

    void aim(hsm::transition_spec& spec, const std::vector<int>& targets) {
        spec.aim_at(node_of(targets[0]));
        if (targets.size() > 1) spec.aim_at_more(node_of(targets[1]));
    }
    const hsm::state_base& node_of(int s) const { return *nodes_[static_cast<std::size_t>(s)]; }

    void connect(std::size_t s) {
        if (!tree_[s].initial.empty()) aim(nodes_[s]->add_initial(), tree_[s].initial);
        for (const auto& t : tree_[s].transitions) {
            auto& spec = nodes_[s]->add_transition();
            if (!t.targets.empty()) aim(spec, t.targets);
            hsm::transition<recorder>(spec).on("e" + std::to_string(t.event)).external().then(tracing("T s" + std::to_string(s)));
        }
    }

    const tree& tree_;
    hsm::owned<hsm::fsm<recorder>> root_ = root_of();
    std::vector<hsm::state_base*> nodes_;
};

template <class Agent> std::string spaced_leaves(const Agent& agent) {
    std::string names;
    for (const auto leaf : agent.leaves()) names += " " + std::string(leaf.name());
    return names;
}

} // namespace

TEST_CASE("substate_first and external: a step is SCXML's microstep") {
    int steps = 0;
    for (unsigned seed = 1; seed <= 400; ++seed) {
        const auto plan = generator(seed).make();
        algorithm expected(plan);
        started m(definition(plan).root(), substates_first);
        m.stop();
        m.agent.reset();
        INFO("seed " << seed);
        REQUIRE(m.start() == expected.start());
        std::mt19937 random(seed);
        for (int i = 0; i < 25; ++i) {
            const auto event = static_cast<int>(random() % 4);
            INFO("input " << i << ": e" << event << " in" << spaced_leaves(m.agent));
            const auto trace = m.process("e" + std::to_string(event));
            REQUIRE(trace == expected.process(event));
            REQUIRE(spaced_leaves(m.agent) == expected.leaves());
            steps += !trace.empty();
        }
    }
    CHECK(steps > 2000); // not trivially equal
}
