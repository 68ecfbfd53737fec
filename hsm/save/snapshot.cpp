#include <hsm/save/detail/snapshot.hpp>

#include <hsm/save/detail/image_checker.hpp>
#include <hsm/vm/detail/active.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

value_bytes copy_of(std::span<const std::byte> value) { return {value.begin(), value.end()}; }

class snapshot_sink {
public:
    snapshot_sink(const chart_core& core, const image_head& head) : core_(core), head_(head) {
        taken_.head = head;
        if (!core.by_regions) taken_.leaves.push_back(head.leaf);
        taken_.records.resize(core.history_owners.size());
    }
    snapshot& taken() { return taken_; }

    bool leaf(std::size_t, index leaf) { return taken_.leaves.push_back(leaf), true; }
    bool leaves_complete() { return true; }
    index leaf_of(std::size_t region) const { return taken_.leaves[region]; }
    bool condition_word(std::size_t, const hsm::detail::condition_word& word) { return taken_.conditions.push_back(word), true; }
    void path_times(const std::byte* times, std::size_t length) {
        for (auto s = taken_.leaves[0]; length > 0; s = core_.states[s].superstate) {
            --length;
            std::int64_t time = 0;
            std::memcpy(&time, times + length * sizeof time, sizeof time);
            part(s).entered = time;
        }
    }
    bool entered(index s, std::int64_t time) { return part(s).entered = time, true; }
    bool entered_by(index s, std::uint32_t by) { return part(s).entered_by = by, true; }
    bool marks(index s, std::uint8_t marks) { return part(s).marks = marks, true; }
    bool timer(std::uint32_t timer, std::int64_t due, std::int64_t period) { return taken_.timers.push_back({timer, due, period}), true; }
    bool local(const value_layout&, std::uint32_t local, std::span<const std::byte> value) {
        return taken_.locals.push_back({local, copy_of(value)}), true;
    }
    bool due_count(std::size_t) { return true; }
    bool due_state(std::size_t, index s) { return taken_.due.push_back(s), true; }
    bool record(std::size_t owner, index recorded) { return taken_.records[owner].recorded = recorded, true; }
    bool region_record(std::size_t owner, std::uint32_t, index recorded) { return taken_.records[owner].regions.push_back(recorded), true; }
    bool record_complete(std::size_t) { return true; }
    bool chance(const chance_head& c) { return taken_.chance = c, true; }
    bool cooldown(std::size_t, std::int64_t until) { return taken_.cooldowns.push_back(until), true; }
    bool waiting(const waiting_entry& w) { return taken_.waiting.push_back(w), true; }
    bool pending(const pending_entry& p) { return taken_.pending.push_back({p, {}}), true; }
    bool pending_payload(const pending_entry&, const value_layout&, std::span<const std::byte> value) {
        return taken_.pending.back().payload = copy_of(value), true;
    }
    bool leave_request_word(std::size_t, std::uint64_t made) { return taken_.leave_requests.push_back(made), true; }
    bool deferred(std::uint16_t event, const value_layout&, std::span<const std::byte> value) {
        return taken_.deferred.push_back({event, copy_of(value)}), true;
    }
    bool queued(std::size_t i, const queue_entry& q) { return queue_of(i).push_back({q, {}}), true; }
    bool queued_payload(std::size_t i, const queue_entry&, const value_layout&, std::span<const std::byte> value) {
        return queue_of(i).back().payload = copy_of(value), true;
    }

private:
    snapshot::state_entry& part(index s) {
        const auto found = std::ranges::find(taken_.states, s, &snapshot::state_entry::state);
        return found != taken_.states.end() ? *found : taken_.states.emplace_back(snapshot::state_entry{s});
    }
    std::vector<snapshot::queued_event>& queue_of(std::size_t i) {
        return taken_.queues[i < head_.internal                               ? snapshot::internal
                             : i < std::size_t(head_.internal) + head_.posted ? snapshot::posted
                                                                              : snapshot::mailed];
    }

    const chart_core& core_;
    const image_head& head_;
    snapshot taken_;
};

class snapshot_source {
public:
    snapshot_source(const chart_core& core, const snapshot& s) : core_(core), from_(s) {}

    index leaf(std::size_t region) const { return from_.leaves[region]; }
    hsm::detail::condition_word condition_word(std::size_t w) const { return from_.conditions[w]; }
    void put_path_times(image_writer& out, std::size_t length) const {
        std::vector<std::int64_t> times(length);
        for (auto s = from_.leaves[0]; length > 0; s = core_.states[s].superstate) times[--length] = entered(s);
        out.put_bytes(times.data(), times.size() * sizeof times[0]);
    }
    std::int64_t entered(index s) const { return from_.find(s)->entered; }
    std::uint32_t entered_by(index s) const { return from_.find(s)->entered_by; }
    std::uint8_t marks(index s) const { return from_.find(s)->marks; }
    std::int64_t due(std::uint32_t timer) const { return timer_entry(timer).due; }
    std::int64_t period(std::uint32_t timer) const { return timer_entry(timer).period; }
    void put_local(image_writer& out, const value_layout& layout, std::uint32_t local) const {
        const auto found = std::ranges::find(from_.locals, local, &snapshot::local_entry::local);
        out.put_stored(layout, found->value);
    }
    index due_state(std::size_t i) const { return from_.due[i]; }
    index record(std::size_t owner) const { return from_.records[owner].recorded; }
    index region_record(std::size_t owner, std::uint32_t region) const { return from_.records[owner].regions[region]; }
    const chance_head& chance() const { return from_.chance; }
    std::int64_t cooldown(std::size_t i) const { return from_.cooldowns[i]; }
    template <class Visit> void each_waiting(const Visit& visit) const {
        for (const auto& w : from_.waiting) visit(w);
    }
    template <class Visit> void each_pending(const Visit& visit) const {
        for (const auto& p : from_.pending) visit(p.what, &p.payload);
    }
    std::uint64_t leave_request_word(std::size_t w) const { return from_.leave_requests[w]; }
    template <class Visit> void each_deferred(const Visit& visit) const {
        for (const auto& d : from_.deferred) visit(d.event, &d.payload);
    }
    template <class Visit> void each_queued(const Visit& visit) const {
        for (const auto& queue : from_.queues)
            for (const auto& q : queue) visit(q.what, &q.payload);
    }
    void put_payload(image_writer& out, const value_layout& layout, const void* payload) const {
        out.put_stored(layout, *static_cast<const value_bytes*>(payload));
    }

private:
    const snapshot::timer_entry& timer_entry(std::uint32_t timer) const {
        return *std::ranges::find(from_.timers, timer, &snapshot::timer_entry::timer);
    }

    const chart_core& core_;
    const snapshot& from_;
};

} // namespace

const snapshot::state_entry* snapshot::find(index s) const {
    const auto found = std::ranges::find(states, s, &state_entry::state);
    return found == states.end() ? nullptr : &*found;
}

snapshot decompose(const chart_core& core, std::span<const std::byte> image) { return decompose(core, image_layout_of(core), image); }

snapshot decompose(const chart_core& core, const image_layout& layout, std::span<const std::byte> image) {
    const auto checked = check_image(core, layout, image);
    snapshot_sink sink(core, checked.head);
    image_reader reader(checked.parts);
    read_sections(reader, core, layout, checked.head, sink);
    // Add active states that have no other data.
    auto& taken = sink.taken();
    each_active_state(
        core, [&](std::size_t r) { return taken.leaves[r]; },
        [&](index s) {
            if (!taken.find(s)) taken.states.push_back({s});
        });
    return std::move(taken);
}

std::vector<std::byte> compose(const chart_core& core, const snapshot& s) { return compose(core, image_layout_of(core), s); }

std::vector<std::byte> compose(const chart_core& core, const image_layout& layout, const snapshot& s) {
    auto head = s.head;
    static_cast<image_prefix&>(head) = {image_magic, image_version, 0, layout.chart, layout.layout};
    head.checksum = 0;
    head.leaf = s.leaves[0];
    const auto count = [](auto& to, const auto& list) { to = static_cast<std::remove_reference_t<decltype(to)>>(list.size()); };
    count(head.due, s.due);
    count(head.waiting, s.waiting);
    count(head.pending, s.pending);
    count(head.deferred, s.deferred);
    count(head.internal, s.queues[snapshot::internal]);
    count(head.posted, s.queues[snapshot::posted]);
    count(head.mailed, s.queues[snapshot::mailed]);
    const snapshot_source source(core, s);
    return composed_image(head, [&](image_writer& out) { write_sections(out, core, layout, head, source); });
}

} // namespace hsm::detail
