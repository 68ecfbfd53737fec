#include <hsm/chart/fingerprint.hpp>

#include <hsm/chart/detail/chart_text.hpp>
#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/chart/view.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <bit>

namespace hsm {

using namespace detail;

namespace {

/// FNV-1a with 128 bits (Fowler, Noll, Vo; draft-eastlake-fnv). Numbers are hashed as bytes, least significant first; texts after their length.
class hash {
public:
    void add(std::uint64_t number) {
        for (int i = 0; i < 8; ++i, number >>= 8) add_byte(static_cast<std::uint8_t>(number));
    }
    void add(std::string_view text) {
        add(text.size());
        for (const char c : text) add_byte(static_cast<std::uint8_t>(c));
    }
    fingerprint value() const { return at_; }

private:
    /// Multiplies by the prime 2^88 + 0x13b.
    void add_byte(std::uint8_t byte) {
        constexpr std::uint64_t factor = 0x13b;
        const auto low = at_.low ^ byte;
        const auto carry = ((low >> 32) * factor + ((low & 0xffff'ffff) * factor >> 32)) >> 32;
        at_ = {at_.high * factor + carry + (low << 24), low * factor};
    }

    fingerprint at_{0x6c62'272e'07bb'0142, 0x62b8'2175'6295'c58d}; ///< the offset basis
};

template <class List> void add_numbers(hash& h, const List& list) {
    h.add(list.size());
    for (const auto each : list) h.add(each.number());
}

std::uint64_t number_or_none(const view_handle& v) { return v ? v.number() : no_fact; }

void add_event(hash& h, const event_view& e) {
    h.add(e.is_name() ? e.name() : std::string_view(common_form(e.type_name())));
    h.add(e.is_name());
    h.add(static_cast<std::uint64_t>(e.value()));
    h.add(e.values().size());
    for (const auto& i : e.values()) {
        h.add(static_cast<std::uint64_t>(i.first));
        h.add(static_cast<std::uint64_t>(i.last));
    }
}

void add_timer(hash& h, const timer_view& t) {
    h.add(number_or_none(t.state()));
    h.add(t.is_periodic());
    h.add(static_cast<std::uint64_t>(t.fixed() ? t.fixed()->nanoseconds() : -1));
}

void add_transition(hash& h, const chart_view& c, const transition_view& t) {
    h.add(static_cast<std::uint64_t>(t.role()));
    h.add(static_cast<std::uint64_t>(t.trigger()));
    h.add(t.source().number());
    add_numbers(h, t.targets());
    h.add(number_or_none(t.level()));
    if (t.event()) add_event(h, t.event());
    h.add(number_or_none(t.timer()));
    h.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(t.priority())));
    h.add(std::uint64_t(options_of(t)));
    add_numbers(h, t.joined());
    add_numbers(h, t.excluded());
    h.add(t.conditions().size());
    for (const auto g : t.conditions()) {
        h.add(g.is_any());
        h.add(g.size());
        for (std::size_t i = 0; i < g.size(); ++i) h.add(g.condition(i).number() * std::uint64_t(2) + g.wanted(i));
    }
    h.add(t.guards().size());
    for (const auto g : t.guards()) h.add(c.guard(g.number()).label());
    h.add(t.actions().size());
    for (const auto a : t.actions()) h.add(a.label());
    if (!t.is_candidate()) return; // charts that choose the first keep their fingerprints
    h.add(t.score() ? t.score().label() : std::string_view());
    h.add(std::bit_cast<std::uint64_t>(t.weight()));
    if (const auto time = t.cooldown()) h.add(static_cast<std::uint64_t>(time->nanoseconds()));
}

void add_state(hash& h, const chart_view& c, const state_view& s) {
    h.add(s.name());
    h.add(number_or_none(s.superstate()));
    h.add(static_cast<std::uint64_t>(s.kind()));
    h.add(static_cast<std::uint64_t>(s.history()));
    h.add(std::uint64_t(s.is_transient()) | std::uint64_t(s.holds_until_released()) << 1);
    h.add(number_or_none(s.least_duration()));
    for (const auto list : {s.hold_predicates(), s.predicates()}) {
        h.add(list.size());
        for (const auto g : list) h.add(c.guard(g.number()).label());
    }
    for (std::size_t k = 0; k < hook_kinds; ++k) {
        const auto hooks = s.hooks(static_cast<hook_kind>(k));
        if (static_cast<hook_kind>(k) >= hook_kind::settled && hooks.empty()) continue; // keeps the fingerprints of charts without these newer hooks
        h.add(hooks.size());
        for (const auto each : hooks) h.add(each.label());
    }
    h.add(s.locals().size());
    for (const auto& local : s.locals()) h.add(common_form(local));
    for (const auto& tag : s.tags()) h.add(tag); // charts without tags keep their fingerprints
    if (s.choosing() != choosing::first) h.add(static_cast<std::uint64_t>(s.choosing()));
    if (s.stay_bonus() > 0) h.add(std::bit_cast<std::uint64_t>(s.stay_bonus()));
    for (const auto t : s.transitions()) add_transition(h, c, t);
}

} // namespace

std::string fingerprint::to_string() const { return fmt::format("{:016x}{:016x}", high, low); }

fingerprint chart_view::fingerprint() const {
    hash h;
    h.add(is_substate_first());
    h.add(states().size());
    for (const auto s : states()) add_state(h, *this, s);
    h.add(conditions().size());
    for (const auto c : conditions()) {
        h.add(c.name());
        if (c.is_trigger()) h.add("trigger"); // charts without triggers keep their fingerprints
    }
    for (const auto t : timers()) add_timer(h, t);
    return h.value();
}

fingerprint chart_base::fingerprint() const { return core_ ? view().fingerprint() : hsm::fingerprint(); }

fingerprint chart_base::layout() const {
    if (!core_) return {};
    const auto print = fingerprint();
    const auto& l = core_->layout;
    hash h;
    h.add(print.high);
    h.add(print.low);
    h.add(sizeof(void*));
    const std::uint32_t numbers[] = {l.hook_context, l.front,        l.conditions,     l.times,       l.marks,    l.due,     l.due_list,
                                     l.released,     l.just_entered, l.barred,         l.region_step, l.regions,  l.enabled, l.looked_up,
                                     l.offer,        l.deferral,     l.region_records, l.records,     l.holding,  l.blocked, l.waiting,
                                     l.pending,      l.payloads,     l.locals,         l.queues,      l.alignment};
    for (const auto n : numbers) h.add(n);
    if (l.requests) h.add(l.requests); // charts without requests to leave keep their layouts
    for (const auto& local : core_->locals) {
        h.add(local.offset);
        h.add(local.type->size);
        h.add(local.type->alignment);
    }
    for (const auto& timer : core_->timers) h.add(timer.offset);
    h.add(core_->event_size);
    h.add(core_->event_alignment);
    for (const auto& e : core_->events) h.add(e.type->size);
    h.add(core_->options.entry_times);
    h.add(core_->options.remember_finals);
    if (core_->has_chance) h.add(l.chance);
    if (!core_->cooldowns.empty()) h.add(l.cooldowns);
    return h.value();
}

} // namespace hsm
