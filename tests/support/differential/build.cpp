#include <tests/support/differential/build.hpp>

#include <hsm/save/serialize.hpp>
#include <tests/support/differential/conditions.hpp>
#include <tests/support/differential/hooks.hpp>

#include <optional>
#include <stdexcept>
#include <type_traits>

namespace differential {

namespace {

class builder {
public:
    explicit builder(const plan& p) : plan_(p), nodes_(p.states.size()) {}

    hsm::owned<hsm::fsm<test_context>> run() {
        auto root = hsm::make_fsm<test_context>(plan_.prefix + "0");
        hsm::serializes<parcel, bare, heavy, timer<test_context>, timer<part>>(*root);
        nodes_[0] = root.get();
        conditions_.emplace(plan_, *root);
        grow(static_cast<hsm::fsm<test_context>&>(*root), 0);
        for (int s = 0; s < count(); ++s) {
            if (in_part(s))
                fill<part>(s);
            else
                fill<test_context>(s);
        }
        return root;
    }

private:
    int count() const { return static_cast<int>(plan_.states.size()); }
    const state_plan& at(int s) const { return plan_.states[static_cast<std::size_t>(s)]; }
    hsm::state_base& node(int s) const { return *nodes_[static_cast<std::size_t>(s)]; }

    /// Returns whether the state works on a part of the world. Each way leads from the world into a part of it, or back.
    bool in_part(int s) const {
        bool inside = false;
        for (; s != none; s = at(s).superstate) inside ^= at(s).way != 0;
        return inside;
    }

    // --- the tree ---

    /// `Node` is an fsm or a parallel.
    template <class Node> void grow(Node& node, int number) {
        using C = typename Node::context_type;
        for (int s = number + 1; s < count(); ++s) {
            if (at(s).superstate != number) continue;
            const auto name = at(s).name.empty() ? plan_.prefix + std::to_string(s) : at(s).name;
            auto*& made = nodes_[static_cast<std::size_t>(s)];
            switch (at(s).kind) {
            case kind::leaf: made = &node.add(name); break;
            case kind::history: made = &node.add_history(name); break;
            case kind::deep_history: made = &node.add_deep_history(name); break;
            case kind::machine: grow_composite<hsm::fsm>(node, s, name); break;
            case kind::parallel: grow_composite<hsm::parallel>(node, s, name); break;
            case kind::final:
            case kind::choice:
            case kind::previous:
                if constexpr (std::is_base_of_v<hsm::fsm<C>, Node>) {
                    if (at(s).kind == kind::final)
                        made = &node.add_final(name);
                    else if (at(s).kind == kind::previous)
                        made = &node.add_previous(name);
                    else
                        made = &node.add_choice(name);
                } else {
                    throw std::logic_error("a region that cannot be one");
                }
            }
        }
    }

    template <template <class> class Kind, class Node> void grow_composite(Node& above, int s, const std::string& name) {
        using C = typename Node::context_type;
        const auto go_on = [&]<class Inner>(Kind<Inner>& node) {
            nodes_[static_cast<std::size_t>(s)] = &node;
            grow(node, s);
        };
        if (at(s).way == 0) {
            if constexpr (std::is_same_v<Kind<C>, hsm::fsm<C>>)
                go_on(above.add_fsm(name));
            else
                go_on(above.add_parallel(name));
        } else if constexpr (std::is_same_v<C, part>) {
            go_on(static_cast<Kind<test_context>&>(
                above.template add<nested<Kind<test_context>>>([](part& p) -> test_context& { return *p.whole; }, name)));
        } else {
            go_on(
                static_cast<Kind<part>&>(above.template add<nested<Kind<part>>>(at(s).way == 1 ? &test_context::left : &test_context::right, name)));
        }
    }

    // --- a state ---

    template <class C> void fill(int number) {
        const auto& s = at(number);
        if (!is_state(s.kind)) return fill_pseudo<C>(number);
        auto& state = static_cast<hsm::state<C>&>(node(number));
        if (s.place == 0) state.template identified<place::p0>();
        if (s.place == 1) state.template identified<place::p1>();
        if (s.place == 2) state.template identified<place::p2>();
        if (s.place == 3) state.template identified<place::p3>();
        if (s.transient) state.transient();
        for (int tag = 0; tag < tag_count; ++tag)
            if (s.tags >> tag & 1) state.tag(tag_name(tag));
        if (plan_.checks_activity)
            state.on_exit([number](C& c) {
                if (!whole(c).silent) whole(c).kept.exited(number);
            });
        for (const auto& l : s.locals) add_local<C>(state, l);
        for (const auto& h : s.enter) add_hook<C>("E", h, number, [&](auto f) { state.on_enter(f); });
        if (plan_.checks_activity)
            state.on_enter([number](C& c) {
                if (!whole(c).silent) whole(c).kept.entered(number);
            });
        for (const auto& h : s.exit) add_hook<C>("X", h, number, [&](auto f) { state.on_exit(f); });
        for (const auto& h : s.update) add_update<C>(state, h, number);
        for (const auto& h : s.init) add_hook<C>("I", h, none, [&](auto f) { state.on_init(f); });
        for (const auto& h : s.destroy) add_hook<C>("D", h, none, [&](auto f) { state.on_destroy(f); });
        if (s.done_data != none)
            state.done_data([data = s.done_data](C& c) {
                if (!whole(c).silent) whole(c).note("dd" + std::to_string(data));
                return hsm::event_data(data);
            });
        if (s.holds) state.hold();
        for (const auto& g : s.hold_until) add_hold<C>(state, g, number);
        if (s.least.token) with_time<C>(s.least, number, [&](auto t) { state.min_duration(t); });
        if (s.holds || !s.hold_until.empty() || s.least.token)
            for (const auto& h : s.leave) add_hook<C>("L", h, number, [&](auto f) { state.on_leave_requested(f); });
        for (const auto& t : s.transitions) add_transition<C>(state, t, number);
        if (s.kind == kind::machine) fill_machine<C>(static_cast<hsm::fsm<C>&>(state), number);
        if (s.kind == kind::parallel) fill_parallel<C>(static_cast<hsm::parallel<C>&>(state), number);
    }

    template <class C> void fill_pseudo(int number) {
        const auto& s = at(number);
        const auto machine = s.superstate;
        if (s.kind == kind::choice) {
            auto& choice = static_cast<hsm::choice<C>&>(node(number));
            if (!s.dispatch.empty()) choice.choose(static_cast<hsm::choosing>(s.choose));
            for (const auto& b : s.dispatch) {
                auto branch = aim(b, choice.transitions(), [&](const auto&... to) { return choice.to(to...); }).priority(b.priority);
                for (const auto& g : b.guards) add_guard<C>(branch, g, number);
                if (s.choose) add_score<C>(branch, b, number);
                for (const auto& h : b.actions) add_hook<C>("A", h, none, [&](auto f) { branch.then(f); });
            }
            for (const auto& i : s.initial) {
                auto otherwise = aim(i, choice.transitions(), [&](const auto&... to) { return choice.otherwise(to...); });
                for (const auto& h : i.actions) add_hook<C>("A", h, none, [&](auto f) { otherwise.then(f); });
            }
        } else {
            auto& history = static_cast<hsm::history<C>&>(node(number));
            for (const auto& i : s.initial) {
                auto otherwise = aim(i, history.initials(), [&](const auto&... to) { return history.otherwise(to...); });
                for (const auto& h : i.actions) add_hook<C>("A", h, machine, [&](auto f) { otherwise.then(f); });
            }
        }
    }

    template <class C> void add_hold(hsm::state<C>& state, const guard_plan& g, int number) {
        if (g.asks != asks::nothing)
            conditions_->ask(
                g, [&g](const C& c) { return ask(g, c); }, [&](auto when) { state.hold_until(when); });
        else if (g.form == 4)
            state.hold_until([&g](const C& c, hsm::state_ref target) {
                if (!whole(c).silent) whole(c).note("h>" + differential::number(target));
                return ask(g, c);
            });
        else if (g.form == 3 && has_bare(number))
            state.hold_until([&g](const bare& b, const C& c) {
                whole(c).note("hb" + std::to_string(b.value));
                return ask(g, c);
            });
        else
            state.hold_until([&g](const C& c) { return ask(g, c); });
    }

    /// Calls f with a duration, or with a callable that returns one.
    template <class C, class F> void with_time(const time_plan& t, int source, F f) {
        const auto found = [&t](const C& c) {
            auto& w = whole(c);
            if (!w.silent) w.note("T" + std::to_string(t.token) + side(c) + seen(w));
            if (t.fault != none && w.has(t.fault)) throw fault(t.token);
            return hsm::time_span::from_nanoseconds(t.bit != none && w.has(t.bit) ? 2 * t.ns - 5 : t.ns);
        };
        if (t.form == 0) return f(hsm::time_span::from_nanoseconds(t.ns));
        if (t.form == 2 && has_bare(source)) return f([found](const bare&, const C& c) { return found(c); });
        f(found);
    }

    template <class C> void add_score(const hsm::entry_choice<C>& to, const choice_plan& choice, int source) {
        const auto& t = choice.score;
        if (choice.cooldown) to.cooldown(hsm::time_span::from_nanoseconds(choice.cooldown));
        if (t.token == 0) return;
        const bool by_many = t.token % 3 == 0; // called at other times, also for candidates whose guards refuse: it leaves no notes
        const auto found = [&t, by_many](const C& c) {
            const auto& w = whole(c);
            if (!w.silent && !by_many) w.note("V" + std::to_string(t.token) + side(c) + seen(w));
            if (t.fault != none && w.has(t.fault)) throw fault(t.token);
            return t.bit != none && w.has(t.bit) ? 2.0 * t.ns - 5 : t.ns;
        };
        if (t.form == 0)
            to.weight(t.ns);
        else if (by_many)
            to.score([found](hsm::scores<C>& some) {
                for (std::size_t i = 0; i < some.size(); ++i) some.set(i, found(some[i]));
            });
        else if (t.form == 2 && has_bare(source))
            to.score([found](const bare&, const C& c) { return found(c); });
        else
            to.score(found);
    }

    template <class C> void fill_machine(hsm::fsm<C>& machine, int number) {
        for (const auto& h : at(number).change)
            machine.on_change([&h](C& c, hsm::state_ref from, hsm::state_ref to, hsm::reason why) {
                if (whole(c).silent) return perform(h, whole(c), by_agent{*whole(c).self});
                const auto move = " " + differential::number(from) + ">" + differential::number(to) + " " + std::string(to_string(why));
                plain_hook("C", h, c, move);
            });
        for (const auto& h : at(number).unhandled) add_hook<C>("N", h, number, [&](auto f) { machine.on_unhandled(f); });
        for (const auto& h : at(number).settled) add_hook<C>("S", h, number, [&](auto f) { machine.on_settled(f); });
        if (!at(number).dispatch.empty() && at(number).choose) {
            const auto& s = at(number);
            machine.choose(static_cast<hsm::choosing>(s.choose));
            if (s.rechoose == 1) machine.rechoose();
            if (s.rechoose == 2 && s.period.token) with_time<C>(s.period, number, [&](auto time) { machine.rechoose_every(time); });
            if (s.rechoose == 1 || (s.rechoose == 2 && s.period.token)) machine.stay_bonus(s.stay_bonus);
        }
        if (at(number).remembers == 1) machine.remembers();
        if (at(number).remembers == 2) machine.remembers_deep();
        for (const auto& d : at(number).dispatch) {
            auto choice = aim(d, machine.choices(), [&](const auto&... to) { return machine.dispatch(to...); }).priority(d.priority);
            for (const auto& g : d.guards) add_guard<C>(choice, g, number);
            if (at(number).choose) add_score<C>(choice, d, number);
            for (const auto& h : d.actions) add_hook<C>("A", h, number, [&](auto f) { choice.then(f); });
        }
        for (const auto& i : at(number).initial) {
            auto choice = aim(i, machine.initials(), [&](const auto&... to) { return machine.initial(to...); });
            for (const auto& h : i.actions) add_hook<C>("A", h, number, [&](auto f) { choice.then(f); });
        }
    }

    template <class C> void fill_parallel(hsm::parallel<C>& parallel, int number) {
        for (const auto& h : at(number).unhandled) add_hook<C>("N", h, number, [&](auto f) { parallel.on_unhandled(f); });
        if (at(number).remembers) parallel.remembers_deep();
    }

    template <class C> void add_local(hsm::state<C>& state, const local_plan& l) {
        switch (l.type) {
        case bare_type: state.template local<bare>(counted(l.token, l.fault), l.left); break;
        case timer_type: state.template local<timer<C>>(counted(l.token, l.fault), l.left); break;
        default: state.template local<heavy>(counted(l.token, l.fault)); break;
        }
    }

    bool has_bare(int s) const {
        for (; s != none; s = at(s).superstate)
            for (const auto& l : at(s).locals)
                if (l.type == bare_type) return true;
        return false;
    }

    // --- hooks: `where` is the state from which locals are looked up, or none ---

    template <class C, class Add> void add_hook(const char* kind, const hook_plan& h, int where, Add add) {
        switch (h.form) {
        case 0:
            if (h.act.does == act::nothing && h.token % 4 == 0) return add([](C& c) { whole(c).note("stateless"); });
            return add([kind, &h](C& c) { plain_hook(kind, h, c); });
        case 2:
            if (has_bare(where)) return add([kind, &h](bare& b, C& c) { plain_hook(kind, h, c, " b" + std::to_string(++b.value)); });
            [[fallthrough]];
        default: return add([kind, &h](C& c, hsm::step<C>& s) { step_hook(kind, h, c, s); });
        }
    }

    template <class C> void add_update(hsm::state<C>& state, const hook_plan& h, int where) {
        const auto wants = [](const hook_plan& hook, const C& c) { return hook.next != none && whole(c).has(hook.next_bit); };
        // by number, because it may have to be found in another definition of the same plan
        const auto node_of = [](const hook_plan& hook, const C& c) { return &whole(c).self->node(hook.next); };
        switch (h.form) {
        case 3:
            state.on_update([&h](C& c, float seconds) {
                plain_hook("U", h, c, whole(c).silent ? "" : " s" + std::to_string(static_cast<double>(seconds) * 1e9));
            });
            break;
        case 5:
            state.on_update([&h, node_of, wants](C& c) -> const hsm::state_base* {
                plain_hook("U", h, c);
                return wants(h, c) ? node_of(h, c) : nullptr;
            });
            break;
        case 6:
            state.on_update([&h, wants](C& c) {
                plain_hook("U", h, c);
                return wants(h, c) ? std::optional(static_cast<place>(h.next)) : std::nullopt;
            });
            break;
        case 7:
            state.on_update([&h, node_of, wants](C& c, hsm::step<C>& s) {
                step_hook("U", h, c, s);
                return wants(h, c) ? hsm::successor(node_of(h, c)) : hsm::successor();
            });
            break;
        default: add_hook<C>("U", h, where, [&](auto f) { state.on_update(f); });
        }
    }

    // --- transitions ---

    template <class C, class T> void add_guard(T& t, const guard_plan& g, int source) {
        const auto holds = [&g](const C& c) { return ask(g, c); };
        if (g.asks != asks::nothing) return conditions_->ask(g, holds, [&](auto when) { t.when(when); });
        switch (g.form) {
        case 1: t.when(hsm::no(hsm::no(holds))); break;
        case 2: t.when(hsm::all([](const C&) { return true; }, holds)); break;
        case 5:
            t.when([](const C& c) {
                whole(c).note("g");
                return whole(c).has(0);
            });
            break;
        case 3:
            if (has_bare(source)) {
                t.when([&g](const bare& b, const C& c) {
                    whole(c).note("b" + std::to_string(b.value));
                    return ask(g, c);
                });
                break;
            }
            [[fallthrough]];
        default: t.when(holds);
        }
    }

    template <class C> void add_transition(hsm::state<C>& state, const transition_plan& t, int source) {
        if (t.defers) return add_deferral(state, t.event);
        switch (t.event) {
        case none: return add_polled<C>(state, t, source);
        case 0: return add_event<C, hit>(begin(state, t, [](auto x) { return x.template on<hit>(); }), t, source);
        case 1: return add_event<C, parcel>(begin(state, t, [](auto x) { return x.template on<parcel>(); }), t, source);
        case 2: return add_event<C, key>(begin(state, t, [](auto x) { return x.on(key::up); }), t, source);
        case 3: return add_event<C, key>(begin(state, t, [](auto x) { return x.on(key::down); }), t, source);
        case 4: return add_event<C, key>(begin(state, t, [](auto x) { return x.template on<key::left>(); }), t, source);
        case 5: return add_event<C, far_apart>(begin(state, t, [](auto x) { return x.on(far_apart::low); }), t, source);
        case 6: return add_event<C, far_apart>(begin(state, t, [](auto x) { return x.on(far_apart::high); }), t, source);
        case every_key: return add_event<C, key>(begin(state, t, [](auto x) { return x.on(hsm::range(key::up, key::left)); }), t, source);
        case outer_keys: return add_event<C, key>(begin(state, t, [](auto x) { return x.on(hsm::any(key::up, key::left)); }), t, source);
        case other_keys: return add_event<C, key>(begin(state, t, [](auto x) { return x.on(hsm::otherwise<key>()); }), t, source);
        case far_range:
            return add_event<C, far_apart>(begin(state, t, [](auto x) { return x.on(hsm::range(far_apart::low, far_apart::high)); }), t, source);
        case other_far: return add_event<C, far_apart>(begin(state, t, [](auto x) { return x.on(hsm::otherwise<far_apart>()); }), t, source);
        case ping_names: return add_event<C, hsm::named_event>(begin(state, t, [](auto x) { return x.on(hsm::event_prefix("ping")); }), t, source);
        case long_ping_names: return add_event<C, void>(begin(state, t, [](auto x) { return x.on(hsm::event_prefix("ping.a")); }), t, source);
        case some_names:
            return add_event<C, void>(begin(state, t, [](auto x) { return x.on(hsm::any("other", hsm::event_prefix("pong"), "ping.a")); }), t,
                                      source);
        case all_names: return add_event<C, hsm::named_event>(begin(state, t, [](auto x) { return x.on(hsm::any_name()); }), t, source);
        case done_of_first: return add_event<C, void>(begin(state, t, [](auto x) { return x.on("done.state.s1"); }), t, source);
        case done_of_second: return add_event<C, hsm::named_event>(begin(state, t, [](auto x) { return x.on("done.state.s2"); }), t, source);
        case all_done: return add_event<C, void>(begin(state, t, [](auto x) { return x.on(hsm::event_prefix("done.state")); }), t, source);
        case guard_errors: return add_event<C, void>(begin(state, t, [](auto x) { return x.on("error.execution"); }), t, source);
        case anything: return add_event<C, void>(begin(state, t, [](auto x) { return x.on(hsm::any_event); }), t, source);
        default: return add_event<C, void>(begin(state, t, [&](auto x) { return x.on(t.event == 7 ? "ping" : "pong"); }), t, source);
        }
    }

    template <class C> void add_deferral(hsm::state<C>& state, int event) {
        switch (event) {
        case 0: state.template defer<hit>(); break;
        case 1: state.template defer<parcel>(); break;
        case 2: state.defer(key::up); break;
        case 3: state.defer(key::down); break;
        case 4: state.template defer<key::left>(); break;
        case 5: state.defer(far_apart::low); break;
        case 6: state.defer(far_apart::high); break;
        default: state.defer(event == 7 ? "ping" : "pong");
        }
    }

    /// Calls f with the first three targets; the object that it returns gets the others.
    template <class T, class List, class F> auto aim(const T& t, const List& list, F f) {
        const auto& more = t.more_targets;
        auto made = more.empty()       ? f(node(t.target))
                    : more.size() == 1 ? f(node(t.target), node(more[0]))
                                       : f(node(t.target), node(more[0]), node(more[1]));
        for (std::size_t i = 2; i < more.size(); ++i) list.back()->more_targets.push_back(hsm::target_spec(hsm::state_key(node(more[i]))));
        return made;
    }

    template <class C, class On> auto begin(hsm::state<C>& state, const transition_plan& t, On on) {
        if (t.target != none) return on(aim(t, state.transitions(), [&](const auto&... to) { return state.to(to...); }));
        return on(hsm::transition<C>(state.add_transition()));
    }

    template <class T> void set_kind(T& made, const transition_plan& t) {
        for (const auto other : t.joined) made.in(node(other));
        for (const auto other : t.excluded) made.unless_in(node(other));
        made.priority(t.priority);
        if (t.reenter) made.reenter();
        if (t.carry_over) made.carry_over();
        if (t.labeled) made.label("timed");
        if (t.external) made.external();
        if (t.on_finished) made.on_finished();
        if (t.always) made.always();
        if (t.force) made.force();
    }

    template <class C> void add_polled(hsm::state<C>& state, const transition_plan& t, int source) {
        std::optional<hsm::transition<C>> periodic;
        if (t.every.token) with_time<C>(t.every, source, [&](auto time) { periodic = state.every(time); });
        auto made = periodic ? *periodic : begin(state, t, [](auto x) { return x; });
        if (t.after.token) with_time<C>(t.after, source, [&](auto time) { made.after(time); });
        set_kind(made, t);
        for (const auto& g : t.guards) add_guard<C>(made, g, source);
        for (const auto& h : t.actions) add_action<C>(made, h, t, source);
    }

    template <class C, class E, class T> void add_event(T made, const transition_plan& t, int source) {
        set_kind(made, t);
        if (t.after.token) with_time<C>(t.after, source, [&](auto time) { made.after(time); });
        for (const auto& g : t.guards) {
            if constexpr (!std::is_void_v<E>) {
                if (g.form == 4 && g.asks == asks::nothing) {
                    made.when([&g](const C& c, const E& e) {
                        whole(c).note(describe(e));
                        return ask(g, c);
                    });
                    continue;
                }
            }
            add_guard<C>(made, g, source);
        }
        for (const auto& h : t.actions) {
            if constexpr (!std::is_void_v<E>) {
                if (h.form == 3) {
                    made.then([&h](C& c, const E& e) { plain_hook("A", h, c, " " + describe(e)); });
                    continue;
                }
            }
            add_action<C>(made, h, t, source);
        }
    }

    /// The source may already be exited; only reactions take locals, because only for them an outer local certainly exists.
    template <class C, class T> void add_action(T& made, const hook_plan& h, const transition_plan& t, int source) {
        add_hook<C>("A", h, t.target == none ? source : none, [&](auto f) { made.then(f); });
    }

    const plan& plan_;
    std::optional<declared_conditions> conditions_;
    std::vector<hsm::state_base*> nodes_;
};

} // namespace

hsm::owned<hsm::fsm<test_context>> define(const plan& p) { return builder(p).run(); }

hsm::chart<test_context> build(const plan& p) { return hsm::compile(define(p), p.compile); }

} // namespace differential
