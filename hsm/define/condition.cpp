#include <hsm/define/condition.hpp>

#include <hsm/define/state_base.hpp>

namespace hsm {

namespace {
/// One that is the same, as far as is known, is there only once.
condition_spec& declared(std::vector<owned<condition_spec>>& list, const state_base& owner, std::string_view name, std::int64_t index) {
    const bool anonymous = name.empty() && index == condition_spec::any_index;
    for (const auto& c : list) {
        if (anonymous || c->name != name) continue;
        if (name.empty() ? c->index != index : c->index != index && index != condition_spec::any_index && c->index != condition_spec::any_index)
            continue;
        if (index != condition_spec::any_index) c->index = index;
        return *c;
    }
    list.push_back(owned<condition_spec>(new condition_spec{&owner, std::string(name), index, 0}));
    return *list.back();
}
} // namespace

condition_spec& state_base::declare(std::string_view name, std::int64_t index) { return declared(conditions_, *this, name, index); }
condition state_base::named_condition(std::string_view name, std::int64_t index) {
    // a name that is empty is a mistake that the check finds
    return hsm::condition(declare(name.empty() ? "!" : name, index));
}

void transition_spec::add_conditions(condition_group group) {
    if (group.literals.size() == 1) group.any = false;
    if (!group.any)
        for (auto& g : conditions)
            if (!g.any) return g.literals.insert(g.literals.end(), group.literals.begin(), group.literals.end()), void();
    conditions.push_back(std::move(group));
}

namespace detail {

condition_literal read_condition(state_base& where, std::string_view written, bool sense) {
    const bool negated = written.starts_with('!');
    const auto named = where.condition(written.substr(negated ? 1 : 0));
    return {named.spec(), sense != negated};
}

condition_literal read_condition(state_base& where, int index, bool sense) {
    const bool negated = index < 0;
    return {&where.condition_at(negated ? -std::int64_t(index) : index), sense != negated};
}

condition_literal read_condition(state_base& where, const condition& c, bool sense) {
    if (c.spec()) return {c.spec(), sense};
    return {&where.condition_at(c.index()), sense}; // an invalid handle is a mistake that the check finds
}

} // namespace detail

} // namespace hsm
