#include <hsm/vm/detail/leave_requests.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

/// Ends the requests that are made and for which ends(row) is true.
template <class Ends> void end_requests(machine& m, const chart_core& core, Ends ends) {
    if (!core.has_hooks.leave) return;
    auto made = made_requests(m, core);
    auto due = due_requests(m, core);
    for (std::size_t i = 0; i < core.leave_requests.size(); ++i)
        if (made[i] && ends(core.leave_requests[i])) {
            made.clear(i);
            due.clear(i);
        }
}

/// Does nothing if it is made already.
template <class Matches> void make_request_of(machine& m, const chart_core& core, index holder, Matches matches) {
    if (!core.has_hooks.leave) return;
    const auto row = std::ranges::find_if(core.leave_requests, [&](const auto& r) { return r.state == holder && matches(r); });
    const auto i = static_cast<std::size_t>(row - core.leave_requests.begin());
    if (row == core.leave_requests.end() || made_requests(m, core)[i]) return;
    made_requests(m, core).set(i);
    due_requests(m, core).set(i);
}

} // namespace

std::size_t first_due_request(const machine& m, const chart_core& core) {
    const auto due = due_requests(m, core);
    for (std::size_t i = 0; i < core.leave_requests.size(); ++i)
        if (due[i]) return i;
    return no_request;
}

void request_leave(machine& m, const chart_core& core, index holder, std::uint32_t transition) {
    make_request_of(m, core, holder, [&](const leave_request_row& r) { return r.transition == transition; });
}

void request_leave_for_pending(machine& m, const chart_core& core, index holder, std::size_t slot) {
    make_request_of(m, core, holder, [&](const leave_request_row& r) { return r.transition == no_transition && r.slot == slot; });
}

void end_leave_requests_of(machine& m, const chart_core& core, std::uint32_t transition) {
    end_requests(m, core, [&](const leave_request_row& r) { return r.transition == transition; });
}

void end_leave_requests_at(machine& m, const chart_core& core, std::size_t slot) {
    end_requests(m, core, [&](const leave_request_row& r) { return r.transition == no_transition && r.slot == slot; });
}

void end_leave_requests_in(machine& m, const chart_core& core, index s) {
    end_requests(m, core, [&](const leave_request_row& r) {
        return r.state == s || (r.transition != no_transition && core.transitions[r.transition].source == s);
    });
}

void drop_due_requests(machine& m, const chart_core& core) {
    if (!core.has_hooks.leave) return;
    for (auto i = first_due_request(m, core); i != no_request; i = first_due_request(m, core)) {
        made_requests(m, core).clear(i);
        due_requests(m, core).clear(i);
    }
}

} // namespace hsm::detail
