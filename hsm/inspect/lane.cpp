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

/// Creates a subject, and sends it to the server. Requires that `args` begin with its number.
template <class Kind, class... Args> Kind& lane_core::list(Args&&... args) {
    auto made = std::make_unique<Kind>(std::forward<Args>(args)...);
    auto& s = *made;
    machine_added added{s.id, s.parent ? s.parent->id : no_machine, s.kind, s.name, s.chart(), {}, s.current_facts()};
    if (auto* const machine = s.as_machine()) {
        machine->update();
        added.leaves = machine->leaves();
    }
    s.sent = added.facts;
    by_id_.emplace(s.id, &s);
    subjects_.push_back(std::move(made));
    feed_.send(std::move(added));
    return s;
}

void lane_core::add(std::string_view name, const watched& what) {
    all_.take(name);
    const auto id = all_.enter();
    if (id == no_machine) {
        all_.release(std::string(name));
        throw inspect_error(code::not_listed, fmt::format("the page lists too many machines to add \"{}\"", name),
                            "remove some, or increase page_limits::machines");
    }
    if (what.crowd)
        list<crowd_subject>(id, std::string(name), feed_, what);
    else if (what.manager)
        look_at(list<manager_subject>(id, std::string(name), feed_, what));
    else
        list<instance_subject>(id, std::string(name), feed_, what);
}

std::uint32_t lane_core::add_agent(crowd_subject& of, agent_id which) {
    for (const auto& s : subjects_) {
        if (s->parent != &of) continue;
        if (const auto& agent = static_cast<const agent_subject&>(*s); agent.which() == which) return agent.id;
    }
    if (!of.herd().has(which)) throw inspect_error(code::not_listed, fmt::format("agent {} does not exist", which.index), "list the agents again");
    const auto id = all_.enter();
    if (id == no_machine) throw inspect_error(code::not_listed, "the page lists too many machines", "close some agents");
    return list<agent_subject>(id, of, which, feed_).id;
}

/// Removes all other objects, inner ones first.
template <class Keep> void lane_core::keep_if(Keep keep) {
    const auto removed = std::stable_partition(subjects_.begin(), subjects_.end(), [&](const auto& s) { return keep(*s); });
    while (subjects_.end() != removed) {
        auto& s = *subjects_.back();
        feed_.send(machine_removed{s.id});
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
    if (feed_.take_destroyed()) keep_if(exists);
    for (auto left = feed::most_commands; left > 0; --left) {
        const auto c = feed_.pop_command();
        if (!c) break;
        execute(*c);
    }
    if (!feed_.has_viewers() || feed_.is_behind()) return;
    sample(feed_.clock().now());
    if (std::exchange(some_ended_, false)) keep_if(exists);
}

void lane_core::execute(const command& c) {
    const auto found = by_id_.find(c.machine);
    auto* const s = found != by_id_.end() && found->second->exists() ? found->second : nullptr;
    auto result = s ? run_command(*this, *s, c) : unknown_machine();
    if (s && c.verb == verb::close_agent && s->kind == machine_kind::agent) {
        keep_if([&](const subject& each) { return &each != s; });
    } else if (s && s->exists()) {
        attend();
        send_facts(*s);
        if (auto* const machine = s->as_machine(); machine && machine->update()) note_leaves(*machine);
        send_changes();
    }
    if (c.verb == verb::open || c.verb == verb::close) return;
    feed_.send(command_done{c.number, c.viewer, c.machine, c.verb, std::move(result)});
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
    if (is_machine && !s.is_watched && static_cast<const machine_subject&>(s).is_unchanged()) return;
    if (!s.exists()) {
        some_ended_ = true;
        return;
    }
    if (auto* const herd = s.as_crowd()) look_at(*herd, now);
    if (auto* const machines = s.as_manager()) look_at(*machines);
    auto* const machine = s.as_machine();
    const bool has_changed = machine && machine->update();
    if (has_changed) note_leaves(*machine);
    send_facts(s);
}

void lane_core::look_at(crowd_subject& s, std::int64_t now) {
    if (!s.is_counting && now - s.counted_at < count_time && s.counted_at != 0) return;
    if (!s.is_counting) s.counted_at = now;
    s.is_counting = !s.counter.count_some(s.herd(), pages_at_once);
    if (s.is_counting) return;
    population counts{s.id, {}, 0};
    s.counter.take(counts);
    feed_.send(std::move(counts));
}

void lane_core::look_at(manager_subject& s) {
    s.each_new([&](const managed_base& machine) {
        if (const auto id = all_.enter(); id != no_machine) list<managed_subject>(id, s, machine, feed_);
    });
}

void lane_core::note_leaves(machine_subject& s) {
    changes_.changes.push_back({s.id, static_cast<std::uint32_t>(s.leaves().size())});
    changes_.leaves.insert(changes_.leaves.end(), s.leaves().begin(), s.leaves().end());
}

void lane_core::send_changes() {
    if (!changes_.changes.empty()) feed_.send(std::exchange(changes_, {}));
}

void lane_core::send_facts(subject& s) {
    auto now = s.current_facts();
    if (now == s.sent) return;
    s.sent = now;
    feed_.send(facts_changed{s.id, std::move(now)});
}

} // namespace hsm::inspect::detail
