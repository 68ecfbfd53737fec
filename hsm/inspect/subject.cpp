#include <hsm/inspect/detail/subject.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/inspect/inspect_error.hpp>
#include <hsm/manage/detail/machine_pool.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/crowd_document.hpp>
#include <hsm/save/manager_document.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <algorithm>
#include <new>

namespace hsm::inspect::detail {

using namespace hsm::detail;

std::uint32_t listing::enter(const std::string& name, bool unique) {
    const std::lock_guard lock(mutex_);
    if (unique && name.empty()) throw inspect_error(code::bad_machine_name, "the name of a machine on the page is empty", "pass a name");
    if (unique && !names_.insert(name).second)
        throw inspect_error(code::bad_machine_name, fmt::format("the page already lists \"{}\"", name),
                            "use another name, or remove the other machine");
    return count_ < most_ ? ++count_, ++last_ : no_machine;
}

void listing::leave(std::uint32_t number, const std::string& name, bool unique) {
    const std::lock_guard lock(mutex_);
    if (number != no_machine) --count_;
    if (unique) names_.erase(name);
}

namespace {

/// Makes poll remove the objects that were destroyed.
void note_destroyed(void* to) noexcept { static_cast<feed*>(to)->note_change(); }

struct opened_chart : chart_base {
    explicit opened_chart(const chart_core& core) : chart_base(&core) { add_user(&core); }
};
/// Returns a handle to the chart of a machine, which can be observed.
chart_base chart_of(const instance_base& m) { return opened_chart(*core_of(instance_access::engine_of(m)).owner); }

/// Compares the leaves of a machine with those that were read last, and stores them if they differ. Returns whether they differ.
bool update_leaves(const machine& m, std::vector<std::uint16_t>& known) {
    const auto& core = core_of(m);
    if (!core.by_regions && m.leaf != no_index && known.size() == 1 && known.front() == m.leaf) return false;
    std::size_t n = 0;
    bool differs = false;
    each_leaf(m, core, [&](index leaf) {
        differs |= n >= known.size() || known[n] != leaf;
        ++n;
    });
    if (!differs && n == known.size()) return false;
    known.reserve(n);
    known.clear();
    each_leaf(m, core, [&](index leaf) { known.push_back(leaf); });
    return true;
}

/// Requires that no hook of the machine runs.
keyframe keyframe_of(const machine& m) {
    const auto& core = core_of(m);
    keyframe now;
    now.clock = m.now;
    for (std::size_t s = 0; s < core.states.size(); ++s) {
        if (m.leaf == no_index || !is_active(m, core, static_cast<index>(s))) continue;
        now.active.push_back(static_cast<std::uint16_t>(s));
        const auto& timers = core.states[s].timers;
        for (auto t = timers.first; t < timers.first + timers.count; ++t)
            if (const auto due = due_at(m, core, t); due != never) now.timers.emplace_back(t, due);
    }
    if (core.conditions.empty()) return now;
    const condition_bits bits(m, core);
    for (std::uint32_t c = 1; c < core.conditions.size(); ++c)
        if (bits[c]) now.conditions.push_back(c);
    return now;
}

void add_stop(breakpoint_base& to, const chart_view& chart, const break_place& place) {
    const auto state = chart.state(place.number);
    switch (place.at) {
    case break_kind::entry: to.at_entry(state ? state.ref() : state_ref()); break;
    case break_kind::exit: to.at_exit(state ? state.ref() : state_ref()); break;
    case break_kind::transition: to.at_transition(chart.transition(place.number)); break;
    case break_kind::condition: to.at_condition(chart.condition(place.number)); break;
    case break_kind::event: to.at_event(chart.event(place.number)); break;
    case break_kind::error: to.at_error(); break;
    }
}

/// Returns the place of a record, and a text: "break at entry of hero/attack".
std::pair<break_place, std::string> place_of(const hsm::record& r, const chart_view& chart) {
    switch (r.kind) {
    case record_kind::entered: return {{break_kind::entry, r.state}, fmt::format("break at entry of {}", chart.state(r.state).path())};
    case record_kind::exited: return {{break_kind::exit, r.state}, fmt::format("break at exit of {}", chart.state(r.state).path())};
    case record_kind::transition: {
        const auto same = chart.transition(r.number).same_as();
        return {{break_kind::transition, same.number()}, fmt::format("break at {}", same.text())};
    }
    case record_kind::condition: return {{break_kind::condition, r.number}, fmt::format("break at a change of {}", chart.condition(r.number).text())};
    case record_kind::event: return {{break_kind::event, r.number}, fmt::format("break at event {}", chart.event(r.number).text())};
    default: return {{break_kind::error, 0}, "break at an exception of a hook"};
    }
}

} // namespace

subject::subject(listing& all, feed& to, std::string name, const watched& object, subject* around, agent_id agent, const managed_base& machine)
    : parent(around), all_(all), to_(to), name_(std::move(name)), object_(object), agent_(agent), managed_(machine) {
    if (!parent) address_.emplace(object.object, &note_destroyed, &to);
    id_ = all.enter(name_, !parent); // the last step that can fail
}

bool subject::exists() const {
    if (!parent) return address() != nullptr;
    return parent->exists() && (kind() == machine_kind::agent ? parent->crowd().has(agent_) : bool(managed_));
}

const void* subject::key() const {
    if (!parent) return address();
    return kind() == machine_kind::managed && exists() ? &*managed_ : nullptr;
}

bool subject::may_run() {
    asks = true;
    if (!is_paused) return true;
    if (steps == 0) return false;
    --steps;
    return true;
}

std::optional<chart_base> subject::chart() {
    if (kind() == machine_kind::manager) return {};
    if (kind() == machine_kind::crowd) return opened_chart(crowd_access::core_of(crowd()).layout().core);
    return use(chart_of);
}

machine_facts subject::facts() {
    machine_facts now{.stoppable = runner().asks, .paused = runner().is_paused, .recording = bool(written_), .stops = stops_};
    if (kind() == machine_kind::crowd)
        now.count = crowd().count();
    else if (kind() == machine_kind::manager)
        now.count = machines().count();
    else
        use([&](const instance_base& machine) {
            now.finished = object_.session ? object_.calls->finished(object_.session) : machine.finished();
            now.scale = machine.time_scale();
        });
    return now;
}

const machine_factory& subject::kinds() const {
    if (object_.kinds) return *object_.kinds;
    throw inspect_error(code::not_offered, fmt::format("the page does not know the kinds of the machines in \"{}\"", name()),
                        "the program must call `page.add(name, machines, kinds)`, with a machine_factory");
}

std::string subject::save() {
    constexpr std::size_t most = 5000; // the lane waits until the document is written
    if (kind() == machine_kind::manager) return save_document(machines(), kinds());
    if (kind() != machine_kind::crowd)
        return use([&](instance_base& machine) { return object_.calls ? object_.calls->save(called(machine)) : save_document(machine); });
    if (crowd().count() > most)
        throw inspect_error(code::not_offered, "a crowd of more than 5,000 agents cannot be saved on the page", "save it in your program");
    return save_crowd_document(crowd(), object_.contexts());
}

restored subject::load(std::string_view text) {
    if (kind() == machine_kind::manager) return restore_document(machines(), kinds(), text);
    if (kind() == machine_kind::crowd) return restore_crowd_document(crowd(), object_.contexts(), text, {});
    return use([&](instance_base& machine) { return object_.calls ? object_.calls->load(called(machine), text) : restore_document(machine, text); });
}

bool subject::update() {
    return use([&](const instance_base& machine) { return update_leaves(instance_access::engine_of(machine), leaves_); });
}

bool subject::is_unchanged() const {
    const auto* const there = address_ ? static_cast<const instance_base*>(address_->get()) : nullptr;
    if (!there || leaves_.size() != 1) return false;
    const auto& m = instance_access::engine_of(*there);
    return core_of(m).owner == &chart_->core() && m.leaf == leaves_.front() && !core_of(m).by_regions && ((m.work & work_over) != 0) == sent.finished;
}

bool subject::has_other_chart() { return &chart_->core() != &chart()->core(); }

void subject::end_observers() {
    stop_at({});
    written_.detach();
}

void subject::open(bool on) {
    is_open_ = on;
    update_recording();
}

void subject::record(bool on) {
    const auto before = std::exchange(is_recorded_, on);
    try {
        update_recording();
    } catch (...) {
        is_recorded_ = before;
        throw;
    }
}

void subject::update_recording() {
    is_watched = is_open_ || !stops_.empty();
    if ((is_open_ || is_recorded_) == bool(written_)) return;
    if (written_) return written_.detach();
    to_.send(recording_began{id(), use([](const instance_base& machine) { return keyframe_of(instance_access::engine_of(machine)); })});
    charts_ = 0;
    written_ = attach(*this, record_kinds::all());
    try {
        if (stopped_) stop_at(stops_); // a breakpoint follows its record
    } catch (...) {
        written_.detach();
        throw;
    }
}

attachment subject::attach(observer& to, record_kinds kinds) {
    if (kind() == machine_kind::agent) return parent->crowd().attach(agent_, to, kinds);
    return use([&](instance_base& machine) { return machine.attach(to, kinds); });
}

void subject::on_attached(const moment&) {
    if (++charts_ > 1) to_.note_change();
}

void subject::on_record(const hsm::record& r, const moment&) {
    if (charts_ == 1) in_order([&] { to_.ring().push({id(), r}); });
}

void subject::stop_at(std::vector<break_place> stops) {
    std::unique_ptr<breakpoint<stop>> places;
    attachment attached;
    if (!stops.empty()) {
        const auto its = chart();
        places = std::make_unique<breakpoint<stop>>(*its, stop{*this});
        for (const auto& each : stops) add_stop(*places, its->view(), each);
        attached = attach(*places, places->kinds());
    }
    stopped_ = std::move(attached);
    places_.swap(places);
    stops_ = std::move(stops);
    is_watched = is_open_ || !stops_.empty();
}

void subject::reached(const hsm::record& r, const moment& when) {
    in_order([&] {
        if (runner().is_paused && runner().steps == 0) return; // it has stopped in this call already
        runner().is_paused = true;
        runner().steps = 0;
        try {
            auto [place, text] = place_of(r, when.chart().view());
            to_.send(breakpoint_reached{id(), place, std::move(text)});
        } catch (const std::bad_alloc&) { // the machine is paused, which the next sample reports
        }
    });
}

std::uint64_t subject::newest() const { return manager_access::pool_of(machines()).issued(); }

std::vector<std::pair<managed_base, std::uint64_t>> subject::new_machines() const {
    auto& pool = manager_access::pool_of(machines());
    std::vector<std::pair<managed_base, std::uint64_t>> found;
    if (pool.issued() == seen) return found;
    for (auto* slot = pool.first(); slot; slot = slot->after)
        if (slot->is == slot_status::present && slot->serial > seen) found.emplace_back(pool.handle(slot), slot->serial);
    return found;
}

} // namespace hsm::inspect::detail
