// From the first start to the end: init and destroy hooks, stops and resets.

#include <tests/reference/interpreter_exclusively.hpp>
#include <tests/reference/interpreter_stage.hpp>

#include <hsm/run/error.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {
/// Runs `body`; stores the first of several exceptions.
template <class Body> void store_first(std::exception_ptr& first, Body body) {
    try {
        body();
    } catch (...) {
        if (!first) first = std::current_exception();
    }
}
} // namespace

result interpreter::start() {
    if (!active_.empty() || busy_ || looking_) return result::busy;
    return exclusively([&] {
        enter_root(reason::start);
        return result::taken;
    });
}

result interpreter::start(const state_key& key) {
    if (!active_.empty() || busy_ || looking_) return result::busy;
    const auto target = require_state(core_, key);
    return exclusively([&] {
        enter_root(reason::start, target);
        return result::taken;
    });
}

result interpreter::stop() {
    if (looking_) return result::busy;
    if (preparing_) return result::inactive;
    if (busy_) {
        stop_requested_ = true;
        return result::queued;
    }
    if (active_.empty()) return result::inactive;
    return exclusively([&] {
        stop_now();
        return result::taken;
    });
}

result interpreter::restart() {
    return exclusively([&] {
        if (!active_.empty()) stop_now();
        enter_root(reason::restart);
        return result::taken;
    });
}

result interpreter::destroy() {
    return exclusively([&] {
        if (active_.empty() && !initialized_) return result::inactive;
        std::exception_ptr first;
        if (!active_.empty()) store_first(first, [&] { stop_now(); });
        if (initialized_) destroy_below(static_cast<index>(core_.states.size()), first);
        initialized_ = paused_ = false;
        time_scale_ = 1;
        if (first) std::rethrow_exception(first);
        return result::taken;
    });
}

result interpreter::reset() {
    return exclusively([&] {
        forget_everything();
        return result::taken;
    });
}

/// Runs no hooks, and nothing follows: a machine is at rest, and a transient state is an ordinary leaf.
result interpreter::set_state(const state_key& key) {
    return exclusively([&] {
        const auto target = require_state(core_, key);
        const auto kind = core_.states[target].kind;
        if (kind == state_kind::choice || kind == state_kind::history)
            throw state_error({code::not_in_chart, core_.root->path(), '"' + node(target)->path() + "\" is never active",
                               "name a state, not a choice or a history state"});
        if (active(0)) take_mark(0);
        auto stays = target;
        while (stays != no_index && !active(stays)) stays = core_.states[stays].superstate;
        exit_silently(stays);
        try {
            for (index s = 0; s < core_.states.size(); ++s) { // the path, and the regions of each parallel on it
                const auto outer = core_.states[s].superstate;
                const bool region = outer != no_index && is(state_kind::parallel, outer) && active(outer) && !is(state_kind::history, s);
                if (!active(s) && (core_.contains(s, target) || (region && within(stays, s)))) enter(s, {}, true);
            }
        } catch (...) { // a parallel is active completely or not at all
            for (const auto s : std::set<index>(active_))
                if (active(s) && is(state_kind::parallel, s) && (within(stays, s)) &&
                    std::ranges::any_of(regions_of(s), [&](index r) { return !active(r); })) {
                    auto around = s;
                    while (is(state_kind::parallel, around)) around = core_.states[around].superstate;
                    exit_silently(around);
                }
            throw;
        }
        transients_due_ = always_due_ = false;
        just_entered_.clear();
        if (kind == state_kind::final) mark(core_.states[target].superstate);
        return result::taken;
    });
}

/// Exits all states below that level, without hooks.
void interpreter::exit_silently(index level) noexcept {
    for (const auto s : last_first(active_)) {
        if (!below(level, s)) continue;
        if (is(state_kind::final, s)) take_mark(core_.states[s].superstate);
        left(s);
    }
}

/// The mark of a region's parallel is removed, too.
void interpreter::take_mark(index s) noexcept {
    finished_[s] = completion_due_[s] = false;
    std::erase(marks_, s);
    if (const auto outer = core_.states[s].superstate; outer != no_index && is(state_kind::parallel, outer)) take_mark(outer);
}

void interpreter::enter_root(reason why, index target) {
    if (!initialized_) initialize();
    step({{nullptr, no_index, {target}, no_index, why}});
    run_to_completion();
}

/// If one throws, the destroy hooks of the states before it run.
void interpreter::initialize() {
    struct preparing {
        bool& on;
        ~preparing() { on = false; }
    } const meanwhile{preparing_ = true};
    for (index s = 0; s < core_.states.size(); ++s) {
        try {
            run_hooks(core_.states[s].hooks.init, s, {{reason::start}});
        } catch (...) {
            auto first = std::current_exception();
            destroy_below(s, first);
            std::rethrow_exception(first);
        }
    }
    initialized_ = true;
}

/// Runs the destroy hooks of the states before `end`, from last to first. All states are processed, even if one throws; the later hooks of that state
/// do not run.
void interpreter::destroy_below(index end, std::exception_ptr& first) noexcept {
    preparing_ = true;
    for (auto s = end; s-- > 0;) store_first(first, [&] { run_hooks(core_.states[s].hooks.destroy, s, {{reason::stop}}); });
    preparing_ = false;
}

/// Exits all states, even if one of them throws; the first exception propagates.
void interpreter::stop_now() {
    stop_requested_ = false;
    just_entered_.clear();
    for (auto& p : pending_) p.reset();
    leave_requests_.clear();
    const occasion c{{reason::stop, nullptr, nullptr, nullptr, node(region_leaf(0)), nullptr}};
    std::exception_ptr first;
    record(active_);
    for (const auto s : last_first(active_)) store_first(first, [&] { exit(s, c); });
    internal_.clear();
    posted_.clear();
    deferred_.clear();
    stop_requested_ = transients_due_ = always_due_ = recall_due_ = false;
    if (first) std::rethrow_exception(first);
}

/// It stays initialized.
void interpreter::forget_everything() noexcept {
    exit_silently(no_index);
    internal_.clear();
    posted_.clear();
    clear_conditions();
    deferred_.clear();
    for (auto& r : record_) r.clear();
    std::ranges::fill(cool_until_, 0);
    now_ = 0;
    paused_ = false;
    time_scale_ = 1;
    just_entered_.clear();
    transients_due_ = always_due_ = recall_due_ = false;
}

} // namespace hsm::detail
