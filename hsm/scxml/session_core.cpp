// The main loop and time.

#include <hsm/scxml/detail/session_core.hpp>

#include <hsm/define/named_event.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/error.hpp>
#include <hsm/scxml/detail/runner.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hsm::detail::scxml {

namespace {

/// Returns the outer time until `inner` has passed for a machine; negative if that never happens.
std::int64_t outer_time(const instance_base& machine, std::int64_t inner) {
    if (machine.paused()) return inner == 0 ? 0 : -1;
    const auto scale = machine.time_scale();
    if (scale == 1) return inner;
    const auto outer = std::ceil(static_cast<double>(inner) / scale);
    return outer < 9e18 ? static_cast<std::int64_t>(outer) : -1;
}

} // namespace

/// A session whose machine has been stopped has ended, whatever else failed.
struct session_core::until_stopped {
    session_core& s;
    ~until_stopped() {
        if (!s.machine_.active() && s.running) s.end_session();
    }
};

session_core::session_core(hsm::scxml::session_base& f, instance_base& m, hsm::scxml::context& d, const document* o,
                           const hsm::scxml::session_options& given, host_core* with, session_core* by)
    : face(f), machine_(m), data(d), of(o), options(given), parent(by), host(with), event_setter_(d) {
    if (!host) {
        own_host = make_owned<host_core>(options.most);
        host = own_host.get();
    }
    data.session_ = this;
    data.sets_event_ = of && of->model;
    if (data.sets_event_) attached_ = machine_.attach(event_setter_, record_kind::event);
}

session_core::~session_core() {
    host->forget(*this);
    data.session_ = nullptr;
    data.sets_event_ = false;
}

engine& session_core::engine_of_machine() const { return instance_access::engine_of(machine_); }

std::vector<std::string> session_core::leaves() const {
    std::vector<std::string> names;
    for (const auto leaf : machine_.leaves()) names.emplace_back(leaf.name());
    return names;
}

// --- calls ---

result session_core::start(const hsm::scxml::named_values& given) {
    if (running || machine_.active()) return result::busy;
    if (of) of->require_runnable();
    if (host->find(data.session_id()))
        throw usage_error({code::session_exists, std::string(data.session_id()), "another session of this host has this id",
                           "choose another id: context::set_session_id"});
    const bool outermost_call = !host->in_call;
    const host_core::call_scope call(*host);
    host->by_id.emplace(data.session_id(), this);
    forget_all();
    running = true;
    values = &given;
    struct until_started {
        session_core& s;
        ~until_started() {
            s.values = nullptr;
            if (!s.machine_.active()) s.end_session(); // it could not be started
        }
    };
    auto outcome = result::taken;
    {
        const until_started guard{*this};
        outcome = machine_.start();
    }
    if (parent) {
        settle();
        if (data.used_up_) throw_used_up(); // handled by the invoking session
    } else {
        guarded([&] { settle(); });
    }
    if (outermost_call) host->run(options.max_macrosteps);
    return outcome;
}

void session_core::forget_all() {
    end.clear();
    done_data.clear();
    last.clear();
    queue.clear();
    invoked.clear();
    to_invoke.clear();
    canceled = false;
    data.used_up_ = false;
}

result session_core::process(event_info event) {
    if (!running || !machine_.active()) return result::inactive;
    if (!post(std::move(event))) return result::full;
    if (host->in_call) return result::queued;
    awaited_ = queue.size();
    host->run(options.max_macrosteps);
    return outcome_;
}

/// In the common case, passes the event directly to the machine.
result session_core::process(std::string_view name) {
    const bool straight = running && !data.model_ && invoked.empty() && !host->in_call && host->turns.empty();
    if (!straight) return process(event_info{std::string(name), "external", {}, {}, {}, {}, {}});
    auto outcome = result::unhandled;
    const host_core::call_scope call(*host);
    guarded([&] {
        outcome = machine_.process(name);
        settle();
    });
    if (!host->turns.empty()) host->run(options.max_macrosteps);
    return outcome;
}

result session_core::run() {
    if (host->in_call) return result::busy;
    if (!running) return result::inactive;
    host->run(options.max_macrosteps);
    return result::taken;
}

result session_core::stop() {
    if (!running) return result::inactive;
    const host_core::call_scope call(*host);
    const until_stopped guard{*this};
    return machine_.stop();
}

// --- events ---

bool session_core::post(event_info event) {
    if (!running || queue.size() >= options.max_queued) return false;
    host->turns.make_room();
    queue.push(std::move(event));
    host->turns.push(this);
    return true;
}

void session_core::handle_next() {
    const auto event = queue.pop();
    struct part {
        session_core& s;
        const event_info& e;
    } about{*this, event};
    const auto open = [](machine& m, void* self) {
        const auto& p = *static_cast<part*>(self);
        p.s.open_call(m, p.e);
    };
    const refer_name named(event.name, data_of(event.data));
    const event_ref& view = named;
    const auto outcome = calls::process_after(engine_of_machine(), {open, &about}, &view);
    taken_ |= outcome == result::taken;
    if (awaited_ > 0 && --awaited_ == 0) outcome_ = outcome;
    settle();
}

/// Prepares an external event before any transition is evaluated, as the standard requires.
void session_core::open_call(machine& m, const event_info& event) {
    data.machine_ = &m;
    if (data.model_) data.model_->set_event(event);
    for (const auto& one : invoked) {
        if (!event.invokeid.empty() && one->id == event.invokeid) runner{data, m}.finalize(*one->spec, event);
        if (one->spec->autoforward && !pass_on(*one, event))
            data.on_error("error.platform", fmt::format("the event \"{}\" was not forwarded to \"{}\": its queue is full", event.name, one->id));
    }
}

/// Handles events that the host's behavior has posted to the machine, then the end of the machine.
void session_core::settle() {
    for (std::size_t steps = 0; machine_.queued() > 0 && machine_.active() && !machine_.finished(); ++steps) {
        if (steps == options.max_macrosteps)
            throw chain_error({code::chain, std::string(machine_.current().name()),
                               fmt::format("the machine keeps posting events to itself ({} times so far)", steps),
                               "send one of these events with a delay"});
        taken_ |= machine_.drain() == result::taken;
    }
    if (running && machine_.finished())
        finish();
    else if (running && !machine_.active()) // stopped in a callback
        end_session();
}

/// Called when a top-level <final> was reached.
void session_core::finish() {
    last = leaves();
    end = last.empty() ? std::string("end") : last.front();
    const auto* const final = machine_.current().get();
    const auto* by = parent;
    {
        const until_stopped guard{*this};
        machine_.stop();
        if (of)
            if (const auto found = of->done_data.find(final); found != of->done_data.end())
                done_data = runner{data, engine_of_machine()}.done_data(found->second).json;
    }
    if (by && !canceled) parent->child_done(*this);
}

void session_core::end_session() {
    running = false;
    queue.clear();
    host->forget(*this);
}

void session_core::throw_used_up() const { runner{data, engine_of_machine()}.throw_used_up(); }

/// Its exits run no content of the document.
void session_core::end_used_up() {
    try {
        machine_.stop();
    } catch (...) { // the exception below is thrown instead
    }
    if (running) end_session();
    throw_used_up();
}

// --- time ---

std::optional<std::int64_t> session_core::next_delay() const {
    std::optional<std::int64_t> next;
    if (!running) return next;
    if (const auto own = data.next_delay()) next = own->nanoseconds();
    for (const auto& one : invoked)
        if (one->session)
            if (const auto theirs = one->session->core().next_delay(); theirs && (!next || *theirs < *next)) next = theirs;
    return next;
}

/// Returns the session with the most overdue event, or null.
session_core* session_core::most_overdue(std::int64_t& by) {
    session_core* found = nullptr;
    const auto& waiting = data.delayed_;
    if (running && !waiting.empty() && data.now_ - waiting.front().due > by) {
        by = data.now_ - waiting.front().due;
        found = this;
    }
    for (const auto& one : invoked)
        if (one->session)
            if (auto* const theirs = one->session->core().most_overdue(by)) found = theirs;
    return found;
}

void session_core::deliver_due() {
    auto due = std::move(data.delayed_.front());
    data.delayed_.pop_front();
    struct part {
        session_core& s;
        hsm::scxml::outgoing event;
    } about{*this, {std::move(due.event), std::move(due.target), std::move(due.type), std::move(due.sendid), std::move(due.data), {}}};
    const auto open = [](machine& m, void* self) {
        auto& p = *static_cast<part*>(self);
        runner{p.s.data, m}.dispatch(std::move(p.event), 0);
    };
    calls::process_after(engine_of_machine(), {open, &about}, nullptr); // an unknown target is an error event
    settle();
}

void session_core::advance(std::int64_t elapsed) {
    const auto before = machine_.now().nanoseconds();
    taken_ |= machine_.tick(time_span::from_nanoseconds(elapsed)) == result::taken;
    const auto passed = machine_.now().nanoseconds() - before;
    data.now_ = data.after(passed);
    settle();
    for (std::size_t i = 0; i < invoked.size(); ++i)
        if (invoked[i]->session) {
            auto& child = invoked[i]->session->core();
            child.guarded([&] { child.advance(passed); });
        }
}

result session_core::tick(std::int64_t elapsed) {
    if (elapsed < 0) return result::refused;
    if (host->in_call) return result::busy;
    if (!running) return result::inactive;
    taken_ = false;
    const host_core::call_scope call(*host);
    std::size_t delivered = 0;
    for (auto left = elapsed; running;) {
        const auto next = next_delay();
        const auto until = next ? outer_time(machine_, *next) : -1;
        const bool comes = until >= 0 && until <= left;
        const auto part = comes ? until : left;
        guarded([&] { advance(part); });
        left -= part;
        host->run(options.max_macrosteps);
        std::int64_t by = -1;
        for (session_core* whose = nullptr; (whose = most_overdue(by)); by = -1) {
            if (++delivered > options.max_macrosteps)
                throw chain_error({code::chain,
                                   {},
                                   fmt::format("more than {} delayed events are due in one tick", options.max_macrosteps),
                                   "tick in shorter steps"});
            whose->guarded([&] { whose->deliver_due(); });
            host->run(options.max_macrosteps);
        }
        if (!comes) break;
    }
    return taken_ ? result::taken : result::unhandled;
}

} // namespace hsm::detail::scxml
