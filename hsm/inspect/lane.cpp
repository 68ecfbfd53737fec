#include <hsm/inspect/detail/lane_core.hpp>

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/inspect/detail/hub.hpp>
#include <hsm/inspect/inspect_error.hpp>
#include <hsm/inspect/page.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

namespace hsm::inspect::detail {

lane_core::~lane_core() {
    keep_if([](const subject&) { return false; });
}

namespace {
/// Reads what the server must know of an object.
machine_added addition_of(subject& s) {
    machine_added added{s.id(), s.parent ? s.parent->id() : no_machine, s.kind(), s.name(), s.chart(), {}, s.facts()};
    if (s.is_machine()) {
        s.update();
        added.leaves = s.leaves();
    }
    s.sent = added.facts;
    return added;
}
} // namespace

subject* lane_core::list(std::string name, const watched& object, subject* around, agent_id agent, const managed_base& machine) {
    auto made = std::make_unique<subject>(all_, feed_, std::move(name), object, around, agent, machine);
    auto* const s = made.get();
    if (s->id() == no_machine) return nullptr;
    auto added = addition_of(*s);
    s->note_listed(added.chart);
    if (subjects_.size() == subjects_.capacity()) subjects_.reserve(2 * subjects_.size() + 8);
    attended_.reserve(subjects_.capacity());
    auto slot = feed::new_slot();
    by_id_.emplace(s->id(), s);
    // Nothing below throws.
    subjects_.push_back(std::move(made));
    feed_.send(std::move(added), std::move(slot));
    return s;
}

void lane_core::add_watched(std::string_view name, const watched& machine) {
    auto* const listed = list(std::string(name), machine);
    if (!listed)
        throw inspect_error(code::not_listed, fmt::format("the page cannot list \"{}\": it already lists the maximum number of machines", name),
                            "remove some, or increase page_limits::machines");
    if (listed->kind() != machine_kind::manager) return;
    try {
        list_new(*listed);
    } catch (...) {
        remove_at(listed->key());
        throw;
    }
}

std::uint32_t lane_core::add_agent(subject& of, agent_id which) {
    for (const auto& s : subjects_)
        if (s->parent == &of && s->agent() == which) return s->id();
    if (!of.crowd().has(which)) throw inspect_error(code::not_listed, fmt::format("agent {} does not exist", which.index), "list the agents again");
    const auto* const agent = list(fmt::format("agent {}", which.index), {machine_kind::agent, nullptr}, &of, which);
    if (!agent) throw inspect_error(code::not_listed, "the page already lists the maximum number of machines", "close some agents");
    return agent->id();
}

/// Removes the objects for which `keep` returns false, inner ones first. Needs no memory.
template <class Keep> void lane_core::keep_if(Keep keep) {
    const auto removed = std::stable_partition(subjects_.begin(), subjects_.end(), [&](const auto& s) { return keep(*s); });
    while (subjects_.end() != removed) {
        auto& s = *subjects_.back();
        feed_.send(machine_removed{s.id()}, std::move(s.removal));
        by_id_.erase(s.id());
        subjects_.pop_back();
    }
    next_ = 0;
    attend();
}

void lane_core::remove_at(const void* key) {
    keep_if([&](const subject& s) { return s.key() != key && (!s.parent || s.parent->key() != key); });
}

void lane_core::record_at(const void* key) {
    for (const auto& s : subjects_)
        if (s->key() == key && s->is_machine()) return s->record(true);
    throw inspect_error(code::not_listed, "the page does not list the machine to record", "call add first; crowds and managers cannot be recorded");
}

bool lane_core::runs_at(const void* key) {
    for (auto* const s : attended_)
        if (s->address() == key) return s->may_run();
    return true;
}

void lane_core::attend() {
    attended_.clear();
    for (const auto& s : subjects_) {
        auto& runner = s->runner();
        const bool is_known = std::ranges::find(attended_, &runner) != attended_.end();
        if ((s->is_watched || runner.is_paused) && !is_known) attended_.push_back(&runner);
    }
    asks_ = !attended_.empty();
}

void lane_core::poll_now() {
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
    auto result = run(s, c);
    const auto send_answer = [&] {
        if (c.verb != verb::open && c.verb != verb::close)
            feed_.send(command_done{c.number, c.viewer, c.machine, c.verb, std::move(result)}, std::move(answer));
    };
    if (s && c.verb == verb::close_agent && s->kind() == machine_kind::agent) {
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
    if (!s.is_watched && !s.is_unsent && s.is_machine() && s.is_unchanged()) return;
    if (!s.exists()) {
        some_ended_ = true;
        return;
    }
    if (s.kind() == machine_kind::crowd) count(s, now);
    if (s.kind() == machine_kind::manager) list_new(s);
    if (s.is_machine()) s.update_recording(); // begins it if there was no memory when a viewer opened the machine
    report(s);
}

/// Sends the changes of an object. If it throws, the next sample tries again.
void lane_core::report(subject& s) {
    const bool was_unsent = std::exchange(s.is_unsent, true);
    if (s.is_machine() && s.has_other_chart()) { // after a reload
        send_changes();                          // of the old chart
        s.end_observers();
        const auto added = addition_of(s);
        feed_.send(added);
        s.note_listed(added.chart);
        s.update_recording();
    } else if (s.is_machine() && (s.update() || was_unsent)) {
        note_leaves(s);
    }
    if (auto now = s.facts(); now != s.sent) {
        feed_.send(facts_changed{s.id(), now});
        s.sent = std::move(now);
    }
    s.is_unsent = false;
}

/// Counts the agents of a crowd in each leaf, some pages in each call.
void lane_core::count(subject& s, std::int64_t now) {
    const auto& herd = hsm::detail::crowd_access::core_of(s.crowd());
    if (s.counted_pages == 0) {
        if (now - s.counted_at < count_time && s.counted_at != 0) return;
        s.counts.assign(herd.layout().states + std::size_t(1), 0);
        s.counted_at = now;
    }
    const auto end = std::min(herd.pages(), s.counted_pages + pages_at_once);
    while (s.counted_pages < end) herd.count_leaves(herd.page_number(s.counted_pages++), s.counts);
    if (s.counted_pages < herd.pages()) return;
    population all{s.id(), {}, s.counts.back()};
    for (std::size_t leaf = 0; leaf + 1 < s.counts.size(); ++leaf)
        if (s.counts[leaf] > 0) all.counts.emplace_back(static_cast<std::uint16_t>(leaf), s.counts[leaf]);
    feed_.send(std::move(all));
    s.counted_pages = 0;
}

void lane_core::list_new(subject& s) {
    for (const auto& [machine, serial] : s.new_machines()) {
        list(std::string(machine.name()), {machine_kind::managed, nullptr}, &s, {}, machine);
        s.seen = serial; // the next call continues there if `list` throws
    }
    s.seen = s.newest();
}

void lane_core::note_leaves(subject& s) {
    changes_.changes.push_back({s.id(), static_cast<std::uint32_t>(s.leaves().size())});
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

class page_core {
public:
    explicit page_core(const page_options& options) : all_(options.most.machines), hub_(options) {}

    inspect::lane& add_lane() {
        const std::lock_guard lock(mutex_);
        return lanes_.emplace_back().emplace(all_, hub_.new_feed()); // the feed is created last: it remains
    }
    std::string url() const { return hub_.url(); }

private:
    listing all_;
    hub hub_;
    std::mutex mutex_; ///< of the lanes
    std::list<std::optional<lane_core>> lanes_;
};

} // namespace hsm::inspect::detail

namespace hsm::inspect {

page::page(const page_options& options) : core_(make_owned<detail::page_core>(options)), first_(&core_->add_lane()) {}
page::~page() = default;
std::string page::url() const { return core_->url(); }
lane& page::lane() { return core_->add_lane(); }

} // namespace hsm::inspect
