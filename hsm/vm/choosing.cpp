#include <hsm/vm/detail/choosing.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/ops.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <algorithm>
#include <bit>
#include <limits>

namespace hsm::detail {

void choose(machine& m, const chart_core& core, const transition_row& t) {
    auto& hooks = m.hook_context();
    if (t.rechoice && t.timer != no_timer) {
        if (!is_due(m, due_at(m, core, t.timer))) {
            hooks.choosing = t.source;
            hooks.evaluating = false;
            hooks.picked = none_picked;
            return;
        }
        if (!hooks.querying) arm(m, core, t.timer, period_of(m, core, t.timer));
    }
    struct rechoosing {
        bool& is;
        explicit rechoosing(bool& flag, bool value) : is(flag) { is = value; }
        ~rechoosing() { is = false; }
    };
    {
        const rechoosing meanwhile(hooks.rechoosing, t.rechoice);
        run(core.at(core.states[t.source].choose_program), m);
    }
    const bool draws = t.rechoice && hooks.picked != none_picked && !hooks.querying;
    if (draws && is_by_chance(core.states[t.source].choose)) ++chance_of(m, core).draws;
}

} // namespace hsm::detail

namespace hsm::detail::ops {

const op* evaluate(const op* at, machine& m) {
    auto& hooks = m.hook_context();
    hooks.choosing = static_cast<std::uint16_t>(at->number);
    hooks.evaluating = true;
    hooks.offered = false;
    std::fill_n(values_of(m), core_of(m).states[at->number].candidates.count, 0.0);
    HSM_PROCEED(at + 1);
}

const op* fixed_score(const op* at, machine& m) {
    m.hook_context().score = std::bit_cast<double>(at->number);
    HSM_PROCEED(at + 1);
}

namespace {
/// Returns the score of a candidate of a machine that chooses again.
double with_bonus(const machine& m, std::uint64_t candidate) {
    const auto& core = core_of(m);
    const auto& source = core.states[m.hook_context().choosing];
    const auto score = m.hook_context().score;
    if (!is_active(m, core, core.transitions[source.candidates.first + candidate].goal)) return score;
    return std::min(score + source.node->chooses().stay_bonus, std::numeric_limits<double>::max());
}
} // namespace

const op* offer(const op* at, machine& m) {
    auto& hooks = m.hook_context();
    const bool possible = is_score(hooks.score) && hooks.score > 0;
    if (possible) values_of(m)[at->number] = hooks.rechoosing ? with_bonus(m, at->number) : hooks.score;
    hooks.offered |= possible;
    HSM_PROCEED(at + 1);
}

const op* if_none_offered(const op* at, machine& m) {
    if (!m.hook_context().offered) HSM_PROCEED(at + 2);
    HSM_PROCEED(at[1].target);
}

const op* pick(const op* at, machine& m) {
    const auto& core = core_of(m);
    const auto s = static_cast<std::uint32_t>(at->number);
    const auto& row = core.states[s];
    const auto bits = is_by_chance(row.choose) ? draw(chance_of(m, core), s) : 0;
    const auto found = detail::pick(row.choose, values_of(m), row.candidates.count, bits);
    m.hook_context().picked = found == none_picked ? none_picked : row.candidates.first + found;
    m.hook_context().evaluating = false;
    HSM_PROCEED(at + 1);
}

const op* if_picked(const op* at, machine& m) {
    if (m.hook_context().picked == at->number) HSM_PROCEED(at + 2);
    HSM_PROCEED(at[1].target);
}

const op* if_chosen(const op* at, machine& m) {
    const auto& core = core_of(m);
    const auto& t = core.transitions[at->number];
    const auto& hooks = m.hook_context();
    if (hooks.choosing != t.source || hooks.evaluating) choose(m, core, t);
    if (hooks.picked == t.candidate) HSM_PROCEED(at + 2);
    HSM_PROCEED(at[1].target);
}

const op* if_cool(const op* at, machine& m) {
    if (cool_at(m, core_of(m), at->number) <= m.now) HSM_PROCEED(at + 2);
    HSM_PROCEED(at[1].target);
}

const op* cool(const op* at, machine& m) {
    const auto& core = core_of(m);
    const auto time = core.cooldowns[at->number].time;
    cool_at(m, core, at->number) = time > never - m.now ? never : m.now + time;
    HSM_PROCEED(at + 1);
}

const op* choose_again(const op* at, machine& m) {
    detail::choose_again(m, core_of(m));
    HSM_PROCEED(at + 1);
}

const op* count_draw(const op* at, machine& m) {
    ++chance_of(m, core_of(m)).draws;
    HSM_PROCEED(at + 1);
}

} // namespace hsm::detail::ops
