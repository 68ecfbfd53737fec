// Writes random definitions of the differential test as a program, without the parts that constant charts do not support.
//
//     emit <file> <part> <parts> <charts>

#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/test_context.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <string>
#include <utility>

namespace {

using namespace differential;

constexpr int most_states = 14;
constexpr int inputs = 60;

std::string s(int state) { return "s" + std::to_string(state); }

std::string event(int e) {
    static constexpr const char* names[] = {"hit",
                                            "parcel",
                                            "key::up",
                                            "key::down",
                                            "key::left",
                                            "far_apart::low",
                                            "far_apart::high",
                                            "ping",
                                            "pong",
                                            "unexpected",
                                            "hsm::range(key::up, key::left)",
                                            "hsm::any(key::up, key::left)",
                                            "hsm::otherwise<key>()",
                                            "hsm::range(far_apart::low, far_apart::high)",
                                            "hsm::otherwise<far_apart>()"};
    return names[e];
}
std::string on(int e) {
    if (e == anything) return ".on(hsm::any_event)";
    return e == none ? "" : ((e >= 2 && e <= 6) || e > event_count ? ".on(" + event(e) + ")" : ".template on<" + event(e) + ">()");
}

std::string defer(int e) { return e >= 2 && e <= 6 ? ".defer(" + event(e) + ")" : ".template defer<" + event(e) + ">()"; }

/// Returns the callable, which also takes a local of that type; none: no local.
std::string counting(int type, const std::string& callable) {
    return type == none ? callable : "counting_" + callable.substr(0, callable.size() - 1) + ", " + std::to_string(type) + ">";
}

/// Returns the code of a hook, without the calls that only ordinary charts support.
std::string hook(char kind, const hook_plan& h, int local) {
    const auto does = h.act.does;
    const bool known = does == act::process || does == act::post || does == act::flip || does == act::stop || does == act::set_condition ||
                       does == act::clear_condition || does == act::pulse_condition;
    const auto act = known ? static_cast<int>(does) : 0;
    return counting(local, "hook<'" + std::string(1, kind) + "', " + std::to_string(h.token) + ", " + std::to_string(act) + ", " +
                               std::to_string(act ? h.act.what : 0) + ", " + std::to_string(act ? h.act.bit : none) + ">");
}

/// Returns the code of a guard and of the conditions with which it is combined. `alone`: is_over cannot be combined with a guard in any() or no().
std::string guard(const guard_plan& g, int local, bool alone) {
    const auto holds =
        counting(local, "guard<" + std::to_string(g.token) + ", " + std::to_string(g.bit) + ", " + (g.wanted ? "true" : "false") + ">");
    const bool is_over = std::ranges::any_of(g.literals, [](const auto& l) { return l.which == 0; });
    if (is_over && alone && (g.asks == asks::any_with_guard || g.asks == asks::no_all_with_guard || g.asks == asks::any_with_all)) return holds;
    const auto literal = [&](std::size_t i) -> std::string {
        const auto& l = g.literals[i];
        const auto number = std::to_string(l.which);
        if (l.which == 0) return l.wanted ? "hsm::is_over" : "!hsm::is_over";
        if (g.writing != writing::name && g.asks == asks::one) return (l.wanted ? "h" : "!h") + number;
        return (l.wanted ? "\"c" : "\"!c") + number + '"';
    };
    const auto a = literal(0), b = literal(1), c = literal(2);
    switch (g.asks) {
    case asks::nothing: return holds;
    case asks::one: return a;
    case asks::all: return "hsm::all(" + a + ", " + b + ")";
    case asks::any: return "hsm::any(" + a + ", " + b + ")";
    case asks::no_all: return "hsm::no(hsm::all(" + a + ", " + b + ", " + c + "))";
    case asks::no_any: return "hsm::no(hsm::any(" + a + ", " + b + "))";
    case asks::all_with_any: return "hsm::all(" + a + ", hsm::any(" + b + ", " + c + "))";
    case asks::all_with_guard: return "hsm::all(" + a + ", " + holds + ", " + b + ")";
    case asks::any_with_guard: return "hsm::any(" + a + ", " + holds + ", " + b + ")";
    case asks::no_all_with_guard: return "hsm::no(hsm::all(" + a + ", " + holds + "))";
    case asks::any_with_all: return "hsm::any(hsm::all(" + a + ", " + b + "), hsm::all(" + holds + ", " + c + "))";
    }
    return holds;
}

/// `local`: the type of a local that guards and actions with even numbers take. Actions take one only if no state is exited before.
template <class Plan> std::string guards_and_actions(const Plan& t, int local, bool stays, bool alone) {
    std::string text;
    const auto taken = [&](int token) { return token % 2 ? none : local; };
    for (const auto& g : t.guards) text += ".when(" + guard(g, taken(g.token), alone) + ")";
    for (const auto& a : t.actions) text += ".then(" + hook('A', a, stays ? taken(a.token) : none) + ")";
    return text;
}

class emitter {
public:
    explicit emitter(plan p, bool has_regions) : plan_(std::move(p)), has_regions_(has_regions) {
        for (auto& state : plan_.states) {
            if (in_part(static_cast<int>(&state - plan_.states.data()))) // a local that can finish takes the whole context
                std::erase_if(state.locals, [](const auto& l) { return l.type == timer_type; });
            if (state.kind == kind::parallel && !has_regions) state.kind = kind::machine;
        }
    }

    std::string run(int number) {
        const auto order = plan_.compile.order == hsm::decision_order::superstate_first ? "superstate_first" : "substate_first";
        text_ = "constexpr auto chart" + std::to_string(number) +
                " = hsm::constant_chart<world, hsm::constant_chart_options{hsm::decision_order::" + order +
                (plan_.compile.remember_finals ? ", true" : ", false") + (number % 3 == 0 ? ", true" : ", false") + (number % 2 ? ", true" : "") +
                "}>([](auto& s0) {\n";
        line("s0.named(\"s0\")");
        for (std::size_t c = 1; c < plan_.conditions.size(); ++c) {
            const auto& condition = plan_.conditions[c];
            const auto index = condition.index == none ? "" : ", " + std::to_string(condition.index);
            const auto name = std::to_string(c);
            line("[[maybe_unused]] const auto h" + name + " = s0.condition(\"c" + name + "\"" + index + ")" +
                 (condition.trigger ? ".trigger()" : ""));
        }
        for (int i = 1; i < count(); ++i) add(i);
        for (int i = 0; i < count(); ++i) in_part_ = in_part(i), fill(i);
        text_ += "});\nconstexpr input inputs" + std::to_string(number) + "[] = {";
        for (const auto& in : plan_.inputs)
            text_ += "{" + std::to_string(static_cast<int>(in.does)) + ", " + std::to_string(in.what) + ", " + std::to_string(in.amount) + ", " +
                     std::to_string(in.flips) + ", " + std::to_string(in.turned) + ", " + std::to_string(in.pulsed) + "}, ";
        text_ += "};\n\n";
        return text_;
    }

private:
    int count() const { return static_cast<int>(plan_.states.size()); }
    const state_plan& at(int i) const { return plan_.states[static_cast<std::size_t>(i)]; }
    void line(const std::string& words) {
        static const std::regex callable("\\b(counting_)?(hook|change|guard|score|delay|always)\\b([<)])");
        text_ += "    " + (in_part_ ? std::regex_replace(words, callable, "part_$1$2$3") : words) + ";\n";
    }
    /// Returns whether it is a machine over a part of the context.
    bool begins_part(int i) const { return at(i).way != 0 && is_composite(at(i).kind) && i > 0 && !in_part(at(i).superstate); }
    bool in_part(int i) const { return i != none && (begins_part(i) || in_part(at(i).superstate)); }

    void add(int i) {
        static constexpr const char* calls[] = {"add",        "add_fsm",     "add_parallel",     "add_final",
                                                "add_choice", "add_history", "add_deep_history", "add_previous"};
        if (begins_part(i))
            return line("[[maybe_unused]] auto& " + s(i) + " = " + s(at(i).superstate) +
                        ".template add<hsm::" + (at(i).kind == kind::machine ? "fsm" : "parallel") + "<part>>(part_of, \"" + s(i) + "\")");
        line("[[maybe_unused]] auto& " + s(i) + " = " + s(at(i).superstate) + "." + calls[static_cast<int>(at(i).kind)] + "(\"" + s(i) + "\")");
    }

    void fill(int i) {
        const auto& state = at(i);
        if (!is_state(state.kind)) return add_targets(i, "to", "otherwise");
        if (state.transient) line(s(i) + ".transient()");
        for (int tag = 0; tag < tag_count; ++tag)
            if (state.tags >> tag & 1) line(s(i) + ".tag(\"" + tag_name(tag) + "\")");
        for (const auto& l : state.locals) line(s(i) + ".template local<tally<" + std::to_string(l.type) + ">>()");
        const auto hook_of = [&](char kind, const hook_plan& h) { return hook(kind, h, h.token % 2 ? none : local_of(i)); };
        for (const auto& h : state.enter) line(s(i) + ".on_enter(" + hook_of('E', h) + ")");
        for (const auto& h : state.exit) line(s(i) + ".on_exit(" + hook_of('X', h) + ")");
        for (const auto& h : state.update) line(s(i) + ".on_update(" + hook_of('U', h) + ")");
        for (const auto& h : state.init) line(s(i) + ".on_init(" + hook('I', h, none) + ")");
        for (const auto& h : state.destroy) line(s(i) + ".on_destroy(" + hook('D', h, none) + ")");
        for (const auto& h : state.unhandled) line(s(i) + ".on_unhandled(" + hook_of('N', h) + ")");
        for (const auto& h : state.settled) line(s(i) + ".on_settled(" + hook_of('S', h) + ")");
        add_holds(i);
        for (const auto& t : state.transitions) add_transition(i, t);
        if (state.remembers) line(s(i) + (state.remembers == 1 ? ".remembers()" : ".remembers_deep()"));
        if (state.kind != kind::machine) return;
        for (const auto& h : state.change) line(s(i) + ".on_change(change<" + hook('C', h, none).substr(5) + ")");
        add_targets(i, "dispatch", "initial");
    }
    void add_holds(int i) {
        if (at(i).holds) line(s(i) + ".hold()");
        for (const auto& g : at(i).hold_until) line(s(i) + ".hold_until(" + guard(g, g.token % 2 ? none : local_of(i), false) + ")");
        if (at(i).least.token) line(s(i) + ".min_duration(" + time(at(i).least) + ")");
    }
    /// Returns the type of a local that is found from that state; none: there is no local.
    int local_of(int i) const {
        while (i > 0 && at(i).locals.empty()) i = at(i).superstate;
        return at(i).locals.empty() ? none : at(i).locals[0].type;
    }
    /// With regions, also those of a fork.
    template <class Plan> std::string targets(const Plan& t) const { return s(t.target) + (has_regions_ ? listed(t.more_targets, ", ") : ""); }
    static std::string listed(const std::vector<int>& states, std::string between) {
        std::string text;
        for (const auto other : states) text += std::exchange(between, ", ") + s(other);
        return text;
    }
    void add_targets(int i, const std::string& choice, const std::string& last) {
        const auto& state = at(i);
        const bool chooses = state.choose != 0 && !state.dispatch.empty();
        if (chooses) line(s(i) + ".choose(static_cast<hsm::choosing>(" + std::to_string(state.choose) + "))");
        const bool again = chooses && state.kind == kind::machine && (state.rechoose == 1 || (state.rechoose == 2 && state.period.token));
        if (again) line(s(i) + (state.rechoose == 1 ? ".rechoose()" : ".rechoose_every(" + time(state.period) + ")"));
        if (again) line(s(i) + ".stay_bonus(" + std::to_string(state.stay_bonus) + ")");
        for (auto d : state.dispatch) {
            for (auto& g : d.guards)
                if (again && std::ranges::any_of(g.literals, [](const auto& l) { return l.which == 0; })) g.asks = asks::nothing;
            line(s(i) + "." + choice + "(" + targets(d) + ")" + guards_and_actions(d, local_of(i), true, true) + priority(d) +
                 (chooses ? score(d.score) + cooldown(d.cooldown) : ""));
        }
        for (const auto& d : state.initial) line(s(i) + "." + last + "(" + targets(d) + ")" + guards_and_actions(d, local_of(i), true, true));
    }

    void add_transition(int i, const transition_plan& t) {
        if (t.event > other_far && t.event != anything) return; // event prefixes and automatic events
        const bool does_nothing = t.target == none && t.event == none && t.actions.empty();
        if (does_nothing) return;
        if (t.defers && t.event > other_far) return;
        const bool reacts = t.target == none && t.event == none;
        if (t.defers) return line(s(i) + defer(t.event));
        auto begin = s(i);
        if (t.every.token) begin += ".every(" + time(t.every) + ")";
        if (t.target != none) begin += ".to(" + targets(t) + ")";
        if (reacts && !t.every.token && t.guards.empty()) begin += ".when(always)";
        line(begin + on(t.event) + (t.on_finished ? ".on_finished()" : "") + rest_of(i, t) + (t.after.token ? ".after(" + time(t.after) + ")" : "") +
             (t.labeled ? ".label(\"timed\")" : "") + (t.always ? ".always()" : "") + (t.reenter ? ".reenter()" : "") + (t.force ? ".force()" : "") +
             (t.carry_over || plan_.compile.carry_over ? ".carry_over()" : "") + (t.external && !by_record(i, t) ? ".external()" : ""));
    }
    /// Returns whether the level of an external transition would depend on a record.
    bool by_record(int source, const transition_plan& t) const {
        if (plan_.compile.order != hsm::decision_order::substate_first || t.target == none) return false;
        while (source != none && source != at(t.target).superstate) source = at(source).superstate;
        return source != none && (at(t.target).kind == kind::history || at(t.target).kind == kind::deep_history);
    }
    std::string rest_of(int i, const transition_plan& t) const {
        const bool joins = has_regions_ && !t.joined.empty();
        return guards_and_actions(t, local_of(i), t.target == none, has_regions_) + (joins ? ".in(" + listed(t.joined, "") + ")" : "") +
               (t.excluded.empty() ? "" : ".unless_in(" + listed(t.excluded, "") + ")") + priority(t);
    }
    static std::string time(const time_plan& t) {
        if (t.form == 0) return "hsm::time_span::from_nanoseconds(" + std::to_string(t.ns) + ")";
        return "delay<" + std::to_string(t.token) + ", " + std::to_string(t.bit) + ", " + std::to_string(t.ns) + ">";
    }
    static std::string score(const time_plan& t) {
        if (t.token == 0) return "";
        if (t.form == 0) return ".weight(" + std::to_string(t.ns) + ")";
        return ".score(score<" + std::to_string(t.token) + ", " + std::to_string(t.bit) + ", " + std::to_string(t.ns) + ">)";
    }
    static std::string cooldown(int ns) { return ns ? ".cooldown(hsm::time_span::from_nanoseconds(" + std::to_string(ns) + "))" : ""; }
    template <class Plan> static std::string priority(const Plan& t) { return t.priority ? ".priority(" + std::to_string(t.priority) + ")" : ""; }

    plan plan_;
    bool has_regions_;
    bool in_part_ = false; ///< the current state
    std::string text_;
};

/// Returns whether a state chooses by score or by chance.
bool scores(const plan& p) {
    const auto may_choose = [](kind k) { return k == kind::machine || k == kind::choice; };
    return std::ranges::any_of(p.states, [&](const auto& s) { return may_choose(s.kind) && s.choose != 0 && !s.dispatch.empty(); });
}

/// Returns whether it has transitions on any_event.
bool takes_anything(const plan& p) {
    bool takes = false;
    for (const auto& s : p.states)
        takes |= is_state(s.kind) && std::ranges::any_of(s.transitions, [](const auto& t) { return t.event == anything && !t.defers; });
    return takes;
}

bool has_parallels(const plan& p) {
    return std::ranges::any_of(p.states, [](const auto& s) { return s.kind == kind::parallel; });
}

/// Returns whether a state records the leaves of regions inside it.
bool remembers_regions(const plan& p) {
    bool records = false;
    for (std::size_t s = 0; s < p.states.size(); ++s) {
        if (p.states[s].remembers != 2 && p.states[s].kind != kind::deep_history) continue;
        const int owner = is_state(p.states[s].kind) ? static_cast<int>(s) : p.states[s].superstate;
        for (int i = 0; i < static_cast<int>(p.states.size()); ++i)
            for (int above = i; p.states[static_cast<std::size_t>(i)].kind == kind::parallel && above != none;
                 above = p.states[static_cast<std::size_t>(above)].superstate)
                records |= above == owner;
    }
    return records;
}

/// Returns whether it has locals.
bool counts(const plan& p) {
    return std::ranges::any_of(p.states, [](const auto& s) { return is_state(s.kind) && !s.locals.empty(); });
}

bool defers(const plan& p) {
    return std::ranges::any_of(p.states, [](const auto& s) {
        return is_state(s.kind) && std::ranges::any_of(s.transitions, [](const auto& t) { return t.defers && t.event >= 0 && t.event <= other_far; });
    });
}
/// Returns whether it has states that hold.
bool holds(const plan& p) {
    return std::ranges::any_of(p.states, [](const auto& s) { return is_state(s.kind) && (s.holds || !s.hold_until.empty() || s.least.token); });
}

/// Returns whether it has timers and transitions that are tried after every other.
bool repeats(const plan& p) {
    bool timed = false, always = false;
    for (const auto& s : p.states)
        for (const auto& t : s.transitions) {
            timed |= t.after.token || t.every.token;
            always |= t.always;
        }
    return timed && always;
}

} // namespace

int main(int, char** argv) {
    std::ofstream out(argv[1]);
    const int part = std::atoi(argv[2]), parts = std::atoi(argv[3]), charts = std::atoi(argv[4]);
    out << "#include <tests/constant/random_chart.hpp>\n\nnamespace {\n\n";
    std::string played;
    std::uint64_t seed = 1;
    for (int number = 0; number < charts; ++number, ++seed) {
        auto p = generate(seed, inputs);
        const bool regions = number / parts % 2 == 1;
        const auto suits = [&] {
            return p.states.size() <= most_states && (number % 5 != 4 || scores(p)) && (number % 5 != 3 || repeats(p)) &&
                   (number % 5 != 2 || counts(p)) && (number % 5 != 1 || (regions ? defers(p) : holds(p))) && (!regions || has_parallels(p)) &&
                   (!regions || number % 5 != 0 || remembers_regions(p)) && (!regions || number % 5 != 3 || holds(p)) &&
                   (number % 10 != 2 || takes_anything(p));
        };
        while (!suits()) p = generate(++seed, inputs);
        if (number % parts != part) continue;
        out << "// seed " << seed << "\n" << emitter(std::move(p), regions).run(number);
        played += "    play<chart" + std::to_string(number) + (number / parts / 2 % 2 ? ", true>(" : ", false>(") + std::to_string(seed) +
                  ", inputs" + std::to_string(number) + ");\n";
    }
    out << "} // namespace\n\nTEST_CASE(\"random definitions do the same as constant charts\") {\n" << played << "}\n";
}
