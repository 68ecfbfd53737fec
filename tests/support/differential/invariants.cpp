#include <tests/support/differential/invariants.hpp>

#include <hsm/define/state_base.hpp>

#include <utility>
#include <vector>

namespace differential {

namespace {

/// The active states, as reported by the machine.
class configuration {
public:
    configuration(const plan& p, const agent& a) : plan_(p) {
        for (int s = 0; s < count(); ++s) active_.push_back(a.is_in(s));
    }

    std::string wrong(const agent& a) const {
        std::string text;
        const auto accuse = [&](int s, const char* what) { text += " WRONG: s" + std::to_string(s) + " " + what; };
        std::vector<int> leaves;
        for (int s = 0; s < count(); ++s) {
            const auto below = substates(s);
            if (is(s) && is_history(at(s).kind)) accuse(s, "is a history state, and active");
            if (below.active > 0 && !is(s)) accuse(s, "is not active, but something in it is");
            if (!is(s)) continue;
            if (at(s).kind == kind::machine && below.active > 1) accuse(s, "has two active substates");
            if (at(s).kind == kind::parallel && below.active != below.all) accuse(s, "has a region that is not active");
            if (below.active == 0) leaves.push_back(s);
        }
        if (leaves != numbers(a.leaves())) text += " WRONG: leaves()";
        if (tip() != number(a.current())) text += " WRONG: current()";
        return text;
    }

    bool is(int s) const { return active_[static_cast<std::size_t>(s)]; }
    int count() const { return static_cast<int>(plan_.states.size()); }

private:
    struct regions {
        int all = 0, active = 0;
    };

    const state_plan& at(int s) const { return plan_.states[static_cast<std::size_t>(s)]; }

    regions substates(int above) const {
        regions found;
        for (int s = above + 1; s < count(); ++s) {
            if (at(s).superstate != above || is_history(at(s).kind)) continue;
            ++found.all;
            found.active += is(s);
        }
        return found;
    }

    int first_active_in(int above) const {
        for (int s = above + 1; s < count(); ++s)
            if (at(s).superstate == above && is(s)) return s;
        return none;
    }

    int tip() const {
        int s = is(0) ? 0 : none;
        for (int inner = s; inner != none; inner = at(s).kind == kind::parallel ? none : first_active_in(s)) s = inner;
        return s;
    }

    static int number(hsm::state_ref s) { return s ? static_cast<int>(s.get()->number()) : none; }
    static std::vector<int> numbers(const std::vector<hsm::state_ref>& states) {
        std::vector<int> found;
        for (const auto s : states) found.push_back(number(s));
        return found;
    }

    const plan& plan_;
    std::vector<bool> active_;
};

bool ends(input i) { return i == input::stop || i == input::destroy || i == input::reset; }
bool runs_no_hooks(input i) { return i == input::reset || i == input::set_state; }

} // namespace

std::string wrong_after(const input_plan& in, const plan& p, const agent& a, test_context& w) {
    const configuration now(p, a);
    auto text = now.wrong(a);
    if (ends(in.does) && a.current()) text += " WRONG: something is left"; // queues may not be empty, if a hook that threw had stopped it before
    for (int s = 0; p.checks_activity && s < now.count(); ++s) {
        if (!is_state(p.states[static_cast<std::size_t>(s)].kind) || now.is(s) == w.kept.is(s)) continue;
        if (!runs_no_hooks(in.does)) w.kept.accuse(now.is(s) ? "is active, but was not entered" : "is not active, but was not exited", s);
        w.kept.set(s, now.is(s));
    }
    return text + std::exchange(w.kept.complaints, "");
}

bool is_wrong(std::string_view observed) { return observed.find(" WRONG: ") != std::string_view::npos; }

} // namespace differential
