// Converts transitions to arrows.

#include <hsm/draw/detail/picture_maker.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

std::uint32_t picture_maker::depth(std::uint32_t s) const {
    std::uint32_t n = 0;
    for (; s != 0; s = picture_.shapes[s].within) ++n;
    return n;
}

/// Returns the innermost shape that contains both or is one of them.
std::uint32_t picture_maker::common(std::uint32_t a, std::uint32_t b) const {
    auto deep_a = depth(a), deep_b = depth(b);
    for (; deep_a > deep_b; --deep_a) a = picture_.shapes[a].within;
    for (; deep_b > deep_a; --deep_b) b = picture_.shapes[b].within;
    while (a != b) a = picture_.shapes[a].within, b = picture_.shapes[b].within;
    return a;
}

/// Returns whether the transition is completely inside a closed box or outside the drawing.
bool picture_maker::is_hidden(const transition_view& t) const {
    const auto box = shape_of_[t.source().number()];
    bool all_there = true, none = box == no_shape, folded = false;
    const auto look = [&](const state_view& s) {
        const auto other = shape_of_[s.number()];
        all_there &= other == box;
        none &= other == no_shape;
        folded |= other != no_shape && picture_.shapes[other].state != s.number();
    };
    look(t.source());
    for (const auto s : t.targets()) look(s);
    for (const auto s : t.joined()) look(s);
    return none || (all_there && folded);
}

picture_maker::end picture_maker::end_of(const state_view& s) {
    const auto box = shape_of_[s.number()];
    if (box == no_shape) return {elsewhere(s), {}};
    return {box, at(box).state == s.number() ? state_view() : s};
}

/// Returns the only shape of this kind for a state. Adds it if there is none.
std::uint32_t picture_maker::small(shape_kind kind, const state_view& s, std::uint32_t within, std::string_view word) {
    const auto [found, is_new] = small_.try_emplace({s.number(), kind}, no_shape);
    if (is_new) {
        found->second = add(kind, within, fmt::format("{} {}", s.path(), word));
        at(found->second).state = s.number();
    }
    return found->second;
}

std::uint32_t picture_maker::elsewhere(const state_view& s) {
    const auto number = small(shape_kind::elsewhere, s, 0, "elsewhere");
    at(number).title = s.distinct_name();
    at(number).looks.active = light_.of(s).active;
    return number;
}

std::uint32_t picture_maker::any(std::uint32_t box) { return small(shape_kind::any, chart_.state(at(box).state), box, "any"); }

/// Returns the shape for a machine that makes its entry choice again, without using its history.
std::uint32_t picture_maker::rechoose(std::uint32_t box) {
    const auto s = chart_.state(at(box).state);
    return begin_[s.number()] != no_shape ? begin_[s.number()] : small(shape_kind::rechoose, s, box, "choose again");
}

void picture_maker::add_arrow(arrow a) {
    const auto scope = a.from == a.to ? at(a.from).within : common(a.from, a.to);
    at(a.from).is_source = true;
    at(a.to).is_target = true;
    at(scope).arrows.push_back(std::move(a));
}

void picture_maker::add_transition(const transition_view& t) {
    auto l = labels_.of(t);
    const bool chosen = t.role() == transition_role::dispatch || (t.role() == transition_role::initial && begin_[t.source().number()] != no_shape);
    std::vector<end> sources, targets;
    sources.push_back(chosen && begin_[t.source().number()] != no_shape ? end{begin_[t.source().number()], {}} : end_of(t.source()));
    for (const auto s : t.joined()) sources.push_back(end_of(s));
    for (const auto s : t.targets()) targets.push_back(end_of(s));
    std::string inner;
    const auto note_inner = [&](const std::vector<end>& ends, std::string_view word) {
        for (const auto& e : ends)
            if (e.within) inner += fmt::format("{}{} {}", inner.empty() ? "" : ", ", word, e.within.distinct_name());
    };
    note_inner(sources, "from");
    note_inner(targets, "to");
    if (!inner.empty()) l.more += (l.more.empty() ? "" : ", ") + inner;
    if (t.role() == transition_role::initial && at(sources[0].shape).kind == shape_kind::dispatch && l.guard.empty()) l.guard = "else";
    const auto source = sources[0].shape;
    if (sources.size() == 1 && targets.size() == 1 && source == targets[0].shape && picture_.has_box(at(source)))
        add_loop(t, source, std::move(l));
    else
        add_arrows(t, std::move(sources), std::move(targets), std::move(l));
}

/// Adds a transition from a box to itself: two arrows, with a small labeled shape between them.
void picture_maker::add_loop(const transition_view& t, std::uint32_t box, label l) {
    const auto over = add(shape_kind::again, at(box).within, fmt::format("{} t{}", at(box).id, t.number()));
    at(over).transition = t.number();
    at(over).looks = light_.of(t);
    l.note = at(over).looks.note;
    at(over).title = l.text();
    arrow out{box, over, t.number(), {}}, back{over, box, t.number(), {}};
    out.looks = back.looks = at(over).looks;
    out.open = out.first = true;
    add_arrow(std::move(out));
    add_arrow(std::move(back));
}

void picture_maker::add_arrows(const transition_view& t, std::vector<end> sources, std::vector<end> targets, label l) {
    auto scope = sources[0].shape;
    for (const auto* ends : {&sources, &targets})
        for (const auto& e : *ends) scope = common(scope, e.shape);
    const bool is_box = scope == 0 || picture_.has_box(at(scope)); // otherwise all ends are one shape
    if (is_box) {
        for (auto& e : sources)
            if (e.shape == scope) e.shape = any(scope);
        for (auto& e : targets)
            if (e.shape == scope) e.shape = rechoose(scope);
    }
    const auto lit = light_.of(t);
    l.note = lit.note;
    arrow a{sources[0].shape, targets[0].shape, t.number(), std::move(l)};
    a.looks = lit;
    a.first = true;
    a.dashed = at(sources[0].shape).kind == shape_kind::dispatch;
    if (sources.size() == 1 && targets.size() == 1) return add_arrow(std::move(a));

    const auto bar = add(shape_kind::bar, is_box ? scope : at(scope).within, fmt::format("{} t{}", at(sources[0].shape).id, t.number()));
    at(bar).transition = t.number();
    at(bar).is_fork = targets.size() > 1;
    at(bar).looks = lit;
    auto moved = std::exchange(a.label, {});
    for (std::size_t i = 0; i < sources.size(); ++i) {
        auto in = a;
        in.from = sources[i].shape;
        in.to = bar;
        in.open = true;
        in.first = i == 0;
        if (i == 0 && targets.size() > 1) in.label = moved;
        add_arrow(std::move(in));
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
        auto out = a;
        out.from = bar;
        out.to = targets[i].shape;
        out.first = false;
        if (i == 0 && targets.size() == 1) out.label = moved;
        add_arrow(std::move(out));
    }
}

} // namespace hsm::detail
