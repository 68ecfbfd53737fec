#include <hsm/tool/detail/player.hpp>

#include <hsm/observe/record_text.hpp>
#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/run/detail/calls.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>

namespace hsm::detail::tool {

player::player(const machine_to_play& what) : what_(what) {
    chart_changed();
    sim().listen(this);
    reset_all();
}

void player::chart_changed() {
    names_ = names_of(what_.chart());
    simulated_.clear();
    for (const auto& n : what_.names())
        if (!n.registered) simulated_.push_back(n.name);
    happened_.clear();
}

player::~player() { sim().listen(nullptr); }

void player::reset_all() {
    watching_.detach();
    session_ = what_.fresh();
    sim().reset(guards_at_first);
    started_ = false;
    happened_.clear();
    outcome_.reset();
    watching_ = machine().attach(*this);
    happened_.clear();
}

namespace {
constexpr std::size_t most_happenings = 10'000;
}

void player::note(happening h) {
    if (happened_.size() < most_happenings)
        happened_.push_back(std::move(h));
    else
        ++further_;
}

/// Returns whether the exception means that the step was not possible. All others come from hooks.
static bool is_impossible(const std::exception& e) {
    return dynamic_cast<const state_error*>(&e) || dynamic_cast<const condition_error*>(&e) || dynamic_cast<const command_error*>(&e);
}

template <class Call> void player::step(const Call& call) {
    happened_.clear();
    further_ = 0;
    outcome_.reset();
    has_taken_ = false;
    in_step_ = true;
    try {
        call();
    } catch (const std::exception& e) {
        in_step_ = false;
        if (is_impossible(e)) throw;
        has_thrown_ = true;
        note({.kind = happening::thrown, .text = e.what()});
    } catch (...) {
        has_thrown_ = true;
        note({.kind = happening::thrown, .text = "an exception that is not a std::exception"});
    }
    in_step_ = false;
}

void player::start() {
    started_ = true;
    step([&] { outcome_ = session_->start(); });
}

void player::require_started() const {
    if (!started_) throw command_error("the machine is not started", "write: start");
}

void player::stop() {
    step([&] { outcome_ = session_->stop(); });
}

void player::event(const std::string& name, const event_data& data) {
    require_started();
    step([&] { outcome_ = session_->process(name, data); });
}

void player::event(std::uint32_t number, const std::vector<written_field>& fields) {
    require_started();
    const auto payload = payload_of(chart().event(number), what_.chart(), fields);
    const decoded_event made(what_.chart().core(), 0, column_of(chart().event(number), what_.chart().core()), payload);
    step([&] { outcome_ = calls::process(instance_access::engine_of(machine()), made.event()); });
}

void player::tick(time_span elapsed, std::uint32_t times, bool (*goes_on)()) {
    require_started();
    step([&] {
        for (ticks_ = 0; ticks_ < times && (!goes_on || goes_on()); ++ticks_) session_->tick(elapsed);
        if (has_taken_) outcome_ = result::taken;
        if (!outcome_) outcome_ = machine().active() && !machine().finished() ? result::unhandled : result::inactive; // no call reported a result
    });
}

void player::set(std::string_view condition, bool on) {
    step([&] { machine().set(condition, on); });
}

void player::pulse(std::string_view condition) {
    step([&] { machine().pulse(condition); });
}

void player::finish(std::string_view state) {
    require_started();
    step([&] { outcome_ = state.empty() ? machine().finish() : machine().finish(state); });
}

void player::release(std::string_view state) {
    require_started();
    step([&] { outcome_ = state.empty() ? machine().release() : machine().release(state); });
}

void player::force(std::string_view state) {
    require_started();
    step([&] {
        outcome_ = machine().force_to(state);
        session_->settle();
    });
}

void player::restart() {
    started_ = true;
    step([&] { outcome_ = session_->restart(); });
}

bool player::has_changed() const {
    return std::ranges::any_of(happened_, [](const happening& h) { return h.kind <= happening::entered; });
}

bool player::is_in(state_view s) const {
    const auto end = session_->end();
    return machine().is_in(s.ref()) || (!end.empty() && s.name() == end && s.depth() == 1);
}

void player::add_state_change(happening::kind_of kind, const hsm::record& r) { note({.kind = kind, .from = r.state}); }

/// Returns whether the label is a simulated name, or contains one as in "noTarget || !targetDead".
bool player::is_simulated(std::string_view label) const {
    constexpr std::string_view between = " &|!()";
    for (const auto name : simulated_)
        for (auto at = label.find(name); at != label.npos; at = label.find(name, at + 1)) {
            const auto end = at + name.size();
            const bool begins = at == 0 || between.find(label[at - 1]) != between.npos;
            if (begins && (end == label.size() || between.find(label[end]) != between.npos)) return true;
        }
    return false;
}

/// Adds happenings for hooks that are not simulated. Simulated hooks report themselves.
void player::add_hooks_run(view_list<hook_view> hooks) {
    for (const auto h : hooks)
        if (!h.label().empty() && std::ranges::find(simulated_, h.label()) == simulated_.end())
            note({.kind = happening::ran, .name = std::string(h.label())});
}

void player::add_guard_answer(const hsm::record& r) {
    if (r.what > static_cast<int>(guard_answer::yes)) return;
    const auto label = chart().guard(r.number).label();
    if (!label.empty() && !is_simulated(label))
        note({.kind = happening::asked, .yes = r.what == static_cast<int>(guard_answer::yes), .name = std::string(label)});
}

void player::on_record(const hsm::record& r, const moment& when) {
    if (stores_records) note({.kind = happening::shown, .text = to_string(r, names_)});
    const auto state = chart().state(r.state);
    const auto event_name = [&] { return std::string(name_in(names_.events, r.number)); };
    switch (r.kind) {
    case record_kind::call_end:
        if (r.what != record::thrown) outcome_ = static_cast<result>(r.what);
        has_taken_ |= outcome_ == result::taken;
        break;
    case record_kind::event: note({.kind = happening::event, .name = std::string(names_.event(r.number)), .text = when.describe_event()}); break;
    case record_kind::guard: add_guard_answer(r); break;
    case record_kind::transition:
        note({.kind = happening::transition,
              .from = r.state,
              .to = static_cast<std::uint32_t>(r.value),
              .number = r.number,
              .why = static_cast<reason>(r.what)});
        break;
    case record_kind::exited:
        add_hooks_run(state.hooks(hook_kind::exit));
        add_state_change(happening::exited, r);
        break;
    case record_kind::action:
        if (const auto hook = chart().hook(r.number); !hook.label().empty() && std::ranges::find(simulated_, hook.label()) == simulated_.end())
            note({.kind = happening::ran, .name = std::string(hook.label())});
        break;
    case record_kind::entered:
        add_state_change(happening::entered, r);
        add_hooks_run(state.hooks(hook_kind::enter));
        break;
    case record_kind::updated: add_hooks_run(state.hooks(hook_kind::update)); break;
    case record_kind::held: note({.kind = happening::held, .from = r.state, .number = r.number}); break;
    case record_kind::deferred: note({.kind = happening::deferred, .name = event_name()}); break;
    case record_kind::recalled: note({.kind = happening::recalled, .name = event_name()}); break;
    case record_kind::refused: note({.kind = happening::refused, .from = r.state, .number = r.number}); break;
    case record_kind::dropped:
        note({.kind = happening::dropped,
              .name = r.number == record::no_number ? std::string("a request") : event_name(),
              .text = std::string(to_string(static_cast<drop_reason>(r.what)))});
        break;
    case record_kind::finished: add_state_change(happening::finished, r); break;
    case record_kind::condition: {
        const auto how = static_cast<condition_step>(r.what);
        note({.kind = happening::condition,
              .yes = how == condition_step::on || how == condition_step::pulse,
              .name = std::string(name_in(names_.conditions, r.number)),
              .text = how == condition_step::pulse ? "until the end of the next tick" : ""});
        break;
    }
    default: break;
    }
}

bool player::ask(const simulated_name& guard) { return in_step_ && guard_answerer_ && guard_answerer_->ask(guard); }

void player::answered(const simulated_name& guard, bool answer) {
    if (in_step_) note({.kind = happening::asked, .yes = answer, .name = guard.name});
}

void player::ran(const simulated_name& hook) {
    if (in_step_) note({.kind = happening::ran, .name = hook.name});
}

void player::measured(const simulated_name& delay) {
    if (in_step_) note({.kind = happening::timed, .name = delay.name, .text = to_string(delay.length)});
}

void player::logged(std::string_view label, std::string_view text) {
    if (in_step_) note({.kind = happening::logged, .name = std::string(label), .text = std::string(text)});
}

void player::sent(std::string_view event, std::string_view target, std::string_view data) {
    const auto with = data.empty() ? std::string() : ' ' + std::string(data);
    if (in_step_) note({.kind = happening::sent, .name = std::string(event), .text = std::string(target) + with});
}

void player::failed(std::string_view event, std::string_view what) {
    if (in_step_) note({.kind = happening::failed, .name = std::string(event), .text = std::string(what)});
}

} // namespace hsm::detail::tool
