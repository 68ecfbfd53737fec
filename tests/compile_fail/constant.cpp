// Constant charts.

#include <hsm/constant/constant_chart.hpp>
#include <hsm/constant/constant_instance.hpp>

// case: constant_action
// expect: HSM-010 at root/b: an action takes a
// at most: 1140
// What the action takes is not known yet.
struct lamp {
    bool lit = false;
};
struct press {
    bool hard = false;
};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).template on<press>();
#ifdef HSM_CORRECTED
    b.to(a).template on<press>().then([](lamp& l, const press& p) { l.lit = p.hard; });
#else
    b.to(a).then([](lamp& l, const press& p) { l.lit = p.hard; }).template on<press>();
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_init
// expect: HSM-010 at root/a: an on_init hook takes a
// at most: 1140
// No state is active when on_init runs.
struct lamp {};
struct wire {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a").template local<wire>();
#ifdef HSM_CORRECTED
    a.on_enter([](lamp&, wire&) {});
#else
    a.on_init([](lamp&, wire&) {});
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
}

// case: constant_after
// expect: hsm: a delay of a constant chart is a time, or a callable without captures
// at most: 1140
// A delay takes only the context.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
#ifdef HSM_CORRECTED
    a.to(b).after([](const lamp& l) { return l.lit ? 1.0 : 2.0; });
#else
    const double time = 1.0;
    a.to(b).after([time](const lamp&) { return time; });
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_batch_score
// expect: hsm: a score of a constant chart takes only the context
// at most: 1140
// A constant instance has one context.
struct robot {
    double energy = 1;
};

constexpr auto chart = hsm::constant_chart<robot>([](auto& root) {
    root.choose(hsm::best);
#ifdef HSM_CORRECTED
    root.dispatch(root.add("work")).score([](const robot& r) { return r.energy; });
#else
    root.dispatch(root.add("work")).score([](hsm::scores<robot>& some) { some.set(0, 1); });
#endif
    root.dispatch(root.add("rest")).weight(0.5);
});

int main() {
    robot r;
    hsm::constant_instance<chart> agent(r);
    agent.start();
}

// case: constant_capture
// expect: hsm: a hook of a constant chart cannot have captures
// at most: 1140
// A capture would have to lie somewhere.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](lamp& l) { l.lit = true; });
#else
    a.on_enter([lit = true](lamp& l) { l.lit = lit; });
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_dispatch_outside
// expect: HSM-006 at root/m: dispatch names
// expect: 'root/a', which is not below it
// at most: 1140
// A choice that leads out of its machine.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    root.add("a");
    auto& m = root.add_fsm("m");
    m.add("x");
#ifdef HSM_CORRECTED
    m.dispatch("x");
#else
    m.dispatch("a");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_duplicate_name
// expect: HSM-004 at root: more than one substate is named
// expect: 'b'
// at most: 1140
// Two states of one name.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    root.add("a");
    root.add("b");
#ifdef HSM_CORRECTED
    root.add("c");
#else
    root.add("b");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_empty_range
// expect: HSM-031
// expect: a transition waits for a range of events whose last value is less than the first
// A range the wrong way round.
struct reader {
    int letters = 0;
};

constexpr auto chart = hsm::constant_chart<reader>([](hsm::constant_fsm<reader>& root) {
#ifdef HSM_CORRECTED
    root.add("a").on(hsm::range('a', 'z'));
#else
    root.add("a").on(hsm::range('z', 'a'));
#endif
});

int main() {
    reader r;
    hsm::constant_instance<chart> agent(r);
    agent.start();
    agent.process('b');
}

// case: constant_every_event
// expect: HSM-021 at root/a: a transition has every() and the event
// at most: 1140
// A periodic reaction does not wait for an event.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
#ifdef HSM_CORRECTED
    a.every(1.0).then([](lamp&) {});
#else
    a.every(1.0).on(key::on).then([](lamp&) {});
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_every_zero
// expect: HSM-020 at root/a: the time of every is not positive
// at most: 1140
// A period is positive.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
#ifdef HSM_CORRECTED
    a.every(1.0).then([](lamp&) {});
#else
    a.every(0.0).then([](lamp&) {});
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_generic_context_by_value
// expect: take the context by reference
// As in a chart that is made at run time.
struct hero {
    int health = 3;
};

constexpr auto chart = hsm::constant_chart<hero>([](auto& root) {
    auto& a = root.add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](auto& h) { h.health = 0; });
#else
    a.on_enter([](auto h) { h.health = 0; });
#endif
});

int main() {
    hero h;
    hsm::constant_instance<chart> agent(h);
    agent.start();
}

// case: constant_guard_capture
// expect: hsm: a guard of a constant chart cannot have captures
// at most: 1140
// An instance has no memory for captures.
struct lamp {
    bool lit = false;
};
struct press {
    bool hard = false;
};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).template on<press>();
#ifdef HSM_CORRECTED
    b.to(a).when(&lamp::lit);
#else
    b.to(a).when([lit = true](const lamp& l) { return l.lit == lit; });
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_condition_name
// expect: HSM-027 at root/a: the name of a condition begins with
// at most: 15 lines
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
#ifdef HSM_CORRECTED
    a.to(root.add("b")).when("!IsLit");
#else
    a.to(root.add("b")).when("!!IsLit");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
}

// case: constant_join
// expect: HSM-024 at root/a: a join waits for
// at most: 15 lines
// A join names states of different regions.
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
#ifdef HSM_CORRECTED
    a.to(b).in(root);
#else
    a.to(b).in(b);
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
}

// case: constant_label_unknown
// expect: no_transition_with_a_time_has_this_label
// at most: 15 lines
// A call names a label that no transition with a time has.
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    a.to(root.add("b")).after(1.0).label("glow");
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
#ifdef HSM_CORRECTED
    agent.cancel_timer("glow");
#else
    agent.cancel_timer("glo");
#endif
}

// case: constant_condition_empty
// expect: HSM-027 at root: a condition has an empty name
// at most: 15 lines
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
#ifdef HSM_CORRECTED
    a.to(root.add("b")).when(root.condition());
#else
    a.to(root.add("b")).when(root.condition(""));
#endif
});

int main() {}

// case: constant_condition_empty_in_call
// expect: there_is_no_such_condition_in_the_chart
// at most: 15 lines
// A condition without a name is found only by its index.
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    a.to(root.add("b")).when(7);
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
#ifdef HSM_CORRECTED
    agent.set(7);
#else
    agent.set("");
#endif
}

// case: constant_condition_unknown
// expect: there_is_no_such_condition_in_the_chart
// at most: 15 lines
// A call names a condition that the chart does not use.
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    a.to(root.add("b")).when("IsLit");
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
#ifdef HSM_CORRECTED
    agent.set("IsLit");
#else
    agent.set("IsLt");
#endif
}

// case: constant_guard_no
// expect: hsm: a guard of a constant chart cannot have captures
// at most: 1140
// Within a composed guard.
struct lamp {
    bool lit = false;
};
struct press {
    bool hard = false;
};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).template on<press>();
#ifdef HSM_CORRECTED
    b.to(a).when(hsm::no([](const lamp& l) { return l.lit; }));
#else
    b.to(a).when(hsm::no([lit = true](const lamp&) { return lit; }));
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_history
// expect: HSM-022 at root/m/y: the defaults of history states form a cycle
// at most: 1140
// A history state that leads to itself.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& m = root.add_fsm("m");
    m.add("x");
#ifdef HSM_CORRECTED
    m.add_history("y").otherwise("x");
#else
    m.add_history("y").otherwise("y");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_tags
// expect: no_state_of_the_chart_has_this_tag
// at most: 1140
// A tag that no state has.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& m = root.add_fsm("m").tag("slow");
    m.add("x");
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
#ifdef HSM_CORRECTED
    agent.is_in(hsm::tag("slow"));
#else
    agent.is_in(hsm::tag("slov"));
#endif
}

// case: constant_triggers
// expect: this_condition_is_not_a_trigger
// at most: 1140
// A condition that is not a trigger.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    root.condition("on").trigger();
    a.to(b).when("on").when("dark");
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
#ifdef HSM_CORRECTED
    agent.trigger("on");
#else
    agent.trigger("dark");
#endif
}

// case: constant_release_without_holds
// expect: hsm: no state of this constant chart holds
// at most: 15 lines
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) { root.add("a"); });

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
#ifdef HSM_CORRECTED
    agent.stop();
#else
    agent.release();
#endif
}

// case: constant_trigger_without_triggers
// expect: hsm: this constant chart has no triggers
// at most: 15 lines
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) { root.add("a"); });

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
#ifdef HSM_CORRECTED
    agent.stop();
#else
    agent.trigger("Hit");
#endif
}

// case: constant_set_without_conditions
// expect: hsm: the transitions of this constant chart require no conditions
// at most: 15 lines
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) { root.add("a"); });

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
#ifdef HSM_CORRECTED
    agent.stop();
#else
    agent.set("Hit");
#endif
}

// case: constant_pulse_without_option
// expect: constant_chart_options::pulses
// at most: 15 lines
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) { root.add("a").to(root.add("b")).when("Hit"); });

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
#ifdef HSM_CORRECTED
    agent.set("Hit");
#else
    agent.pulse("Hit");
#endif
}

// case: constant_entry_times_without_option
// expect: constant_chart_options::entry_times
// at most: 15 lines
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) { root.add("a"); });

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
#ifdef HSM_CORRECTED
    agent.stop();
#else
    agent.time_in_state("a");
#endif
}

// case: constant_initial_outside
// expect: HSM-005 at root/m: initial names
// expect: 'root/a', which is not below it
// at most: 1140
// An initial state outside its machine.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    [[maybe_unused]] auto& a = root.add("a");
    auto& m = root.add_fsm("m");
    [[maybe_unused]] auto& x = m.add("x");
#ifdef HSM_CORRECTED
    m.initial(x);
#else
    m.initial(a);
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_key
// expect: there_is_no_such_state_in_the_chart
// at most: 1140
// A misspelt name in a question.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    root.add("a");
    root.add("b");
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
#ifdef HSM_CORRECTED
    return agent.is_in("b");
#else
    return agent.is_in("bb");
#endif
}

// case: constant_key_ambiguous
// expect: several_states_of_the_chart_are_named_so
// A name that is the end of two paths.
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    root.add_fsm("a").add("idle");
    root.add_fsm("b").add("idle");
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
#ifdef HSM_CORRECTED
    return agent.is_in("b/idle");
#else
    return agent.is_in("idle");
#endif
}

// case: constant_leaves_final
// expect: HSM-013 at root/end: a final state cannot have transitions or reactions
// at most: 1140
// A final state is not left.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& end = root.add_final("end");
#ifdef HSM_CORRECTED
    a.to(end);
#else
    end.to(a);
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_change
// expect: hsm: on_change of a constant chart takes a callable without captures
// at most: 1140
// It takes the leaves before and after the transition.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b);
#ifdef HSM_CORRECTED
    root.on_change([](lamp& l, auto from, auto to, hsm::reason) { l.lit = from.name() != to.name(); });
#else
    root.on_change([](lamp& l) { l.lit = true; });
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_local
// expect: hsm: a local of a constant chart is a class whose constructor takes no arguments
// at most: 1140
// There is no memory for a prototype.
struct lamp {
    bool lit = false;
};
struct press {};
struct on_off {
    bool on = false;
};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b);
#ifdef HSM_CORRECTED
    a.template local<on_off>();
#else
    a.template local<on_off>(true);
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_local_twice
// expect: HSM-011 at root/a: the state has two locals of type
// at most: 1140
// Hooks find a local by its type.
struct lamp {
    bool lit = false;
};
struct press {};
struct on_off {
    bool on = false;
};
constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).template on<press>();
#ifdef HSM_CORRECTED
    a.template local<on_off>();
#else
    a.template local<on_off>().template local<on_off>();
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_defer_uncopyable
// expect: hsm: this event cannot be copied, so it cannot be deferred
// at most: 1140
// A deferred event is a copy.
struct lamp {
    bool lit = false;
};
struct press {};
struct handle {
    handle() = default;
    handle(handle&&) = default;
};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).template on<press>();
#ifdef HSM_CORRECTED
    b.template defer<press>();
#else
    b.template defer<handle>();
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_machine_hook
// expect: hsm: a hook of a constant chart cannot have captures
// at most: 1140
// The hooks of machines are no different.
struct lamp {
    bool lit = false;
};
struct press {
    bool hard = false;
};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).template on<press>();
#ifdef HSM_CORRECTED
    root.add_fsm("m").on_exit([](lamp& l) { l.lit = true; }).add("inner");
#else
    root.add_fsm("m").on_exit([lit = true](lamp& l) { l.lit = lit; }).add("inner");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_undecided_choice
// expect: HSM-019 at root/c: each branch of the choice has a guard
// at most: 1140
// A choice that cannot be left.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    auto& c = root.add_choice("c");
    c.to(a).when(&lamp::lit);
#ifdef HSM_CORRECTED
    c.otherwise(a);
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_no_substates
// expect: HSM-002 at root/m: the machine has no substates
// at most: 1140
// A machine that cannot go anywhere.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
#ifdef HSM_CORRECTED
    root.add_fsm("m").add("x");
#else
    root.add_fsm("m");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_not_evaluated
// expect: hsm: the compiler cannot evaluate this definition of a constant chart
// A definition that asks for something at run time.
struct lamp {};
struct press {};

#ifdef HSM_CORRECTED
constexpr int level() { return 3; }
#else
int level();
#endif

constexpr auto chart = hsm::constant_chart<lamp>([](hsm::constant_fsm<lamp>& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    if (level() > 2) a.to(b).on<press>();
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
}

// case: constant_step
// expect: hsm: a hook of a constant chart cannot have captures
// at most: 1140
// There is no step.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
#ifdef HSM_CORRECTED
    a.on_enter([](lamp&) {});
#else
    a.on_enter([](lamp&, hsm::step<lamp>&) {});
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_successor
// expect: hsm: an update of a constant chart must return nothing
// at most: 1140
// An update that names the next state.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
#ifdef HSM_CORRECTED
    a.on_update([](lamp&) {});
#else
    a.on_update([](lamp&) { return key::on; });
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_unknown_state
// expect: HSM-007 at root/a: a transition names
// expect: 'bb', but this state does not exist
// at most: 1140
// A misspelt target.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    root.add("b");
#ifdef HSM_CORRECTED
    a.to("b").on(key::on);
#else
    a.to("bb").on(key::on);
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_without_template
// expect: template
// at most: 25 lines
// In a lambda that takes auto&, `on<press>` needs the word template; in one that takes the class it does not.
struct lamp {};
struct press {};

#ifdef HSM_CORRECTED
constexpr auto chart = hsm::constant_chart<lamp>([](hsm::constant_fsm<lamp>& root) {
#else
constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
#endif
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).on<press>();
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
}

// case: constant_rechoose
// expect: HSM-060 at root/m: the machine chooses again (rechoose), but the first candidate is always chosen
// at most: 1140
// The first candidate is always the same one.
struct lamp {};

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
#ifdef HSM_CORRECTED
    auto& m = root.add_fsm("m").choose(hsm::best).rechoose();
#else
    auto& m = root.add_fsm("m").rechoose();
#endif
    m.dispatch(m.add("x"));
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
}

// case: constant_defer_several
// expect: hsm: defer takes a type or one value
// at most: 16 lines
// Each call of defer sets one event.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    a.template on<press>().then([](lamp&) {});
#ifdef HSM_CORRECTED
    a.defer(key::on).defer(key::off);
#else
    a.defer(hsm::any(key::on, key::off));
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_defer_name
// expect: hsm: defer takes a type or one value
// at most: 16 lines
// Events of a constant chart have types.
struct lamp {
    bool lit = false;
};
struct press {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& a = root.add("a");
    a.template on<press>().then([](lamp&) {});
#ifdef HSM_CORRECTED
    a.defer(key::on);
#else
    a.defer("on");
#endif
});

int main() {
    lamp l;
    hsm::constant_instance<chart> agent(l);
    agent.start();
    agent.process(press{});
}

// case: constant_post_without_queue
// expect: hsm: this constant instance has no queue for post
// at most: 15 lines
// An instance has a queue for posted events only if its type has one.
struct lamp {};
enum class key { on, off };

constexpr auto chart = hsm::constant_chart<lamp>([](auto& root) { root.add("a").on(key::on); });

int main() {
    lamp l;
#ifdef HSM_CORRECTED
    hsm::constant_instance<chart, hsm::queue<0, 4>> agent(l);
#else
    hsm::constant_instance<chart> agent(l);
#endif
    agent.start();
    agent.post(key::on);
}
