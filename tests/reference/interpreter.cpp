#include <tests/reference/interpreter_exclusively.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>
#include <exception>
#include <limits>

namespace hsm::detail {

namespace {
constexpr auto latest = std::numeric_limits<std::int64_t>::max();

std::size_t slot_alignment(const chart_core& core) { return std::max<std::size_t>(core.event_alignment, alignof(event_queue::entry)); }
} // namespace

interpreter::interpreter(const chart_core& core, void* context, const instance_options& options)
    : core_(core), context_(context), chain_limit_(options.chain_limit), deferred_capacity_(options.deferred_queue), seed_(options.seed),
      stream_(options.stream), cool_until_(core.cooldowns.size()), activation_(core.states.size()), entered_at_(core.states.size()),
      finished_(core.states.size()), completion_due_(core.states.size()), released_(core.states.size()), record_(core.states.size()),
      entered_by_(core.states.size()), bits_(core.conditions.size()), pulses_(core.conditions.size()), waiting_(core.states.size() + 1),
      pending_(core.states.size() + 1), due_(core.timers.size(), never), period_(core.timers.size()),
      internal_slots_(event_queue::memory_size(at_creation(options).internal_queue, core), slot_alignment(core)),
      posted_slots_(event_queue::memory_size(at_creation(options).posted_queue, core), slot_alignment(core)),
      internal_(at_creation(options).internal_queue, core, internal_slots_.data()),
      posted_(at_creation(options).posted_queue, core, posted_slots_.data()), block_(core.block_size, core.block_alignment) {
    head_.host = &calls_;
}

interpreter::~interpreter() { exit_silently(no_index); }

result interpreter::tick(std::int64_t elapsed) { return run(elapsed, phase::both); }

result interpreter::decide() { return run(0, phase::decisions); }

result interpreter::update(std::int64_t elapsed) { return run(elapsed, phase::hooks); }

result interpreter::run(std::int64_t elapsed, phase what) {
    if (busy_ || looking_) return result::busy;
    if (active_.empty()) return result::inactive;
    if (elapsed < 0) return result::refused;
    const bool decides = what != phase::hooks;
    struct ticking {
        interpreter& self;
        const bool decides;
        ~ticking() {
            if (decides) self.end_pulses();
            self.ticking_ = false;
            self.updated_ = no_index;
            for (auto& at : self.waiting_) // it would have been tried again in this call
                if (at.exited_after_update) at = {};
        }
    } const until_the_end{*this, decides};
    ticking_ = true;
    if (decides) begin_pulses();
    if (decides) stop_waiting();
    struct ending { // also if a hook throws earlier
        interpreter& self;
        std::int64_t time;
        ~ending() { self.now_ = std::max(self.now_, time); }
    } end{*this, now_};
    return exclusively([&] {
        const auto before = fired_;
        elapsed_ = passing(elapsed);
        end.time = elapsed_ > latest - now_ ? latest : now_ + elapsed_;
        if (decides && !over()) {
            const auto posted = posted_.size();
            if (what == phase::both && core_.carries) pass_moments(end.time);
            now_ = end.time;
            take_up();
            handle_posted(posted);
        }
        now_ = end.time;
        if (!over()) walk(what);
        if (core_.has_hooks.leave) run_to_completion();
        return fired_ == before ? result::unhandled : result::taken;
    });
}

/// Executes work that earlier calls left.
void interpreter::take_up() {
    run_to_completion();
    try_pending();
}

result interpreter::drain() {
    if (busy_ || looking_) return result::busy;
    if (inactive()) return result::inactive;
    return exclusively([&] {
        const auto before = fired_;
        const auto posted = posted_.size();
        take_up();
        handle_posted(posted);
        return fired_ == before ? result::unhandled : result::taken;
    });
}

/// Handles the events that were queued when the call began. Events that hooks post meanwhile wait for the next call.
void interpreter::handle_posted(std::size_t count) {
    for (auto n = count; n > 0 && !over(); --n) {
        handle_queued(posted_);
        run_to_completion();
    }
}

result interpreter::process(const event_ref& event) {
    if (looking_) return result::busy;
    if (inactive()) return result::inactive;
    if (busy_) return enqueue(internal_, event);
    return exclusively([&] {
        take_up();
        if (over()) return result::inactive;
        const auto outcome = handle(core_.find_event(event), event, came_from::caller);
        run_to_completion();
        return outcome;
    });
}

result interpreter::post(const event_ref& event) { return looking_ ? result::busy : inactive() ? result::inactive : enqueue(posted_, event); }

result interpreter::enqueue(event_queue& queue, const event_ref& event) {
    const auto number = core_.find_event(event);
    if (number == no_index) return result::unhandled;
    if (queue.full() || (!event.construct && !event.type->store)) return result::full;
    queue.push(core_.storable_event(event, number), core_.event_columns[number]);
    return result::queued;
}

result interpreter::change_to(const state_key& key, bool force, const state_base* written_in) {
    if (looking_) return result::busy;
    if (inactive()) return result::inactive;
    const auto target = require_state(core_, key, written_in);
    if (busy_) {
        if (internal_.full()) return result::full;
        internal_.push_request(target, force);
        return result::queued;
    }
    return exclusively([&] {
        take_up();
        if (over()) return result::inactive;
        const auto outcome = request_from_outside(target, force);
        run_to_completion();
        return outcome;
    });
}

result interpreter::can(const event_ref& event) {
    if (over()) return result::inactive;
    const auto number = core_.find_event(event);
    struct preview_scope {
        bool& on;
        const bool before;
        ~preview_scope() { on = before; }
    } const meanwhile{previewing_, std::exchange(previewing_, true)};
    return consider(number, event).outcome;
}

result interpreter::mark_finished(const state_key* key) {
    if (looking_) return result::busy;
    if (over()) return result::inactive;
    const auto s = key ? require_state(core_, *key) : region_leaf(0);
    if (!active(s)) return result::unhandled;
    mark(s);
    return result::queued;
}

result interpreter::mark_released(const state_key* key) {
    if (looking_) return result::busy;
    if (over()) return result::inactive;
    const auto s = key ? require_state(core_, *key) : region_leaf(0);
    if (!active(s)) return result::unhandled;
    released_[s] = true;
    return result::queued;
}

void interpreter::finish(const state_base& s) {
    const auto marked = core_.index_of(s);
    if (active(marked)) mark(marked);
}

void interpreter::release(const state_base& s) {
    const auto marked = core_.index_of(s);
    if (active(marked)) released_[marked] = true;
}

bool interpreter::is_in(const state_query& key, const state_base* written_in) const {
    if (key.names_tag) return std::ranges::any_of(active_, [&](index s) { return std::ranges::count(node(s)->tags(), key.tag_name) > 0; });
    const target_spec wanted(key);
    if (!key.id && !key.by_class) return active(require_state(core_, key, written_in));
    // an enumerator or a class can name states in several machines
    return std::ranges::any_of(active_, [&](index s) { return bears(*node(s), wanted); });
}

std::int64_t interpreter::time_in_state(const state_base& s) const {
    const auto i = core_.index_of(s);
    return active(i) && core_.options.entry_times ? now_ - entered_at_[i] : 0;
}

std::int64_t interpreter::time_in_state(const state_key& key) const { return time_in_state(*node(require_state(core_, key))); }

void* interpreter::local_of_leaf(const local_type& type) { return local(node(region_leaf(0)), type); }

void* interpreter::local(const state_base* from, const local_type& type) {
    auto nearest = from ? core_.index_of(*from) : no_index;
    while (nearest != no_index && !active(nearest)) nearest = core_.states[nearest].superstate;
    for (auto s = nearest; s != no_index; s = core_.states[s].superstate)
        for (const auto& row : of(core_.locals, core_.states[s].locals))
            if (&row.prototype->type() == &type) return block_.data() + row.offset;
    return nullptr;
}

index interpreter::active_child(index s) const {
    const auto next = active_.upper_bound(s);
    return next != active_.end() && core_.contains(s, *next) ? *next : no_index;
}

index interpreter::region_leaf(index s) const {
    if (!active(s)) return no_index;
    while (is(state_kind::machine, s) && active_child(s) != no_index) s = active_child(s);
    return s;
}

std::vector<index> interpreter::regions_of(index parallel) const {
    std::vector<index> regions;
    for (const auto r : core_.regions)
        if (r != 0 && core_.states[r].superstate == parallel) regions.push_back(r);
    return regions;
}

/// In document order; without parallels, whose regions are active.
std::vector<index> interpreter::leaf_states() const {
    std::vector<index> leaves;
    for (const auto s : active_)
        if (!is(state_kind::parallel, s) && active_child(s) == no_index) leaves.push_back(s);
    return leaves;
}

std::vector<state_ref> interpreter::leaves() const {
    std::vector<state_ref> all;
    for (const auto s : leaf_states()) all.emplace_back(*node(s));
    return all;
}

std::vector<index> interpreter::path_to(index s) const {
    std::vector<index> path;
    for (; s != no_index; s = core_.states[s].superstate) path.insert(path.begin(), s);
    return path;
}

} // namespace hsm::detail
