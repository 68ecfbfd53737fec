#include <tests/support/differential/print.hpp>

#include <tests/support/differential/test_context.hpp>

namespace differential {

namespace {

std::string s(int state) { return "s" + std::to_string(state); }
std::string written(const std::vector<int>& states) {
    std::string text;
    for (const auto state : states) text += (text.empty() ? "" : ", ") + s(state);
    return text;
}

template <class T> std::string targets(const T& t) { return s(t.target) + (t.more_targets.empty() ? "" : ", ") + written(t.more_targets); }

std::string p(int place) { return "place::p" + std::to_string(place); }

std::string event(int e) {
    static constexpr const char* names[] = {"hit",
                                            "parcel",
                                            "key::up",
                                            "key::down",
                                            "key::left",
                                            "far_apart::low",
                                            "far_apart::high",
                                            "\"ping\"",
                                            "\"pong\"",
                                            "unexpected",
                                            "hsm::range(key::up, key::left)",
                                            "hsm::any(key::up, key::left)",
                                            "hsm::otherwise<key>()",
                                            "hsm::range(far_apart::low, far_apart::high)",
                                            "hsm::otherwise<far_apart>()",
                                            "hsm::event_prefix(\"ping\")",
                                            "hsm::event_prefix(\"ping.a\")",
                                            "hsm::any(\"other\", hsm::event_prefix(\"pong\"), \"ping.a\")",
                                            "hsm::any_name()",
                                            "\"done.state.s1\"",
                                            "\"done.state.s2\"",
                                            "hsm::event_prefix(\"done.state\")",
                                            "\"error.execution\"",
                                            "hsm::any_event"};
    static_assert(std::size(names) == several_end);
    if (e >= first_unknown) return '"' + std::string(unknown_names[e - first_unknown]) + '"';
    return names[e];
}

std::string condition(int bit) { return bit == none ? "" : "if (bit " + std::to_string(bit) + ") "; }

std::string set_timer(int what) { return "set_timer(timer " + std::to_string(what / 20) + ", change " + std::to_string(what % 20) + ")"; }

std::string written(const act_plan& a) {
    switch (a.does) {
    case act::nothing: return "";
    case act::process: return condition(a.bit) + "process(" + event(a.what) + ")";
    case act::post: return condition(a.bit) + "post(" + event(a.what) + ")";
    case act::change_to: return condition(a.bit) + "change_to(" + s(a.what) + ")";
    case act::change_to_place: return condition(a.bit) + "change_to(" + p(a.what) + ")";
    case act::finish: return condition(a.bit) + "finish()";
    case act::finish_leaf: return condition(a.bit) + "agent.finish()";
    case act::finish_state: return condition(a.bit) + "agent.finish(" + s(a.what) + ")";
    case act::release: return condition(a.bit) + "release()";
    case act::release_state: return condition(a.bit) + "agent.release(" + s(a.what) + ")";
    case act::force_to: return condition(a.bit) + "force_to(" + s(a.what) + ")";
    case act::stop: return condition(a.bit) + "stop()";
    case act::raise: return condition(a.bit) + "throw";
    case act::flip: return condition(a.bit) + "flip bit " + std::to_string(a.what);
    case act::can: return condition(a.bit) + "can(" + event(a.what) + ")";
    case act::look: return condition(a.bit) + "note(is_in(" + s(a.what) + "), leaves(), tags)";
    case act::tick: return condition(a.bit) + "agent.tick/start/decide/drain()";
    case act::set_condition: return condition(a.bit) + "set(c" + std::to_string(a.what) + ")";
    case act::clear_condition: return condition(a.bit) + "clear(c" + std::to_string(a.what) + ")";
    case act::pulse_condition: return condition(a.bit) + "pulse(c" + std::to_string(a.what) + ")";
    case act::set_timer: return condition(a.bit) + set_timer(a.what);
    case act::get_condition: return condition(a.bit) + "note(get(c" + std::to_string(a.what) + "))";
    }
    return "";
}

std::string written(const hook_plan& h) {
    static constexpr const char* forms[] = {"context", "step", "local", "dt or event", "step", "pointer", "enum", "successor"};
    auto text = std::to_string(h.token) + "[" + forms[h.form] + "] {" + written(h.act);
    if (h.next != none) text += " " + condition(h.next_bit) + "return " + (h.form == 6 ? p(h.next) : s(h.next));
    return text + "}";
}

std::string function(const guard_plan& g) {
    auto text = std::to_string(g.token) + ": " + (g.wanted ? "bit " : "no bit ") + std::to_string(g.bit);
    if (g.fault != none) text += ", throws if bit " + std::to_string(g.fault);
    if (g.act.does != act::nothing) text += ", tries {" + written(g.act) + "}";
    return text;
}

std::string asked(const guard_plan& g) {
    const auto l = [&](std::size_t i) { return (g.literals[i].wanted ? "" : "!") + ("c" + std::to_string(g.literals[i].which)); };
    const auto f = "[" + function(g) + "]";
    switch (g.asks) {
    case asks::nothing: return f;
    case asks::one: return l(0);
    case asks::all: return "all(" + l(0) + ", " + l(1) + ")";
    case asks::any: return "any(" + l(0) + ", " + l(1) + ")";
    case asks::no_all: return "no(all(" + l(0) + ", " + l(1) + ", " + l(2) + "))";
    case asks::no_any: return "no(any(" + l(0) + ", " + l(1) + "))";
    case asks::all_with_any: return "all(" + l(0) + ", any(" + l(1) + ", " + l(2) + "))";
    case asks::all_with_guard: return "all(" + l(0) + ", " + f + ", " + l(1) + ")";
    case asks::any_with_guard: return "any(" + l(0) + ", " + f + ", " + l(1) + ")";
    case asks::no_all_with_guard: return "no(all(" + l(0) + ", " + f + "))";
    case asks::any_with_all: return "any(all(" + l(0) + ", " + l(1) + "), all(" + f + ", " + l(2) + "))";
    }
    return "";
}

std::string written(const guard_plan& g) {
    static constexpr const char* writings[] = {"", "/*by index*/", "/*by handle*/"};
    if (g.asks != asks::nothing) return ".when(" + asked(g) + writings[static_cast<int>(g.writing)] + ")";
    if (g.form == 5) return ".when(stateless: bit 0)";
    return ".when(" + function(g) + ")";
}

template <class Choice> std::string rest_of(const Choice& t) {
    std::string text;
    for (const auto& g : t.guards) text += written(g);
    for (const auto& h : t.actions) text += ".then(" + written(h) + ")";
    if (t.priority != 0) text += ".priority(" + std::to_string(t.priority) + ")";
    return text;
}

std::string written(const time_plan& t) {
    if (t.form == 0) return std::to_string(t.ns) + "ns";
    auto text = std::to_string(t.token) + (t.form == 1 ? "[context]: " : "[local]: ") + std::to_string(t.ns) + "ns";
    if (t.bit != none) text += ", twice less 5 if bit " + std::to_string(t.bit);
    if (t.fault != none) text += ", throws if bit " + std::to_string(t.fault);
    return text;
}

std::string written(const transition_plan& t) {
    if (t.defers) return ".defer(" + event(t.event) + ")";
    std::string text;
    if (t.every.token) text += ".every(" + written(t.every) + ")";
    if (t.target != none) text += ".to(" + targets(t) + ")";
    if (t.event != none) text += ".on(" + event(t.event) + ")";
    if (t.on_finished) text += ".on_finished()";
    if (!t.joined.empty()) text += ".in(" + written(t.joined) + ")";
    if (!t.excluded.empty()) text += ".unless_in(" + written(t.excluded) + ")";
    text += rest_of(t);
    if (t.reenter) text += ".reenter()";
    if (t.carry_over) text += ".carry_over()";
    if (t.labeled) text += ".label(\"timed\")";
    if (t.external) text += ".external()";
    if (t.after.token) text += ".after(" + written(t.after) + ")";
    if (t.always) text += ".always()";
    if (t.force) text += ".force()";
    return text;
}

std::string written(const local_plan& l) {
    static constexpr const char* types[] = {"bare", "timer", "heavy"};
    auto text = std::string(".local<") + types[l.type] + ">(" + std::to_string(l.token) + ", " + std::to_string(l.left);
    if (l.fault != none) text += ", copy throws if bit " + std::to_string(l.fault);
    return text + ")";
}

std::string written(const state_plan& state, int number) {
    static constexpr const char* kinds[] = {".add",        ".add_fsm",     ".add_parallel",     ".add_final",
                                            ".add_choice", ".add_history", ".add_deep_history", ".add_previous"};
    auto text = state.superstate == none
                    ? "auto& s0 = root"
                    : "auto& " + s(number) + " = " + s(state.superstate) + kinds[static_cast<int>(state.kind)] + "(\"" + s(number) + "\")";
    if (state.place != none) text += ".identified<" + p(state.place) + ">()";
    if (state.transient) text += ".transient()";
    if (state.choose) text += ".choose(" + std::to_string(state.choose) + ")";
    if (state.rechoose == 1) text += ".rechoose()";
    if (state.rechoose == 2) text += ".rechoose_every(" + written(state.period) + ")";
    if (state.stay_bonus) text += ".stay_bonus(" + std::to_string(state.stay_bonus) + ")";
    for (int tag = 0; tag < tag_count; ++tag)
        if (state.tags >> tag & 1) text += ".tag(\"" + tag_name(tag) + "\")";
    if (state.remembers) text += state.remembers == 1 ? ".remembers()" : ".remembers_deep()";
    if (state.holds) text += ".hold()";
    for (const auto& g : state.hold_until) text += ".hold_until" + written(g).substr(5) + (g.form == 4 ? "/*target*/" : "");
    if (state.least.token) text += ".min_duration(" + written(state.least) + ")";
    if (state.way != 0) text += " /* of another context */";
    for (const auto& l : state.locals) text += written(l);
    for (const auto& h : state.enter) text += "\n    .on_enter(" + written(h) + ")";
    for (const auto& h : state.update) text += "\n    .on_update(" + written(h) + ")";
    for (const auto& h : state.exit) text += "\n    .on_exit(" + written(h) + ")";
    for (const auto& h : state.init) text += "\n    .on_init(" + written(h) + ")";
    for (const auto& h : state.destroy) text += "\n    .on_destroy(" + written(h) + ")";
    for (const auto& h : state.settled) text += "\n    .on_settled(" + written(h) + ")";
    if (state.done_data != none) text += "\n    .done_data(" + std::to_string(state.done_data) + ")";
    for (const auto& h : state.unhandled) text += "\n    .on_unhandled(" + written(h) + ")";
    for (const auto& h : state.leave) text += "\n    .on_leave_requested(" + written(h) + ")";
    for (const auto& h : state.change) text += "\n    .on_change(" + written(h) + ")";
    return text + ";\n";
}

std::string written(const input_plan& in) {
    switch (in.does) {
    case input::start: return "start()";
    case input::stop: return "stop()";
    case input::tick: return "tick(" + std::to_string(in.amount) + "ns)";
    case input::update: return "update(" + std::to_string(in.amount) + "ns)";
    case input::decide: return "decide()";
    case input::drain: return "drain()";
    case input::process: return "process(" + event(in.what) + ")";
    case input::post: return "post(" + event(in.what) + ")";
    case input::can: return "can(" + event(in.what) + ")";
    case input::change_to: return "change_to(" + s(in.what) + ")";
    case input::change_to_place: return "change_to(" + p(in.what) + ")";
    case input::finish: return "finish()";
    case input::finish_state: return "finish(" + s(in.what) + ")";
    case input::release: return "release()";
    case input::release_state: return "release(" + s(in.what) + ")";
    case input::force_to: return "force_to(" + s(in.what) + ")";
    case input::restart: return "restart()";
    case input::destroy: return "destroy()";
    case input::reset: return "reset()";
    case input::set_state: return "set_state(" + s(in.what) + ")";
    case input::pause: return "pause()";
    case input::resume: return "resume()";
    case input::scale: return "set_time_scale(" + std::to_string(in.amount) + " / 100.0)";
    case input::move: return "(moved)";
    case input::clear_conditions: return "clear()";
    case input::set_timer: return set_timer(in.what);
    case input::revive: return "stop() if finished, start()";
    }
    return "";
}

std::string bits(std::uint32_t mask) {
    std::string text;
    for (int b = 0; b < 32; ++b)
        if (mask >> b & 1) text += " " + std::to_string(b);
    return text;
}

} // namespace

std::string print(const plan& plan) {
    std::string text = "// seed " + std::to_string(plan.seed) + (plan.checks_activity ? ", booked\n" : "\n");
    int number = 0;
    for (const auto& c : plan.conditions) {
        const auto name = "c" + std::to_string(number++);
        text += "auto " + name + " = " + (number == 1 ? "is_over" : "root.condition(" + (c.named ? '"' + name + '"' : "")) +
                (c.index == none || number == 1 ? "" : (c.named ? ", " : "") + std::to_string(c.index)) + (number == 1 ? "" : ")") +
                (c.trigger ? ".trigger();\n" : ";\n");
    }
    number = 0;
    for (const auto& state : plan.states) text += written(state, number++);
    number = 0;
    for (const auto& state : plan.states) {
        const bool machine = state.kind == kind::machine;
        const auto entry = s(number) + (machine ? ".dispatch(" : ".to(");
        const auto default_entry = s(number) + (machine ? ".initial(" : ".otherwise(");
        for (const auto& d : state.dispatch)
            text += entry + targets(d) + ")" + rest_of(d) + (d.score.token ? ".score(" + written(d.score) + ")" : "") +
                    (d.cooldown ? ".cooldown(" + std::to_string(d.cooldown) + "ns)" : "") + ";\n";
        for (const auto& i : state.initial) text += default_entry + targets(i) + ")" + rest_of(i) + ";\n";
        for (const auto& t : state.transitions) text += s(number) + written(t) + ";\n";
        ++number;
    }
    text += "compile({";
    text += plan.compile.order == hsm::decision_order::substate_first ? ".order = substate_first, " : "";
    text += plan.compile.entry_times ? "" : ".entry_times = false, ";
    text += plan.compile.carry_over ? ".carry_over = true, " : "";
    text += plan.compile.done_events ? ".done_events = true, " : "";
    text += plan.compile.guard_error.empty() ? "" : ".guard_error = \"error.execution\", ";
    text += plan.compile.remember_finals ? ".remember_finals = true, " : "";
    text += plan.compile.row_memory ? "" : ".row_memory = 0, ";
    if (const auto most = plan.compile.program_memory; most != hsm::compile_options().program_memory)
        text += ".program_memory = " + std::to_string(most) + ", ";
    text += "}); instance({.internal_queue = " + std::to_string(plan.run.internal_queue) +
            ", .posted_queue = " + std::to_string(plan.run.posted_queue) + ", .deferred_queue = " + std::to_string(plan.run.deferred_queue) +
            ", .chain_limit = " + std::to_string(plan.run.chain_limit) + (plan.own_memory ? "}, memory);\n" : "});\n");
    number = 0;
    for (const auto& in : plan.inputs) {
        text += "/* " + std::to_string(number++) + " */ ";
        if (in.flips) text += "flip bits" + bits(in.flips) + "; ";
        if (in.turned) text += "turn conditions" + bits(in.turned) + "; ";
        if (in.pulsed) text += "pulse" + bits(in.pulsed) + "; ";
        if (in.faults) text += "with bits" + bits(in.faults) + ": ";
        text += "agent." + written(in) + ";\n";
    }
    return text;
}

std::string print(const plan& plan, const difference& d) {
    const auto after = print(plan) + "// after input " + std::to_string(d.input);
    if (d.instance == d.reference) return after + ": " + d.instance + "\n";
    return after + "\n// instance:  " + d.instance + "\n// reference: " + d.reference + "\n";
}

} // namespace differential
