// The queries of an instance.

#include <hsm/define/detail/lookup.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/select.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <vector>

namespace hsm::detail {

state_ref calls::current(const machine& m) {
    const auto s = where(m, core_of(m));
    return s == no_index ? state_ref() : state_ref(*core_of(m).states[s].node);
}

state_ref calls::next_leaf(const machine& m, state_ref last) {
    const auto& core = core_of(m);
    const auto begin = last ? core.index_of(*last.get()) + 1u : 0u;
    for (auto s = begin; s < core.states.size(); ++s) {
        const auto& row = core.states[s];
        if (row.kind != state_kind::parallel && region_leaf_now(m, core, row.region) == s) return state_ref(*row.node);
    }
    return {};
}

bool calls::is_in(const machine& m, const state_query& key, const state_base* written_in) {
    const auto& core = core_of(m);
    if (key.names_tag) return has_tag(m, require_tag(core, key.tag_name));
    if (!key.id && !key.by_class) return is_active_now(m, core, require_state(core, key, written_in));
    const target_spec wanted(key); // an enumerator or a class can name states in several machines
    return deciders_inwards(m, core, [&](index s) { return bears(*core.states[s].node, wanted); });
}

/// Fast between hooks, as is_in.
bool calls::has_tag(const machine& m, std::size_t number) {
    const auto& core = core_of(m);
    if (!core.by_regions && !m.at) return m.leaf < core.states.size() && core.has_tag(m.leaf, number);
    return deciders_inwards(m, core, [&](index s) { return core.has_tag(s, number); });
}

namespace {
HSM_NOINLINE bool is_in_foreign(const machine& m, const state_base& state) { return calls::is_in(m, state_key(state)); } // throws
} // namespace

/// Fast between hooks, when programs ask in each frame: one comparison with an interval.
bool calls::is_in(const machine& m, const state_base& state) {
    const auto& core = core_of(m);
    const auto s = core.index_of(state);
    if (s == no_index) return is_in_foreign(m, state);
    if (core.by_regions || m.at) return is_active_now(m, core, s);
    return core.contains(s, m.leaf); // a ready machine is active
}

std::int64_t calls::time_in_state(const machine& m, const state_key& key) {
    const auto& core = core_of(m);
    return time_in_state(m, *core.states[require_state(core, key)].node);
}

/// The clock advances only in ticks: a state that was entered since the last one has a time of zero.
std::int64_t calls::time_in_state(const machine& m, const state_base& state) {
    const auto& core = core_of(m);
    const auto s = core.index_of(state);
    if (s == no_index || !is_active_now(m, core, s) || !core.options.entry_times) return 0;
    const auto& row = core.states[s];
    if (!core.by_regions && row.depth >= m.shallowest_change) return 0;
    const auto entered = entry_times(m, core)[core.by_regions ? row.time_slot : row.depth];
    return (time_span::from_nanoseconds(m.now) - time_span::from_nanoseconds(entered)).nanoseconds(); // saturates: take_over can change the clock
}

std::size_t calls::queued(const machine& m) {
    const auto& core = core_of(m);
    std::size_t all = 0;
    if (core.has_defers) all += deferral_of(m, core).count - std::size_t(deferral_of(m, core).offering);
    if (const auto* const queues = queues_of(m, core))
        all += queues->internal.size() + queues->posted.size() + (queues->mail ? queues->mail->gather() : 0);
    return all;
}

std::uint64_t calls::lost(const machine& m) {
    const auto* const queues = queues_of(m, core_of(m));
    return queues ? atomic_load<order::relaxed>(*queues->lost_at) : 0;
}

hsm::mailbox* calls::mailbox(const machine& m) { return mail_of(m, core_of(m)); }
std::string calls::root_path(const machine& m) { return core_of(m).root->path(); }
void* calls::root_context(const machine& m) { return core_of(m).has_projections ? m.hook_context().root_context : m.context; }

std::string calls::suggestion_for(const machine& m, std::string_view event_name) {
    const auto& core = core_of(m);
    if (core.find_event(refer_name(event_name)) != no_index) return {};
    std::vector<std::string_view> names;
    for (const auto& e : core.events)
        if (e.type->is_name) names.push_back(e.name);
    return suggestion(event_name, names);
}

std::vector<held_transition> calls::pending(const machine& m) {
    const auto& core = core_of(m);
    std::vector<held_transition> found;
    const auto node = [&](index s) { return state_ref(core.states[s].node); };
    for (std::size_t slot = 0; (m.work & (work_pending | work_waiting)) && slot < slot_count(core); ++slot) {
        const auto& p = pending_at(m, core, slot);
        if (p.kind == pending_slot::event) found.push_back({core.transitions[p.transition].spec, node(p.source), node(p.target)});
        if (p.kind == pending_slot::request) found.push_back({nullptr, node(p.source), node(p.target)});
        if (const auto number = waiting_at(m, core, slot).transition) {
            const auto& t = core.transitions[number - 1];
            found.push_back({t.spec, node(t.source), node(t.target)});
        }
    }
    return found;
}

void* calls::local(const machine& m, const state_base* from, const local_type& type) {
    const auto& core = core_of(m);
    if ((core.has_hooks.init || core.has_hooks.destroy) && is_outside_life(m, core)) return nullptr;
    auto s = from ? core.index_of(*from) : no_index;
    while (s != no_index && core.by_regions && !is_active_now(m, core, s))
        s = core.states[s].superstate; // another transition of the step has exited it
    const auto* const found = core.find_local(s, type);
    return found ? m.block + core.layout.locals + found->offset : nullptr;
}

} // namespace hsm::detail
