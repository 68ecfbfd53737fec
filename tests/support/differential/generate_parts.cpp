#include <tests/support/differential/generate_parts.hpp>

#include <tests/support/differential/test_context.hpp>

#include <algorithm>

namespace differential {

void parts_generator::choose_character() {
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
    exclusions_ = feature(30);
    ranges_ = feature(50);
    names_ = dice_.chance(40) ? 10 + dice_.below(60) : 0;
    settles_ = feature(30);
    tags_ = feature(60);
    lives_ = feature(40);
    if (dice_.chance(60)) {
        parallels_ = 10 + dice_.below(50);
        forks_ = feature(40);
        joins_ = feature(40);
        together_ = dice_.chance(75) ? 40 + dice_.below(60) : 0;
    }
    deferrals_ = dice_.chance(40) ? 5 + dice_.below(35) : 0;
    guards_ = 15 + dice_.below(45);
    transitions_ = 2 + dice_.below(4);
    events_ = dice_.chance(together_) ? 1 : 1 + dice_.below(dice_.chance(70) ? 3 : event_count);
    first_event_ = dice_.below(event_count);
    plan_.compile.order = dice_.chance(65) ? hsm::decision_order::superstate_first : hsm::decision_order::substate_first;
    if (dice_.chance(30)) plan_.compile.guard_error = "error.execution";
    plan_.compile.remember_finals = dice_.chance(25);
    plan_.compile.entry_times = dice_.chance(75);
    plan_.compile.carry_over = dice_.chance(15);
    if (dice_.chance(15)) plan_.compile.row_memory = 0;
    if (dice_.chance(40)) plan_.compile.program_memory = dice_.one_of<std::size_t>({0, 500, 1'000, 2'000, 4'000, 8'000});
    plan_.own_memory = dice_.chance(30);
    plan_.run.internal_queue = dice_.one_of<std::uint16_t>({0, 1, 2, 4, 16});
    plan_.run.posted_queue = dice_.one_of<std::uint16_t>({0, 1, 2, 4, 16});
    plan_.run.deferred_queue = static_cast<std::uint16_t>(dice_.below(4));
    plan_.checks_activity = dice_.chance(50);
    plan_.compile.done_events = !plan_.checks_activity && dice_.chance(70); // if these do not fit into a queue, a state is not entered
    choose_conditions();
    plan_.run.chain_limit = dice_.one_of<std::uint16_t>({0, 1, 2, 3, 5, 10, 10, 20, 40});
    const bool made_when_used = plan_.run.internal_queue == 16 && plan_.run.chain_limit >= 5; // the queues
    if (made_when_used) plan_.run = {.deferred_queue = plan_.run.deferred_queue};
    if (parallels_ > 0 && dice_.chance(35)) stay_in_regions();
    if (dice_.chance(12)) be_plain();
    if (plan_.seed % 7 == 3) choose_scores(); // other seeds generate the same as without scores
}

void parts_generator::choose_scores() {
    scores_ = 90;
    dispatches_ = 30 + dice_.below(60);
    choices_ = 10 + dice_.below(30);
    plan_.run.seed = plan_.seed;
    plan_.run.stream = dice_.roll();
}

void parts_generator::make_scores(state_plan& s) {
    if (scores_ == 0 || s.dispatch.empty() || !dice_.chance(scores_)) return;
    s.choose = 1 + dice_.below(3);
    for (auto& c : s.dispatch)
        if (dice_.chance(80)) {
            c.score = make_time();
            if (dice_.chance(60)) c.score.ns = 1 + dice_.below(3); // often equal
            if (dice_.chance(20)) c.cooldown = 1 + dice_.below(40);
        }
    if (s.kind != kind::machine || !dice_.chance(50)) return;
    s.rechoose = 1 + dice_.below(2);
    if (s.rechoose == 2) s.period = make_time(), s.period.ns += s.period.form == 0;
    if (dice_.chance(40)) s.stay_bonus = 1 + dice_.below(3);
}

/// Only exits, actions and entries.
void parts_generator::be_plain() {
    plain_ = true;
    steps_ = locals_ = changes_ = projections_ = successors_ = holds_ = histories_ = always_ = parallels_ = forks_ = joins_ = deferrals_ = 0;
    conditions_ = exclusions_ = lives_ = 0;
    timers_ = dice_.chance(50) ? 0 : timers_ / 4;
}

/// Mostly transitions that stay in their region and wait for the same events: these have programs.
void parts_generator::stay_in_regions() {
    holds_ = changes_ = lives_ = conditions_ = forks_ = 0;
    parallels_ = 20 + dice_.below(30);
    together_ = 97;
    stays_ = true;
    guards_ = dice_.below(30);
    transients_ /= 2;
    choices_ /= 2;
    deferrals_ = dice_.chance(20) ? 5 : 0;
    transitions_ = 3 + dice_.below(3);
    events_ = 1 + dice_.below(2);
    least_states_ = 10 + dice_.below(10);
    plan_.compile.row_memory = hsm::compile_options().row_memory;
}

void parts_generator::choose_conditions() {
    if (!dice_.chance(50)) return;
    conditions_ = 10 + dice_.below(80);
    plan_.conditions.push_back({false, 0});
    const bool wide = dice_.chance(30); // more than one word
    for (int left = 1 + dice_.below(7); left > 0; --left) {
        condition_plan c{dice_.chance(70), none, dice_.chance(30)};
        const int index = wide ? dice_.one_of({1, 2, 62, 63, 64, 65, 66, 127, 128, 129, 191, 192, 200, 300}) : 1 + dice_.below(12);
        const bool is_free = std::ranges::none_of(plan_.conditions, [&](const auto& other) { return other.index == index; });
        if (is_free && dice_.chance(70)) c.index = index;
        plan_.conditions.push_back(c);
    }
    if (dice_.chance(35)) make_quiet();
    if (plan_.seed % 5 == 0) anything_ = 10 + dice_.below(60); // other seeds generate the same as without any_event
}

void parts_generator::make_quiet() {
    quiet_ = true;
    conditions_ = 95 + dice_.below(6);
    guards_ = 70 + dice_.below(31);
    updates_ = dice_.below(8);
    holds_ = always_ = transients_ = parallels_ = dispatches_ = together_ = 0;
    locals_ /= 4;
    timers_ = dice_.chance(50) ? timers_ / 4 : 25 + dice_.below(60);
}

int parts_generator::known_event() { return (first_event_ + dice_.below(events_)) % event_count; }
/// Sometimes returns several values instead of one.
int parts_generator::several_of(int event) {
    if (dice_.chance(names_) && dice_.chance(60)) return dice_.one_of<int>({ping_names, ping_names, long_ping_names, some_names, all_names});
    if (anything_ > 0 && dice_.chance(anything_)) return anything;
    const int raised = (plan_.compile.done_events ? 20 : 0) + (plan_.compile.guard_error.empty() ? 0 : 10);
    if (dice_.chance(raised)) return first_raised + dice_.below(anything - first_raised);
    const bool is_key = event >= 2 && event <= 4, is_far = event == 5 || event == 6;
    if (!(is_key || is_far) || !dice_.chance(ranges_)) return event;
    return is_key ? every_key + dice_.below(3) : far_range + dice_.below(2);
}
int parts_generator::any_event() {
    if (dice_.chance(names_)) return first_unknown + dice_.below(end_of_unknown - first_unknown);
    return dice_.chance(90) ? known_event() : dice_.below(event_count + 1);
}

std::vector<hook_plan> parts_generator::hooks(int percent, int forms) {
    std::vector<hook_plan> list;
    while (dice_.chance(percent) && list.size() < 3) {
        list.push_back(make_hook(forms));
        percent /= 4;
    }
    return list;
}

hook_plan parts_generator::make_hook(int forms) {
    hook_plan h;
    h.token = ++token_;
    h.form = dice_.chance(steps_) ? 1 + dice_.below(forms) : 0;
    if (dice_.chance(acts_)) h.act = make_act();
    if (dice_.chance(faults_)) h.act = {act::raise, 0, fault()};
    return h;
}

act_plan parts_generator::make_act() {
    act_plan a;
    const bool of_conditions = conditions_ > 0 && dice_.chance(30);
    if (of_conditions)
        a.does = dice_.one_of({act::set_condition, act::clear_condition, act::pulse_condition, act::get_condition});
    else if (timers_ > 0 && dice_.chance(25))
        a.does = act::set_timer;
    else
        a.does = dice_.one_of({act::process, act::process, act::post, act::change_to, act::change_to_place, act::finish, act::finish,
                               act::finish_leaf, act::finish_state, act::release, act::release_state, act::force_to, act::stop, act::flip, act::flip,
                               act::can, act::look, act::tick});
    switch (a.does) {
    case act::process:
    case act::post:
    case act::can: a.what = any_event(); break;
    case act::flip: a.what = dice_.below(ordinary_bits); break;
    case act::change_to_place: a.what = dice_.below(place_count); break;
    case act::set_condition:
    case act::clear_condition:
    case act::pulse_condition: a.what = some_condition(); break;
    case act::get_condition: a.what = dice_.below(static_cast<int>(plan_.conditions.size())); break;
    case act::set_timer: a.what = dice_.below(1000); break;
    case act::stop:
        if (dice_.chance(70)) a.does = act::post;
        break;
    default: a.what = some_state();
    }
    if (dice_.chance(60)) a.bit = dice_.below(ordinary_bits);
    return a;
}

/// Guards can only look: other acts are refused.
act_plan parts_generator::make_look() {
    auto a = make_act();
    if (a.does == act::flip) a.does = act::can, a.what = any_event();
    return a;
}

void parts_generator::make_successor(hook_plan& h) {
    h.form = 5 + dice_.below(3);
    h.next = h.form == 6 ? dice_.below(place_count) : dice_.below(count());
    h.next_bit = dice_.chance(80) ? dice_.below(ordinary_bits) : none;
}

std::vector<guard_plan> parts_generator::guards() {
    std::vector<guard_plan> list;
    while (dice_.chance(guards_) && list.size() < 3) list.push_back(make_guard());
    return list;
}

guard_plan parts_generator::make_guard() {
    guard_plan g{++token_, dice_.below(6), dice_.below(ordinary_bits), dice_.chance(50), dice_.chance(faults_ / 2) ? fault() : none};
    if (dice_.chance(conditions_)) ask_conditions(g);
    if (dice_.chance(acts_ / 2)) g.act = make_look();
    return g;
}

void parts_generator::ask_conditions(guard_plan& g) {
    g.asks = dice_.chance(45) ? asks::one
             : dice_.chance(quiet_ ? 85 : 50)
                 ? dice_.one_of({asks::all, asks::any, asks::no_all, asks::no_any, asks::all_with_any})
                 : dice_.one_of({asks::all_with_guard, asks::any_with_guard, asks::no_all_with_guard, asks::any_with_all});
    g.writing = g.asks == asks::one && dice_.chance(40) ? writing::handle : dice_.one_of({writing::name, writing::index});
    std::vector<int> fitting;
    for (int c = 0; c < static_cast<int>(plan_.conditions.size()); ++c) {
        const auto& condition = plan_.conditions[static_cast<std::size_t>(c)];
        if (g.writing == writing::handle || (g.writing == writing::name ? condition.named : condition.index != none)) fitting.push_back(c);
    }
    if (fitting.empty()) { // no condition has a name
        g.writing = writing::index;
        fitting.push_back(0);
    }
    for (auto& l : g.literals) {
        l.which = fitting[static_cast<std::size_t>(dice_.below(static_cast<int>(fitting.size())))];
        l.wanted = dice_.chance(60) || (l.which == 0 && g.writing == writing::index); // -0 does not exist
    }
}

/// Times are computed after the enter hooks. If that throws, the book would contain a state that was not entered.
time_plan parts_generator::make_time() {
    return {++token_, dice_.chance(40) ? 1 + dice_.below(2) : 0, dice_.one_of({0, 1, 5, 10, 16, 30, 60}),
            dice_.chance(50) ? dice_.below(ordinary_bits) : none, !plan_.checks_activity && dice_.chance(faults_ / 2) ? fault() : none};
}

input_plan parts_generator::make_input(int position) {
    input_plan in;
    in.does = position == 0 ? (dice_.chance(95) ? input::start : input::process) : choose_input();
    switch (in.does) {
    case input::process:
    case input::post:
    case input::can: in.what = any_event(); break;
    case input::change_to_place: in.what = dice_.below(place_count); break;
    case input::set_timer: in.what = dice_.below(1000); break;
    default: in.what = some_state();
    }
    if (in.does == input::set_state && dice_.chance(10)) in.what = 0;
    in.amount = dice_.chance(2) ? -1 : dice_.one_of({0, 1, 5, 10, 16, 100});
    if (dice_.chance(60)) in.flips = static_cast<std::uint32_t>(dice_.roll()) & ((1u << ordinary_bits) - 1);
    if (conditions_ > 0 && dice_.chance(40))
        in.turned = static_cast<std::uint32_t>(dice_.roll() & dice_.roll()) & ((2u << (plan_.conditions.size() - 1)) - 2);
    if (conditions_ > 0 && dice_.chance(10)) in.pulsed = 1u << some_condition();
    if (dice_.chance(20)) in.faults = (static_cast<std::uint32_t>(dice_.roll()) & ((1u << all_bits) - 1)) >> ordinary_bits << ordinary_bits;
    return in;
}

input parts_generator::choose_input() {
    if (quiet_ && dice_.chance(40)) return input::tick;
    if (stays_ && dice_.chance(50)) return input::process;
    if (plain_ && dice_.chance(20)) return input::change_to;
    if (conditions_ > 0 && dice_.chance(2)) return input::clear_conditions;
    if (timers_ > 0 && dice_.chance(6)) return input::set_timer;
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

input parts_generator::choose_rare_input() {
    return dice_.one_of({input::release, input::release, input::release, input::release_state, input::release_state, input::force_to, input::force_to,
                         input::restart, input::destroy, input::reset, input::set_state, input::set_state, input::pause, input::resume,
                         input::scale});
}

} // namespace differential
