#include <hsm/inspect/detail/subject.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/crowd/crowd.hpp>
#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/inspect/inspect_error.hpp>
#include <hsm/manage/detail/machine_pool.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/crowd_document.hpp>
#include <hsm/save/manager_document.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace hsm::inspect::detail {

using namespace hsm::detail;

namespace {

/// Makes poll remove the objects that were destroyed.
void note_destroyed(void* to) noexcept { static_cast<feed*>(to)->note_change(); }

struct opened_chart : chart_base {
    explicit opened_chart(const chart_core& core) : chart_base(&core) { add_user(&core); }
};
/// Returns a handle to the chart of a machine, which can be observed.
chart_base chart_of(const machine& m) { return opened_chart(*core_of(m).owner); }

/// An agent for one call.
struct loaded_agent : agent_call_base {
    using agent_call_base::agent_call_base;
    using agent_call_base::machine;
};

} // namespace

bool subject::may_run() {
    asks = true;
    if (!is_paused) return true;
    if (steps == 0) return false;
    --steps;
    return true;
}

machine_facts subject::current_facts() {
    auto now = facts();
    now.stoppable = runner().asks;
    now.paused = runner().is_paused;
    return now;
}

machine_subject::~machine_subject() = default;

std::optional<chart_base> machine_subject::chart() {
    std::optional<chart_base> found;
    use([&](instance_base& machine) { found = chart_of(instance_access::engine_of(machine)); });
    return found;
}

machine_facts machine_subject::facts() {
    machine_facts now;
    use([&](const instance_base& machine) {
        now.finished = session ? calls->finished(session) : machine.finished();
        now.scale = machine.time_scale();
    });
    now.recording = is_recording();
    now.stops = stops_;
    return now;
}

std::string machine_subject::save() {
    if (session) return calls->save(session);
    std::string text;
    use([&](const instance_base& machine) { text = documents ? documents->save(machine) : save_document(machine); });
    return text;
}

restored machine_subject::load(std::string_view text) {
    if (session) return {calls->load(session, text), {}};
    restored done;
    use([&](instance_base& machine) { done = documents ? documents->load(machine, text) : restore_document(machine, text); });
    return done;
}

bool machine_subject::update() {
    bool differs = false;
    use([&](const instance_base& machine) { differs = update_leaves(instance_access::engine_of(machine), leaves_); });
    return differs;
}

bool machine_subject::is_unchanged() const {
    const auto* const there = place ? static_cast<const instance_base*>(place->get()) : nullptr;
    if (!there || leaves_.size() != 1) return false;
    const auto& m = instance_access::engine_of(*there);
    return core_of(m).owner == &chart_->core() && m.leaf == leaves_.front() && !core_of(m).by_regions && ((m.work & work_over) != 0) == sent.finished;
}

bool machine_subject::has_other_chart() {
    const auto now = chart();
    return &chart_->core() != &now->core();
}

void machine_subject::end_observers() {
    watch({});
    written_.detach();
    writer_.reset();
}

void machine_subject::open(bool on) {
    is_open_ = on;
    update_recording();
}

void machine_subject::record(bool on) {
    const auto before = std::exchange(is_recorded_, on);
    try {
        update_recording();
    } catch (...) {
        is_recorded_ = before;
        throw;
    }
}

void machine_subject::update_recording() {
    is_watched = is_open_ || !stops_.empty();
    const bool wanted = is_open_ || is_recorded_;
    if (wanted == is_recording()) return;
    if (!wanted) {
        written_.detach();
        writer_.reset();
        to_.send(recording_ended{id}, std::move(recording_end_));
        return;
    }
    auto end = feed::new_slot();
    recording_began began{id, {}};
    use([&](const instance_base& machine) { began.state = keyframe_of(instance_access::engine_of(machine)); });
    to_.send(std::move(began));
    writer_.emplace(to_, id, order());
    try {
        written_ = attach(*writer_, record_kinds::all());
        if (stopped_) watch(stops_); // after the writer: a breakpoint follows its record
    } catch (...) {
        written_.detach();
        writer_.reset();
        to_.send(recording_ended{id}, std::move(end));
        throw;
    }
    recording_end_ = std::move(end);
}

void machine_subject::stop_at(const break_place& at) {
    if (std::ranges::find(stops_, at) != stops_.end()) return;
    auto stops = stops_;
    stops.push_back(at);
    watch(std::move(stops));
}

void machine_subject::ignore(const std::optional<break_place>& place) {
    std::vector<break_place> rest;
    if (place) {
        rest = stops_;
        std::erase(rest, *place);
    }
    watch(std::move(rest));
}

void machine_subject::watch(std::vector<break_place> stops) {
    std::unique_ptr<stop_places> places;
    attachment attached;
    if (!stops.empty()) {
        const auto its = chart();
        places = std::make_unique<stop_places>(*its, *this);
        for (const auto& each : stops) places->add(its->view(), each);
        attached = attach(*places, places->kinds());
    }
    stopped_ = std::move(attached);
    places_ = std::move(places);
    stops_ = std::move(stops);
    is_watched = is_open_ || !stops_.empty();
}

void machine_subject::stopped(const break_place& place, const chart_view& chart) {
    const auto stop = [&] {
        if (runner().is_paused && runner().steps == 0) return; // it has stopped in this call already
        runner().is_paused = true;
        runner().steps = 0;
        try {
            to_.send(breakpoint_reached{id, place, text_of(chart, place)});
        } catch (const std::bad_alloc&) { // the machine is paused, which the next sample reports
        }
    };
    if (!order()) return stop();
    const std::lock_guard lock(*order());
    stop();
}

instance_subject::instance_subject(std::uint32_t number, std::string called, feed& to, const watched& what)
    : machine_subject(number, nullptr,
                      what.session    ? machine_kind::session
                      : what.is_actor ? machine_kind::actor
                                      : machine_kind::instance,
                      std::move(called), to),
      follower_(what.instance, &note_destroyed, &to) {
    documents = what.documents;
    session = what.session;
    calls = what.calls;
    place = &follower_;
}

crowd_subject::crowd_subject(std::uint32_t number, std::string called, feed& to, const watched& what)
    : subject(number, nullptr, machine_kind::crowd, std::move(called)), follower_(what.crowd, &note_destroyed, &to), contexts_(what.contexts) {
    place = &follower_;
}

std::optional<chart_base> crowd_subject::chart() { return opened_chart(crowd_access::core_of(herd()).layout().core); }

machine_facts crowd_subject::facts() {
    machine_facts now;
    now.count = herd().count();
    return now;
}

std::string crowd_subject::save() {
    constexpr std::size_t most = 5000; // the lane waits until the document is written
    if (herd().count() > most)
        throw inspect_error(code::not_offered, "a crowd of more than 5,000 agents cannot be saved here", "save it in your program");
    return save_crowd_document(herd(), contexts_());
}
restored crowd_subject::load(std::string_view text) { return restore_crowd_document(herd(), contexts_(), text, {}); }

agent_subject::agent_subject(std::uint32_t number, crowd_subject& of, agent_id which, feed& to)
    : machine_subject(number, &of, machine_kind::agent, fmt::format("agent {}", which.index), to), id_(which) {}

bool agent_subject::exists() const { return parent->exists() && of().herd().has(id_); }
void agent_subject::use_by(void (*call)(void*, instance_base&), void* self) { call(self, loaded_agent(of().herd(), id_).machine()); }
attachment agent_subject::attach(observer& to, record_kinds kinds) { return of().herd().attach(id_, to, kinds); }

manager_subject::manager_subject(std::uint32_t number, std::string called, feed& to, const watched& what)
    : subject(number, nullptr, machine_kind::manager, std::move(called)), follower_(what.manager, &note_destroyed, &to), kinds_(what.kinds) {
    place = &follower_;
}

machine_facts manager_subject::facts() {
    machine_facts now;
    now.count = machines().count();
    return now;
}

const machine_factory& manager_subject::kinds() const {
    if (kinds_) return *kinds_;
    throw inspect_error(code::not_offered, fmt::format("the page does not know the kinds of the machines in \"{}\"", name),
                        "the program must call `page.add(name, machines, kinds)`, with a machine_factory");
}
std::string manager_subject::save() { return save_document(machines(), kinds()); }
restored manager_subject::load(std::string_view text) { return restore_document(machines(), kinds(), text); }

std::uint64_t manager_subject::issued() const { return manager_access::pool_of(machines()).issued(); }

std::vector<std::pair<managed_base, std::uint64_t>> manager_subject::new_machines() {
    auto& pool = manager_access::pool_of(machines());
    std::vector<std::pair<managed_base, std::uint64_t>> found;
    if (pool.issued() == seen_) return found;
    for (auto* slot = pool.first(); slot; slot = slot->after)
        if (slot->is == slot_status::present && slot->serial > seen_) found.emplace_back(pool.handle(slot), slot->serial);
    return found;
}

void managed_subject::use_by(void (*call)(void*, instance_base&), void* self) {
    const auto in_call = machine_.operator->();
    call(self, *in_call.operator->());
}

} // namespace hsm::inspect::detail
