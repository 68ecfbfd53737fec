#include <hsm/chart/detail/chart_core.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/define/detail/lookup.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <algorithm>
#include <string_view>

namespace hsm::detail {

bool chart_core::raises(std::uint16_t number, const void* payload) const {
    if (number == no_index || !event_refs[number].type->is_name) return false;
    const auto name = name_at(number, payload).name;
    const std::string_view error = options.guard_error;
    return (options.done_events && name.starts_with("done.state.")) || (!error.empty() && name == error);
}

std::uint32_t definition_tables::find_condition(const condition_key& key) const {
    if (!key.name.empty()) {
        const auto found = std::ranges::lower_bound(conditions_by_name, key.name, {}, [&](auto number) { return conditions[number]; });
        return found != conditions_by_name.end() && conditions[*found] == key.name ? *found : no_condition;
    }
    const bool of_another = key.spec && (index_of(*key.spec->owner) == no_index || (key.spec->number == 0 && key.spec->index != 0));
    const auto number = key.spec ? key.spec->number : static_cast<std::uint32_t>(key.index);
    return of_another || number >= conditions.size() ? no_condition : number;
}

program chart_core::program_for(index leaf, std::uint32_t column) const {
    const auto first = entries.begin() + states[leaf].programs.first;
    const auto last = first + states[leaf].programs.count;
    const auto found = std::lower_bound(first, last, column, [](const row_entry& e, std::uint32_t c) { return e.column < c; });
    return found != last && found->column == column ? found->at : 0;
}

/// Prefers the identical type; equal types of other modules come second.
const local_row* definition_tables::find_local(index from, const local_type& type) const {
    const auto nearest = [&](auto is_meant) -> const local_row* {
        for (auto s = from; s != no_index; s = states[s].superstate)
            for (auto i = states[s].locals.first; i < states[s].locals.first + states[s].locals.count; ++i)
                if (is_meant(*locals[i].type)) return &locals[i];
        return nullptr;
    };
    if (const auto* const found = nearest([&](const local_type& each) { return &each == &type; })) return found;
    return nearest([&](const local_type& each) { return same_type(each, type); });
}

index definition_tables::toward(index outer, index inner) const {
    while (states[inner].superstate != outer) inner = states[inner].superstate;
    return inner;
}

void* definition_tables::context_of(index s, void* root_context) const {
    const auto& row = states[s];
    auto* const outer = row.superstate == no_index ? root_context : context_of(row.superstate, root_context);
    const auto& way = row.node->projection();
    return way ? way.call()(way.self(), outer) : outer;
}

namespace {

/// From the worst to the best.
enum class match { none, end, whole, whole_below_root };

/// Returns whether the path is the end of the state's path.
match match_path(const state_base& state, std::string_view path) {
    const auto* s = &state;
    for (;; s = s->superstate()) {
        const auto slash = path.rfind('/');
        if (!s || s->name() != path.substr(slash == path.npos ? 0 : slash + 1)) return match::none;
        if (slash == path.npos) break;
        path = path.substr(0, slash);
    }
    if (!s->superstate()) return match::whole;
    return s->superstate()->superstate() ? match::end : match::whole_below_root;
}

/// Calls `visit(state)` with all states that the key can mean.
template <class Visit> void each_named(const chart_core& core, const state_key& key, const Visit& visit) {
    if (key.id || key.by_class) {
        const target_spec wanted(key);
        for (index s = 0; s < row_count(core.states); ++s)
            if (bears(*core.states[s].node, wanted)) visit(s, match::end);
    } else if (!key.path.empty()) {
        const auto name = key.path.substr(key.path.rfind('/') + 1);
        const auto name_of = [&](index s) { return core.states[s].node->name(); };
        for (auto s = std::ranges::lower_bound(core.by_name, name, {}, name_of); s != core.by_name.end() && name_of(*s) == name; ++s)
            if (const auto found = match_path(*core.states[*s].node, key.path); found != match::none) visit(*s, found);
    }
}

} // namespace

chart_core::found_state chart_core::find(const state_key& key) const {
    if (key.node) return {index_of(*key.node), false};
    found_state best;
    auto how = match::none;
    each_named(*this, key, [&](index s, match found) {
        if (found == how) best.ambiguous = true;
        if (found > how) best = {s, false};
        how = std::max(how, found);
    });
    return best;
}

std::vector<index> chart_core::named_by(const state_key& key) const {
    std::vector<index> all;
    each_named(*this, key, [&](index s, match) { all.push_back(s); });
    return all;
}

void add_user(const chart_core* core) noexcept {
    if (core) atomic_view(core->owner->users).fetch_add<order::relaxed>(1);
}

void remove_user(const chart_core* core) noexcept {
    if (core && atomic_view(core->owner->users).fetch_sub<order::acquire_release>(1) == 1) delete core->owner;
}

} // namespace hsm::detail
