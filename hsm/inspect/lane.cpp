#include <hsm/inspect/detail/commands.hpp>
#include <hsm/inspect/detail/lane_core.hpp>
#include <hsm/inspect/inspect_error.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <utility>

namespace hsm::inspect::detail {

void listing::take(std::string_view name) {
    if (name.empty()) throw inspect_error(code::bad_machine_name, "the name of a machine on the page is empty", "pass a name");
    const std::lock_guard lock(mutex_);
    if (names_.emplace(name).second) return;
    throw inspect_error(code::bad_machine_name, fmt::format("the page already lists \"{}\"", name), "use another name, or remove the other machine");
}

void listing::release(const std::string& name) {
    const std::lock_guard lock(mutex_);
    names_.erase(name);
}

std::uint32_t listing::enter() {
    if (count_.fetch_add(1) < most_) return ++last_;
    --count_;
    return no_machine;
}

lane_core::~lane_core() {
    keep_if([](const subject&) { return false; });
}

namespace {
/// Reads what the server must know of an object.
machine_added addition_of(subject& s) {
    machine_added added{s.id, s.parent ? s.parent->id : no_machine, s.kind, s.name, s.chart(), {}, s.current_facts()};
    if (auto* const machine = s.as_machine()) {
        machine->update();
        added.leaves = machine->leaves();
    }
    s.sent = added.facts;
    return added;
}
} // namespace

/// Creates a subject, and sends it to the server. Returns null if the page lists too many machines. If it throws, nothing is listed.
template <class Kind, class... Args> Kind* lane_core::list(Args&&... args) {
    struct place {
        listing* all;
        std::uint32_t id;
        ~place() {
            if (all && id != no_machine) all->leave();
        }
    } taken{&all_, all_.enter()};
    if (taken.id == no_machine) return nullptr;
    auto made = std::make_unique<Kind>(taken.id, std::forward<Args>(args)...);
    auto& s = *made;
    auto added = addition_of(s);
    if (auto* const machine = s.as_machine()) machine->note_listed(added.chart);
    if (subjects_.size() == subjects_.capacity()) subjects_.reserve(2 * subjects_.size() + 8);
    attended_.reserve(subjects_.capacity());
    auto slot = feed::new_slot();
    by_id_.emplace(s.id, &s);
    // Nothing below throws.
    subjects_.push_back(std::move(made));
    feed_.send(std::move(added), std::move(slot));
    taken.all = nullptr;
    return &s;
}

void lane_core::add(std::string_view name, const watched& what) {
    const std::string called(name);
    all_.take(called);
    const subject* listed = nullptr;
    try {
        if (what.crowd) {
            listed = list<crowd_subject>(called, feed_, what);
        } else if (what.manager) {
            auto* const machines = list<manager_subject>(called, feed_, what);
            listed = machines;
            if (machines) look_at(*machines);
        } else {
            listed = list<instance_subject>(called, feed_, what);
        }
    } catch (...) {
        if (listed)
            keep_if([&](const subject& s) { return &s != listed && s.parent != listed; });
        else
            all_.release(called);
        throw;
    }
    if (listed) return;
    all_.release(called);
    throw inspect_error(code::not_listed, fmt::format("the page lists too many machines to add \"{}\"", name),
                        "remove some, or increase page_limits::machines");
}

std::uint32_t lane_core::add_agent(crowd_subject& of, agent_id which) {
    for (const auto& s : subjects_) {
        if (s->parent != &of) continue;
        if (const auto& agent = static_cast<const agent_subject&>(*s); agent.which() == which) return agent.id;
    }
    if (!of.herd().has(which)) throw inspect_error(code::not_listed, fmt::format("agent {} does not exist", which.index), "list the agents again");
    const auto* const agent = list<agent_subject>(of, which, feed_);
    if (!agent) throw inspect_error(code::not_listed, "the page lists too many machines", "close some agents");
    return agent->id;
}

/// Removes the objects for which `keep` returns false, inner ones first. Needs no memory.
template <class Keep> void lane_core::keep_if(Keep keep) {
    const auto removed = std::stable_partition(subjects_.begin(), subjects_.end(), [&](const auto& s) { return keep(*s); });
    while (subjects_.end() != removed) {
        auto& s = *subjects_.back();
        feed_.send(machine_removed{s.id}, std::move(s.removal));
        by_id_.erase(s.id);
        if (!s.parent) all_.release(s.name);
        all_.leave();
        subjects_.pop_back();
    }
    next_ = 0;
    attend();
}

void lane_core::remove(const void* key) {
    keep_if([&](const subject& s) { return s.key() != key && (!s.parent || s.parent->key() != key); });
}

void lane_core::record(const void* key) {
    for (const auto& s : subjects_)
        if (s->key() == key && s->as_machine()) return s->as_machine()->record(true);
    throw inspect_error(code::not_listed, "the page does not list the machine to record", "call add first; crowds and managers cannot be recorded");
}

bool lane_core::runs(const void* key) {
    for (auto* const s : attended_)
        if (s->place->get() == key) return s->may_run();
    return true;
}

/// Finds the objects for which runs() decides something.
void lane_core::attend() {
    attended_.clear();
    for (const auto& s : subjects_) {
        auto& runner = s->runner();
        const bool is_known = std::ranges::find(attended_, &runner) != attended_.end();
        if ((s->is_watched || runner.is_paused) && !is_known) attended_.push_back(&runner);
    }
    asks_ = !attended_.empty();
}

void lane_core::poll() {
    const auto exists = [](const subject& s) { return s.exists(); };
    if (feed_.take_change()) {
        keep_if(exists);
        for (const auto& s : subjects_) report(*s);
    }
    for (auto left = feed::most_commands; left > 0 && feed_.has_commands(); --left) {
        auto answer = feed::new_slot(); // before the command is taken: each command is answered
        execute(*feed_.pop_command(), std::move(answer));
    }
    if (!feed_.has_viewers() || feed_.is_behind()) return;
    sample(feed_.clock().now());
    if (std::exchange(some_ended_, false)) keep_if(exists);
}

void lane_core::execute(const command& c, message_slot&& answer) {
    const auto found = by_id_.find(c.machine);
    auto* const s = found != by_id_.end() && found->second->exists() ? found->second : nullptr;
    auto result = s ? run_command(*this, *s, c) : unknown_machine();
    const auto send_answer = [&] {
        if (c.verb != verb::open && c.verb != verb::close)
            feed_.send(command_done{c.number, c.viewer, c.machine, c.verb, std::move(result)}, std::move(answer));
    };
    if (s && c.verb == verb::close_agent && s->kind == machine_kind::agent) {
        keep_if([&](const subject& each) { return &each != s; });
    } else if (s && s->exists()) {
        attend();
        try {
            report(*s);
            send_changes();
        } catch (...) {
            send_answer();
            throw;
        }
    }
    send_answer();
}

/// Looks at the part of the list that is due. The whole list takes a round.
void lane_core::sample(std::int64_t now) {
    if (next_ == 0) {
        if (now - round_began_ < round_time) return;
        round_began_ = now;
    }
    const auto all = static_cast<double>(subjects_.size());
    const auto due = static_cast<std::size_t>(std::min(1.0, static_cast<double>(now - round_began_) / round_time) * all);
    const auto end = std::min(subjects_.size(), std::max(next_ + least_slice, due));
    for (; next_ < end; ++next_) look_at(*subjects_[next_], now);
    if (next_ >= subjects_.size()) next_ = 0;
    send_changes();
}

void lane_core::look_at(subject& s, std::int64_t now) {
    const bool is_machine = s.kind != machine_kind::crowd && s.kind != machine_kind::manager;
    if (is_machine && !s.is_watched && !s.is_unsent && static_cast<const machine_subject&>(s).is_unchanged()) return;
    if (!s.exists()) {
        some_ended_ = true;
        return;
    }
    if (auto* const herd = s.as_crowd()) look_at(*herd, now);
    if (auto* const machines = s.as_manager()) look_at(*machines);
    if (auto* const machine = s.as_machine()) machine->update_recording(); // begins it if there was no memory when a viewer opened the machine
    report(s);
}

/// Sends the changes of an object. If it throws, the next sample tries again.
void lane_core::report(subject& s) {
    const bool was_unsent = std::exchange(s.is_unsent, true);
    if (auto* const machine = s.as_machine()) {
        if (machine->has_other_chart()) { // after a reload
            send_changes();               // of the old chart
            machine->end_observers();
            const auto added = addition_of(s);
            feed_.send(added);
            machine->note_listed(added.chart);
            machine->update_recording();
        } else if (machine->update() || was_unsent) {
            note_leaves(*machine);
        }
    }
    send_facts(s);
    s.is_unsent = false;
}

void lane_core::look_at(crowd_subject& s, std::int64_t now) {
    if (!s.is_counting && now - s.counted_at < count_time && s.counted_at != 0) return;
    if (!s.is_counting) s.counted_at = now;
    s.is_counting = true;
    if (!s.counter.count_some(s.herd(), pages_at_once)) return;
    population counts{s.id, {}, 0};
    s.counter.take(counts);
    feed_.send(std::move(counts));
    s.is_counting = false; // after a failure it counts again
}

void lane_core::look_at(manager_subject& s) {
    s.each_new([&](const managed_base& machine) { list<managed_subject>(s, machine, feed_); });
}

void lane_core::note_leaves(machine_subject& s) {
    changes_.changes.push_back({s.id, static_cast<std::uint32_t>(s.leaves().size())});
    try {
        changes_.leaves.insert(changes_.leaves.end(), s.leaves().begin(), s.leaves().end());
    } catch (...) {
        changes_.changes.pop_back();
        throw;
    }
}

void lane_core::send_changes() {
    if (changes_.changes.empty()) return;
    feed_.send(std::move(changes_));
    changes_ = {};
}

void lane_core::send_facts(subject& s) {
    auto now = s.current_facts();
    if (now == s.sent) return;
    feed_.send(facts_changed{s.id, now});
    s.sent = std::move(now);
}

} // namespace hsm::inspect::detail
