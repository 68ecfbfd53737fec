#include <tests/support/differential/generate.hpp>

#include <tests/support/differential/world.hpp>

#include <algorithm>
#include <initializer_list>

namespace differential {

namespace {

/// splitmix64: the library's distributions differ between implementations.
class dice {
public:
    explicit dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}

    std::uint64_t roll() {
        auto z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    int below(int n) { return static_cast<int>(roll() % static_cast<std::uint64_t>(n)); }
    bool chance(int percent) { return below(100) < percent; }
    template <class T> T one_of(std::initializer_list<T> choices) {
        return choices.begin()[below(static_cast<int>(choices.size()))];
    }

private:
    std::uint64_t state_;
};

class generator {
public:
    explicit generator(std::uint64_t seed) : dice_(seed) { plan_.seed = seed; }

    plan run(int inputs) {
        choose_character();
        grow();
        for (int s = 0; s < count(); ++s) fill(s);
        for (int i = 0; i < inputs; ++i) plan_.inputs.push_back(make_input(i));
        return std::move(plan_);
    }

private:
    int count() const { return static_cast<int>(plan_.states.size()); }
    state_plan& at(int s) { return plan_.states[static_cast<std::size_t>(s)]; }

    /// What this chart is like: some features are left out of some, so that each also meets few others.
    void choose_character() {
        const auto feature = [&](int most) { return dice_.chance(60) ? dice_.below(most + 1) : 0; };
        acts_ = feature(40);
        faults_ = feature(40);
        transients_ = feature(30);
        finals_ = feature(35);
        completions_ = feature(60);
        locals_ = feature(40);
        changes_ = feature(60);
        projections_ = feature(40);
        successors_ = feature(30);
        dispatches_ = feature(70);
        steps_ = feature(100);
        holds_ = feature(40);
        histories_ = feature(40);
        timers_ = feature(40);
        choices_ = feature(30);
        always_ = feature(30);
        lives_ = feature(40);
        guards_ = 15 + dice_.below(45);
        transitions_ = 2 + dice_.below(4);
        events_ = 1 + dice_.below(dice_.chance(70) ? 3 : event_count);
        first_event_ = dice_.below(event_count);
        plan_.compile.order =
            dice_.chance(65) ? hsm::decision_order::superstate_first : hsm::decision_order::substate_first;
        plan_.compile.entry_times = dice_.chance(75);
        if (dice_.chance(15)) plan_.compile.row_memory = 0;
        plan_.own_memory = dice_.chance(30);
        plan_.run.internal_queue = dice_.one_of<std::uint16_t>({0, 1, 2, 4, 16});
        plan_.run.posted_queue = dice_.one_of<std::uint16_t>({0, 1, 2, 4, 16});
        plan_.run.chain_limit = dice_.one_of<std::uint16_t>({0, 1, 2, 3, 5, 10, 10, 20, 40});
    }

    // --- the tree ---

    void grow() {
        const int wanted = 2 + dice_.below(dice_.chance(60) ? 8 : 39);
        const int deepest = 1 + dice_.below(6);
        std::vector<state_plan> drafts(1);
        std::vector<int> depths(1);
        drafts[0].kind = kind::machine;
        for (int i = 1; i < wanted; ++i) {
            int above = dice_.below(i);
            while (drafts[static_cast<std::size_t>(above)].kind != kind::machine)
                above = drafts[static_cast<std::size_t>(above)].superstate;
            const int depth = depths[static_cast<std::size_t>(above)] + 1;
            depths.push_back(depth);
            state_plan s;
            s.superstate = above;
            s.kind = depth < deepest && dice_.chance(40)                ? kind::machine
                     : dice_.chance(above == 0 ? finals_ / 4 : finals_) ? kind::final
                     : dice_.chance(choices_)                           ? kind::choice
                     : dice_.chance(histories_) ? dice_.one_of({kind::history, kind::deep_history})
                                                : kind::leaf;
            drafts.push_back(s);
        }
        add(drafts, 0, none);
    }

    void add(const std::vector<state_plan>& drafts, int draft, int above) {
        const int s = count();
        plan_.states.push_back(drafts[static_cast<std::size_t>(draft)]);
        at(s).superstate = above;
        bool has_substates = false;
        for (int i = draft + 1; i < static_cast<int>(drafts.size()); ++i)
            if (drafts[static_cast<std::size_t>(i)].superstate == draft) {
                const auto kind = drafts[static_cast<std::size_t>(i)].kind;
                add(drafts, i, s);
                has_substates |= kind != kind::history && kind != kind::deep_history;
            }
        if (!has_substates && count() > s + 1) { // history states alone are no substates
            plan_.states.resize(static_cast<std::size_t>(s) + 1);
            if (s == 0) plan_.states.emplace_back().superstate = 0;
        }
        if (at(s).kind == kind::machine && !has_substates) at(s).kind = kind::leaf;
    }

    // --- a state ---

    void fill(int s) {
        auto& state = at(s);
        if (!is_state(state.kind)) return fill_pseudo(s);
        const bool machine = state.kind == kind::machine;
        state.enter = hooks(70, 2);
        state.exit = hooks(70, 2);
        if (state.kind != kind::final) {
            state.update = hooks(60, 4);
            for (auto& h : state.update)
                if (dice_.chance(successors_)) make_successor(h);
        }
        if (machine && dice_.chance(changes_)) state.change = hooks(100, 1);
        if (machine && dice_.chance(histories_)) state.remembers = 1 + dice_.below(2);
        if (machine && dice_.chance(lives_ / 2)) state.unhandled = hooks(100, 2);
        if (dice_.chance(lives_)) state.init = hooks(100, 1);
        if (dice_.chance(lives_)) state.destroy = hooks(100, 1);
        if (dice_.chance(holds_)) make_hold(state);
        if (s > 0) choose_place(s);
        if (state.kind != kind::final) state.transient = dice_.chance(transients_);
        if (machine && s > 0 && dice_.chance(projections_)) state.way = 1 + dice_.below(2);
        for (int type = 0; type < local_types; ++type)
            if (dice_.chance(locals_) && (type != timer_type || state.kind != kind::final))
                state.locals.push_back(make_local(type));
        if (machine) make_entry(s);
        if (state.kind != kind::final)
            for (int i = dice_.below(transitions_ + 1); i > 0; --i) state.transitions.push_back(make_transition(s));
    }

    void fill_pseudo(int s) {
        auto& state = at(s);
        if (state.kind == kind::choice) {
            for (int i = dice_.below(3); i > 0; --i) {
                choice_plan branch;
                branch.target = choose_target(s);
                branch.priority = priority();
                branch.guards = guards();
                branch.actions = hooks(40, 3);
                state.dispatch.push_back(branch);
            }
            choice_plan otherwise;
            otherwise.target = choose_target(s);
            otherwise.actions = hooks(40, 3);
            state.initial.push_back(otherwise);
        } else if (dice_.chance(60)) {
            state.initial.push_back(make_choice(state.superstate));
        }
    }

    void make_hold(state_plan& state) {
        state.holds = dice_.chance(40);
        while (dice_.chance(50) && state.hold_until.size() < 2) state.hold_until.push_back(make_guard());
        if (dice_.chance(timers_)) state.least = make_time();
        if (!state.holds && state.hold_until.empty() && state.least.token == 0) state.holds = true;
    }

    time_plan make_time() {
        return {++token_, dice_.chance(40) ? 1 + dice_.below(2) : 0, dice_.one_of({0, 1, 5, 10, 16, 30, 60}),
                dice_.chance(50) ? dice_.below(ordinary_bits) : none, dice_.chance(faults_ / 2) ? fault() : none};
    }

    void choose_place(int s) {
        if (!dice_.chance(25)) return;
        const int place = dice_.below(place_count);
        for (const auto& other : plan_.states)
            if (other.superstate == at(s).superstate && other.place == place) return;
        at(s).place = place;
    }

    void make_entry(int s) {
        if (dice_.chance(dispatches_))
            for (int i = 1 + dice_.below(3); i > 0; --i) {
                auto choice = make_choice(s);
                choice.priority = priority();
                choice.guards = guards();
                if (choice.guards.empty() && dice_.chance(70)) choice.guards.push_back(make_guard());
                at(s).dispatch.push_back(choice);
            }
        if (dice_.chance(35)) at(s).initial.push_back(make_choice(s));
    }

    choice_plan make_choice(int machine) {
        choice_plan c;
        int last = machine;
        while (last + 1 < count() && contains(plan_, machine, last + 1)) ++last;
        const auto own_history = [&](int s) { return at(s).superstate == machine && at(s).kind >= kind::history; };
        do
            c.target = machine + 1 + dice_.below(last - machine);
        while (own_history(c.target)); // it could lead back to itself; a machine has other substates
        c.actions = hooks(40, 3);
        return c;
    }

    local_plan make_local(int type) {
        return {type, ++token_, 1 + dice_.below(4), dice_.chance(faults_) ? fault() : none};
    }

    transition_plan make_transition(int source) {
        transition_plan t;
        if (!dice_.chance(20)) t.target = choose_target(source);
        if (t.target != none && dice_.chance(completions_))
            t.on_finished = true;
        else if (dice_.chance(55))
            t.event = known_event();
        t.guards = guards();
        t.actions = hooks(t.target == none ? 90 : 50, 3);
        if (t.target == none && t.event == none && t.actions.empty()) t.actions.push_back(make_hook(3));
        t.priority = priority();
        t.reenter = dice_.chance(10);
        t.external = dice_.chance(15);
        t.force = t.target != none && dice_.chance(holds_ / 2);
        if (dice_.chance(timers_)) t.after = make_time();
        if (t.event == none && !t.on_finished) {
            t.always = t.target != none && dice_.chance(always_);
            if (t.target == none && t.after.token == 0 && dice_.chance(timers_)) {
                t.every = make_time();
                t.every.ns += t.every.form == 0;
            }
        }
        return t;
    }

    /// All states alike would leave few transitions between a state and those around it.
    int choose_target(int source) {
        if (dice_.chance(60)) return dice_.below(count());
        int around = source;
        for (int up = dice_.below(3); up > 0 && at(around).superstate != none; --up) around = at(around).superstate;
        return std::min(count() - 1, around + dice_.below(4));
    }

    // --- hooks and guards ---

    int priority() { return dice_.chance(30) ? dice_.below(5) - 2 : 0; }
    /// Rarely the root: that would be the end too often.
    int some_state() { return dice_.chance(5) ? 0 : 1 + dice_.below(count() - 1); }
    int known_event() { return (first_event_ + dice_.below(events_)) % event_count; }
    int any_event() { return dice_.chance(90) ? known_event() : dice_.below(event_count + 1); }
    int fault() { return ordinary_bits + dice_.below(all_bits - ordinary_bits); }

    std::vector<hook_plan> hooks(int percent, int forms) {
        std::vector<hook_plan> list;
        while (dice_.chance(percent) && list.size() < 3) {
            list.push_back(make_hook(forms));
            percent /= 4;
        }
        return list;
    }

    /// Form 0 takes the context alone.
    hook_plan make_hook(int forms) {
        hook_plan h;
        h.token = ++token_;
        h.form = dice_.chance(steps_) ? 1 + dice_.below(forms) : 0;
        if (dice_.chance(acts_)) h.act = make_act();
        if (dice_.chance(faults_)) h.act = {act::raise, 0, fault()};
        return h;
    }

    act_plan make_act() {
        act_plan a;
        a.does = dice_.one_of({act::process, act::process, act::post, act::change_to, act::change_to_place, act::finish,
                               act::finish, act::finish_leaf, act::finish_state, act::release, act::release_state, act::force_to, act::stop, act::flip, act::flip,
                               act::can, act::tick});
        switch (a.does) {
        case act::process:
        case act::post:
        case act::can: a.what = any_event(); break;
        case act::flip: a.what = dice_.below(ordinary_bits); break;
        case act::change_to_place: a.what = dice_.below(place_count); break;
        case act::stop:
            if (dice_.chance(70)) a.does = act::post;
            break;
        default: a.what = some_state();
        }
        if (dice_.chance(60)) a.bit = dice_.below(ordinary_bits);
        return a;
    }

    void make_successor(hook_plan& h) {
        h.form = 5 + dice_.below(3);
        h.next = h.form == 6 ? dice_.below(place_count) : dice_.below(count());
        h.next_bit = dice_.chance(80) ? dice_.below(ordinary_bits) : none;
    }

    std::vector<guard_plan> guards() {
        std::vector<guard_plan> list;
        while (dice_.chance(guards_) && list.size() < 3) list.push_back(make_guard());
        return list;
    }

    guard_plan make_guard() {
        return {++token_, dice_.below(6), dice_.below(ordinary_bits), dice_.chance(50),
                dice_.chance(faults_ / 2) ? fault() : none};
    }

    // --- inputs ---

    input_plan make_input(int position) {
        input_plan in;
        in.does = position == 0 ? (dice_.chance(95) ? input::start : input::process) : choose_input();
        switch (in.does) {
        case input::process:
        case input::post:
        case input::can: in.what = any_event(); break;
        case input::change_to_place: in.what = dice_.below(place_count); break;
        default: in.what = some_state();
        }
        if (in.does == input::set_state && dice_.chance(10)) in.what = 0;
        in.amount = dice_.chance(2) ? -1 : dice_.one_of({0, 1, 5, 10, 16, 100});
        if (dice_.chance(60)) in.flips = static_cast<std::uint32_t>(dice_.roll()) & ((1u << ordinary_bits) - 1);
        if (dice_.chance(20))
            in.faults = (static_cast<std::uint32_t>(dice_.roll()) & ((1u << all_bits) - 1)) >> ordinary_bits
                                                                                                   << ordinary_bits;
        return in;
    }

    input choose_input() {
        const int n = dice_.below(100);
        if (n < 28) return input::tick;
        if (n < 50) return input::process;
        if (n < 56) return input::post;
        if (n < 59) return input::drain;
        if (n < 63) return input::update;
        if (n < 69) return input::decide;
        if (n < 74) return input::change_to;
        if (n < 76) return input::change_to_place;
        if (n < 77) return input::finish;
        if (n < 79) return input::finish_state;
        if (n < 80) return input::stop;
        if (n < 81) return input::start;
        if (n < 84) return input::can;
        if (n < 85) return input::move;
        if (n < 90) return choose_rare_input();
        return input::revive;
    }

    input choose_rare_input() {
        return dice_.one_of({input::release, input::release, input::release, input::release_state, input::release_state,
                             input::force_to, input::force_to, input::restart, input::destroy, input::reset,
                             input::set_state, input::set_state, input::pause, input::resume, input::scale});
    }

    dice dice_;
    plan plan_;
    int token_ = 0;
    int events_ = 1, first_event_ = 0; ///< those that transitions wait for
    int transitions_ = 0;
    // percentages
    int acts_ = 0, faults_ = 0, transients_ = 0, finals_ = 0, completions_ = 0, locals_ = 0, changes_ = 0,
        projections_ = 0, successors_ = 0, dispatches_ = 0, guards_ = 0, steps_ = 0, holds_ = 0, histories_ = 0, timers_ = 0, choices_ = 0, always_ = 0,
        lives_ = 0;
};

} // namespace

plan generate(std::uint64_t seed, int inputs) { return generator(seed).run(inputs); }

} // namespace differential
