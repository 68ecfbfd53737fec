#include <hsm/vm/detail/choosing.hpp>

#include <hsm/define/scores.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/ops.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <bit>

namespace hsm::detail {

void choose(machine& m, const chart_core& core, const transition_row& t) {
    auto& hooks = m.hook_context();
    if (t.rechoice && t.timer != no_timer && !is_due(m, due_at(m, core, t.timer))) {
        hooks.choice = {.picked = none_picked, .chooser = t.source};
        return;
    }
    hooks.rechoosing = t.rechoice;
    hooks.choice.after = nullptr;
    run(core.at(core.states[t.source].choose_program), m);
    if (!t.rechoice || hooks.querying) return;
    if (t.timer != no_timer) arm(m, core, t.timer, period_of(m, core, t.timer));
    if (hooks.choice.picked != none_picked && is_by_chance(core.states[t.source].choose)) ++chance_of(m, core).draws;
}

namespace {

bool must_choose(const machine& m, const transition_row& t) {
    const auto& choice = m.hook_context().choice;
    return choice.chooser != t.source || choice.evaluating;
}

/// Stores a value for each candidate: its bonus, negated.
HSM_NOINLINE const op* list_bonuses(const op* at, machine& m) {
    auto& hooks = m.hook_context();
    const auto& core = core_of(m);
    const auto& source = core.states[hooks.choice.chooser];
    const auto bonus = hooks.rechoosing && !(at->number & ops::is_entry) ? source.node->chooses().stay_bonus : 0;
    auto* value = values_of(m);
    for (auto t = source.candidates.first; t < source.candidates.first + source.candidates.count; ++t)
        *value++ = bonus > 0 && is_active(m, core, core.transitions[t].goal) ? -bonus : 0;
    HSM_PROCEED(at + 1);
}

} // namespace

} // namespace hsm::detail

namespace hsm::detail::ops {

const op* evaluate(const op* at, machine& m) {
    auto& hooks = m.hook_context();
    const auto number = at->number;
    auto& choice = hooks.choice;
    choice.highest = choice.bar = 0;
    choice.picked = none_picked;
    choice.chooser = static_cast<index>(number);
    choice.evaluating = true;
    choice.lists = hooks.querying || (number & (lists_always | lists_again) && (number & lists_always || hooks.rechoosing));
    if (choice.lists) HSM_MUSTTAIL
        return list_bonuses(at, m);
    HSM_PROCEED(at + 1);
}

const op* use_scores(const op* at, machine& m) {
    auto& hooks = m.hook_context();
    const bool again = hooks.rechoosing && !(at->number & is_entry) && !hooks.querying;
    hooks.uses_scores = again && hooks.scorer == static_cast<index>(at->number) && !(m.state & state_fired);
    if (!hooks.uses_scores) HSM_PROCEED(at + 2);
    hooks.scorer = no_index;
    const auto number = *(hooks.scores - most_scores); // of the picked candidate
    if (number < 0) HSM_PROCEED(at + 2);
    hooks.choice.chooser = static_cast<index>(at->number);
    hooks.choice.picked = core_of(m).states[hooks.choice.chooser].candidates.first + static_cast<std::uint32_t>(number);
    HSM_PROCEED(at[1].target);
}

const op* fixed_score(const op* at, machine& m) {
    auto& hooks = m.hook_context();
    hooks.score = std::bit_cast<double>(at->number);
    if (hooks.score > hooks.choice.bar) HSM_MUSTTAIL
        return take_offer(at, m);
    HSM_PROCEED(at + 2);
}

const op* if_none_offered(const op* at, machine& m) {
    if (!(m.hook_context().choice.highest > 0)) HSM_PROCEED(at + 2);
    HSM_PROCEED(at[1].target);
}

const op* picked(const op* at, machine& m) {
    m.hook_context().choice.evaluating = false;
    HSM_PROCEED(at + 1);
}

const op* pick_by_chance(const op* at, machine& m) {
    const auto& core = core_of(m);
    const auto s = static_cast<std::uint32_t>(at->number);
    const auto& row = core.states[s];
    const auto found = detail::pick(row.choose, values_of(m), row.candidates.count, draw(chance_of(m, core), s));
    auto& choice = m.hook_context().choice;
    choice.picked = found == none_picked ? none_picked : row.candidates.first + found;
    choice.evaluating = false;
    HSM_PROCEED(at + 1);
}

const op* if_picked(const op* at, machine& m) {
    if (m.hook_context().choice.picked == at->number) HSM_PROCEED(at + 2);
    HSM_PROCEED(at[1].target);
}

const op* if_chosen(const op* at, machine& m) {
    const auto& core = core_of(m);
    const auto& t = core.transitions[at->number];
    if (must_choose(m, t)) choose(m, core, t);
    if (m.hook_context().choice.picked == t.candidate) HSM_PROCEED(at + 2);
    HSM_PROCEED(at[1].target);
}

const op* choose_once(const op* at, machine& m) {
    auto& hooks = m.hook_context();
    hooks.rechoosing = true;
    hooks.choice.after = at + 1;
    HSM_PROCEED(at->target);
}

const op* choose_unless_chosen(const op* at, machine& m) {
    const auto& core = core_of(m);
    if (const auto& t = core.transitions[at->number]; must_choose(m, t)) choose(m, core, t);
    HSM_PROCEED(at + 1);
}

const op* chosen_at_last(const op* at, machine& m) {
    auto& choice = m.hook_context().choice;
    choice.evaluating = false;
    HSM_PROCEED(choice.after ? choice.after : at + 1);
}

const op* go_to_chosen(const op* at, machine& m) {
    const auto count = static_cast<std::uint32_t>(at->number >> 32);
    const auto i = m.hook_context().choice.picked - static_cast<std::uint32_t>(at->number);
    HSM_PROCEED(i < count ? at[1 + i].target : at + 1 + count);
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
