#include <hsm/define/condition.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/named.hpp>
#include <hsm/define/state_base.hpp>

#include <algorithm>

namespace hsm {

using namespace detail;

namespace {

constexpr std::size_t few_conditions = 16;

/// Returns the condition with the same name, and the same index if both have one; null if there is none.
condition_spec* find_same(const std::vector<owned<condition_spec>>& list, std::string_view name, std::int64_t index) {
    const auto agrees = [&](const owned<condition_spec>& c) {
        if (c->name != name) return false;
        if (name.empty()) return c->index == index;
        return c->index == index || index == condition_spec::any_index || c->index == condition_spec::any_index;
    };
    const auto found = std::ranges::find_if(list, agrees);
    return found == list.end() ? nullptr : found->get();
}

} // namespace

/// Returns an equal condition if there is one.
condition_spec& state_base::declare(std::string_view name, std::int64_t index, hsm::origin where) {
    const bool anonymous = name.empty() && index == condition_spec::any_index;
    auto* const same = anonymous ? nullptr : condition_index_ ? condition_index_->find(name, index) : find_same(conditions_, name, index);
    if (same) {
        if (index != condition_spec::any_index) same->index = index;
        if (!same->origin) same->origin = where;
        if (condition_index_) condition_index_->add(*same);
        return *same;
    }
    conditions_.push_back(
        owned<condition_spec>(new condition_spec{.owner = this, .name = std::string(name), .index = index, .origin = where, .declared = anonymous}));
    if (conditions_.size() == few_conditions) {
        condition_index_ = make_owned<condition_index>();
        for (const auto& c : conditions_) condition_index_->add(*c);
    } else if (condition_index_) {
        condition_index_->add(*conditions_.back());
    }
    return *conditions_.back();
}

condition state_base::named_condition(std::string_view name, std::int64_t index, hsm::origin where) {
    auto& spec = condition_spec_named(name, index, where);
    if (!spec.declared && where) spec.origin = where;
    spec.declared = true;
    return hsm::condition(spec);
}

condition_spec& state_base::condition_used(std::string_view name, hsm::origin at) {
    return open().condition_spec_named(name, condition_spec::any_index, at);
}

condition_spec& state_base::condition_spec_named(std::string_view name, std::int64_t index, hsm::origin where) {
    return declare(name.empty() ? "!" : name, index, where);
}

void transition_spec::add_conditions(condition_group group) {
    if (group.literals.size() == 1) group.any = false;
    if (group.any) return conditions.push_back(std::move(group));
    if (all_group < conditions.size() && !conditions[all_group].any) {
        auto& literals = conditions[all_group].literals;
        literals.insert(literals.end(), group.literals.begin(), group.literals.end());
        return;
    }
    all_group = static_cast<std::uint32_t>(conditions.size());
    conditions.push_back(std::move(group));
}

namespace detail {

std::string label_of_condition(const condition_literal& asked) {
    const auto& c = *asked.condition;
    auto label = c.name.empty() ? "bit " + std::to_string(c.index) : '"' + c.name + '"';
    if (c.name.empty() && c.index == condition_spec::any_index) label = "a condition";
    return asked.wanted ? label : '!' + label;
}

std::string label_of_parts(std::initializer_list<std::string> labels, std::string_view between) {
    std::string text;
    for (const auto& label : labels) {
        if (&label != labels.begin()) text += between;
        text += label;
    }
    return text;
}

condition_literal read_condition(state_base& where, std::string_view written, bool sense, origin at) {
    const bool negated = written.starts_with('!');
    return {&where.condition_used(written.substr(negated ? 1 : 0), at), sense != negated};
}

condition_literal read_condition(state_base& where, int index, bool sense, origin at) {
    const bool negated = index < 0;
    return {&where.condition_at(negated ? -std::int64_t(index) : index, at), sense != negated};
}

condition_literal read_condition(state_base& where, const condition& c, bool sense, origin at) {
    if (c.spec()) return {c.spec(), sense};
    return {&where.condition_at(c.index(), at), sense}; // `check` reports invalid handles
}

} // namespace detail

} // namespace hsm
