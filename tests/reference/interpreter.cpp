#include <tests/reference/interpreter.hpp>

#include <hsm/compile/lookup.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>
#include <exception>
#include <limits>
#include <new>

namespace hsm {

namespace {
constexpr auto latest = std::numeric_limits<std::int64_t>::max();

std::size_t slot_alignment(const chart_core& core) {
    return std::max<std::size_t>(core.event_alignment, alignof(event_queue::entry));
}
} // namespace

aligned_memory::aligned_memory(std::size_t size, std::size_t alignment)
    : data_(static_cast<std::byte*>(::operator new(size, std::align_val_t(alignment)))), alignment_(alignment) {}

aligned_memory::~aligned_memory() { ::operator delete(data_, std::align_val_t(alignment_)); }

interpreter::interpreter(const chart_core& core, void* context, const instance_options& options)
    : core_(core), context_(context), chain_limit_(options.chain_limit), activation_(core.states.size()),
      entered_at_(core.states.size()), finished_(core.states.size()), completion_due_(core.states.size()),
      internal_slots_(event_queue::memory_size(options.internal_queue, core), slot_alignment(core)),
      posted_slots_(event_queue::memory_size(options.posted_queue, core), slot_alignment(core)),
      internal_(options.internal_queue, core, internal_slots_.data()),
      posted_(options.posted_queue, core, posted_slots_.data()), block_(core.block_size, core.block_alignment) {
    head_.host = &calls_;
}

interpreter::~interpreter() {
    while (leaf_ != no_index) left(leaf_);
}

/// Runs what must not be interrupted by another call from a hook. A stop asked for by a hook that then threw still counts.
template <class Body> result interpreter::exclusively(Body body) {
    if (busy_) return result::busy;
    busy_ = true;
    try {
        const auto outcome = body();
        busy_ = false;
        return outcome;
    } catch (...) {
        try {
            if (stop_requested_) stop_now();
        } catch (...) { // the first exception is the one that is told
        }
        busy_ = false;
        throw;
    }
}

result interpreter::start() {
    if (leaf_ != no_index || busy_) return result::busy;
    return exclusively([&] {
        transit(no_index, 0, nullptr, {{reason::start, nullptr, nullptr, node(0), nullptr}});
        settle();
        return result::taken;
    });
}

result interpreter::stop() {
    if (busy_) {
        stop_requested_ = true;
        return result::queued;
    }
    if (leaf_ == no_index) return result::inactive;
    return exclusively([&] {
        stop_now();
        return result::taken;
    });
}

result interpreter::tick(std::int64_t elapsed) { return run(elapsed, phase::both); }

result interpreter::decide() { return run(0, phase::decisions); }

result interpreter::update(std::int64_t elapsed) { return run(elapsed, phase::hooks); }

result interpreter::run(std::int64_t elapsed, phase what) {
    if (busy_) return result::busy;
    if (leaf_ == no_index) return result::inactive;
    if (elapsed < 0) return result::refused;
    return exclusively([&] {
        const auto before = fired_;
        now_ = elapsed > latest - now_ ? latest : now_ + elapsed;
        elapsed_ = elapsed;
        if (what != phase::hooks && !over()) {
            settle();
            handle_posted();
        }
        if (!over()) walk(what);
        return fired_ == before ? result::unhandled : result::taken;
    });
}

result interpreter::drain() {
    if (busy_) return result::busy;
    if (inactive()) return result::inactive;
    return exclusively([&] {
        const auto before = fired_;
        settle();
        handle_posted();
        return fired_ == before ? result::unhandled : result::taken;
    });
}

/// Those that were there before; what hooks post meanwhile waits for the next time.
void interpreter::handle_posted() {
    for (auto n = posted_.size(); n > 0 && !over(); --n) {
        handle_queued(posted_);
        settle();
    }
}

result interpreter::process(const event_ref& event) {
    if (inactive()) return result::inactive;
    if (busy_) return enqueue(internal_, event);
    return exclusively([&] {
        settle();
        if (over()) return result::inactive;
        const auto number = core_.find_event(event);
        const auto outcome = number == no_index ? result::unhandled : handle(number, event);
        settle();
        return outcome;
    });
}

result interpreter::post(const event_ref& event) { return inactive() ? result::inactive : enqueue(posted_, event); }

result interpreter::enqueue(event_queue& queue, const event_ref& event) {
    const auto number = core_.find_event(event);
    if (number == no_index) return result::unhandled;
    if (queue.full()) return result::full;
    queue.push(event, number);
    return result::queued;
}

result interpreter::change_to(const state_key& key) {
    if (inactive()) return result::inactive;
    const auto target = require(target_spec(key), leaf_ == no_index ? 0 : leaf_);
    if (busy_) {
        if (internal_.full()) return result::full;
        internal_.push_request(target);
        return result::queued;
    }
    return exclusively([&] {
        settle();
        if (over()) return result::inactive;
        request(leaf_, target, reason::request);
        settle();
        return result::taken;
    });
}

result interpreter::can(const event_ref& event) {
    if (over()) return result::inactive;
    const auto number = core_.find_event(event);
    if (number == no_index) return result::unhandled;
    bool guarded = false;
    const auto* t = choose_event(number, event, guarded);
    if (!t) return guarded ? result::guarded : result::unhandled;
    return t->target == no_index ? result::internal : result::taken;
}

result interpreter::mark_finished(const state_key* key) {
    if (over()) return result::inactive;
    const auto s = key ? require(target_spec(*key), leaf_) : leaf_;
    if (!active(s)) return result::unhandled;
    mark(s);
    return result::queued;
}

void interpreter::finish(const state_base& s) {
    const auto marked = core_.index_of(s);
    if (active(marked)) mark(marked);
}

/// All exit, also when one of them throws; the first exception goes on.
void interpreter::stop_now() {
    stop_requested_ = false;
    const occasion c{{reason::stop, nullptr, nullptr, nullptr, node(leaf_)}};
    std::exception_ptr first;
    while (leaf_ != no_index) {
        try {
            exit_leaf(c);
        } catch (...) {
            if (!first) first = std::current_exception();
        }
    }
    internal_.clear();
    posted_.clear();
    stop_requested_ = transients_due_ = false;
    if (first) std::rethrow_exception(first);
}

bool interpreter::is_in(const state_key& key) const {
    if (!key.id) return active(require(target_spec(key), leaf_ == no_index ? 0 : leaf_));
    // an enumerator may name a state in several machines
    for (auto s = leaf_; s != no_index; s = core_.states[s].superstate)
        if (core_.states[s].node->id() == key.id) return true;
    return false;
}

std::int64_t interpreter::time_in_state(const state_base& s) const {
    const auto i = core_.index_of(s);
    return active(i) && core_.options.entry_times ? now_ - entered_at_[i] : 0;
}

std::int64_t interpreter::time_in_state(const state_key& key) const {
    return time_in_state(*node(require(target_spec(key), leaf_ == no_index ? 0 : leaf_)));
}

void* interpreter::local_of_leaf(const local_type& type) { return local(node(leaf_), type); }

void* interpreter::local(const state_base* from, const local_type& type) {
    for (auto s = from ? core_.index_of(*from) : no_index; s != no_index; s = core_.states[s].superstate)
        for (const auto& row : of(core_.locals, core_.states[s].locals))
            if (&row.prototype->type() == &type) return block_.data() + row.offset;
    return nullptr;
}

index interpreter::require(const target_spec& wanted, index from) const {
    const auto found = look_up(*node(from), wanted);
    const auto s = found.found && !found.ambiguous ? core_.index_of(*found.found) : no_index;
    if (s != no_index) return s;
    const auto* problem =
        found.ambiguous ? "\" names several states at the same distance" : "\" is not a state of this chart";
    throw state_error(
        {code::not_in_chart, core_.root->path(), '"' + wanted.written() + problem, suggestion(*node(from), wanted)});
}

} // namespace hsm
