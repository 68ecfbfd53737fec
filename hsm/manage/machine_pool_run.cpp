// Calls for many machines, and their removal.

#include <hsm/manage/detail/machine_pool.hpp>

namespace hsm::detail {

/// Visits the machines in the order of creation, not those created meanwhile. A machine that is removed during its call ends right after it.
template <class Visit> void machine_pool::each(first_exception& first, Visit visit) {
    const walk in_progress(*this);
    const auto last = order_;
    for (machine_slot* p = first_; p && p->order <= last; p = p->after) {
        if (p->is != slot_status::present) continue;
        first.of([&] { visit(*p); });
        if (ending_) finish_calls(first);
    }
    if (ending_) finish_calls(first); // also without any machine to visit
}

result machine_pool::update(time_span given, time_span given_real) {
    if (updating_) return result::busy;
    if (given < time_span() || given_real < time_span()) return result::refused;
    elapsed = given;
    real_elapsed = given_real;
    struct update_in_progress {
        bool& flag;
        ~update_in_progress() { flag = false; }
    } const meanwhile{updating_ = true};
    auto outcome = result::unhandled;
    first_exception first;
    each(first, [&](machine_slot& p) { // an inactive machine only returns inactive
        if (p.machine().tick(p.real_time ? given_real : given) == result::taken) outcome = result::taken;
    });
    first.rethrow();
    return outcome;
}

result_counts machine_pool::broadcast(result (*call)(instance_base&, const void*), const void* event) {
    result_counts all;
    first_exception first;
    each(first, [&](machine_slot& p) {
        if (p.machine().active()) ++all.counts[static_cast<std::size_t>(call(p.machine(), event))];
    });
    first.rethrow();
    return all;
}

bool machine_pool::remove(machine_slot& p) {
    if (p.machine().is_locked()) return false;
    first_exception first;
    {
        const walk in_progress(*this); // hooks may remove and create machines
        take_out(p, first);
        finish_calls(first);
    }
    first.rethrow();
    return true;
}

void machine_pool::shutdown() {
    first_exception first;
    {
        const walk in_progress(*this);
        ++shutdowns_;
        for (machine_slot* p = last_; p; p = p->before)
            if (p->is == slot_status::present && !p->machine().is_locked()) take_out(*p, first);
        finish_calls(first);
        --shutdowns_;
    }
    first.rethrow();
}

/// Removes the machine from the table of names. Then ends it, or, if a call to it is in progress, stops it and ends it later.
void machine_pool::take_out(machine_slot& p, first_exception& first) {
    p.key = names_.extract(p.name);
    --p.home->of_kind->count;
    p.home->of_kind->numbers -= p.number;
    p.is = slot_status::ending;
    if (!p.machine().busy()) return end(p, first);
    first.of([&] { p.machine().stop(); });
    p.next = std::exchange(ending_, &p);
}

void machine_pool::end(machine_slot& p, first_exception& first) {
    first.of([&] { p.machine().destroy(); });
    destroy_machine(p);
    p.is = slot_status::gone;
    p.next = std::exchange(gone_, &p);
}

/// Restarts the loop after each machine, because its hooks can remove others.
void machine_pool::finish_calls(first_exception& first) {
    const walk in_progress(*this);
    for (machine_slot** at = &ending_; *at;) {
        machine_slot& p = **at;
        if (p.machine().busy()) {
            at = &p.next;
            continue;
        }
        *at = p.next;
        end(p, first);
        at = &ending_;
    }
}

void finish_call(machine_pool& owner, int exceptions_before) {
    if (!owner.ends_some()) return;
    first_exception first;
    owner.finish_calls(first);
    if (std::uncaught_exceptions() == exceptions_before) first.rethrow();
}

} // namespace hsm::detail
