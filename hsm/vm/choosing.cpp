#include <hsm/vm/detail/choosing.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/vm/detail/ops.hpp>

#include <algorithm>
#include <bit>

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

const op* offer(const op* at, machine& m) {
    auto& hooks = m.hook_context();
    const bool possible = is_score(hooks.score) && hooks.score > 0;
    if (possible) values_of(m)[at->number] = hooks.score;
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
    const auto source = core.transitions[at->number].source;
    const auto& hooks = m.hook_context();
    if (hooks.choosing != source || hooks.evaluating) run(core.at(core.states[source].choose_program), m);
    return if_picked(at, m);
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
