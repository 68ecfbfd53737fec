#include <hsm/save/check_saveable.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/save_error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace hsm {

using namespace detail;

namespace {

struct lack {
    const char* why = nullptr; ///< null: nothing is lacking
    const char* cure = nullptr;
};

lack lacking(const value_layout& v, bool is_local, saving purpose) {
    constexpr const char* describe_it = "write serialize(archive, value) for it, and call hsm::serializes<...>(definition)";
    if (v.form == value_layout::nothing) return {};
    if (v.form == value_layout::unknown) {
        if (!v.codec) return {"it is not trivially copyable and has no serialize", describe_it};
        if (!v.codec->move) return {"it is not trivially copyable, and its move constructor can throw", "add a noexcept move constructor"};
        return is_local ? lack() : lack{"it is not trivially copyable and has no default constructor", "add a default constructor"};
    }
    const bool is_known = v.codec || (v.type->traits & value_is_bytes) || v.form == value_layout::fields;
    return purpose == saving::image || is_known ? lack() : lack{unknown_fields, describe_it};
}

struct use {
    std::string path; ///< of a state
    file_position where;
};

use use_of_local(const chart_core& core, std::size_t local) {
    const auto has_it = [&](const state_row& row) { return row.locals.first <= local && local < row.locals.first + row.locals.count; };
    const auto s = static_cast<std::size_t>(std::ranges::find_if(core.states, has_it) - core.states.begin());
    const auto state = chart_view(facts_of(core)).state(s);
    return {std::string(state.path()), state.where()};
}

/// Finds the first transition that waits for the event.
use use_of_event(const chart_core& core, std::size_t event) {
    for (const auto& t : chart_view(facts_of(core)).transitions())
        if (t.event() && t.event().number() == event) return {std::string(t.source().path()), t.where()};
    return {core.root->path(), {}};
}

void check(std::vector<finding>& found, const chart_core& core, const std::vector<value_layout>& values, bool is_local, saving purpose) {
    std::vector<const type_identity*> reported;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto& v = values[i];
        const auto lacks = lacking(v, is_local, purpose);
        if (!lacks.why || std::ranges::any_of(reported, [&](const type_identity* t) { return same_type(*t, *v.type); })) continue;
        reported.push_back(v.type);
        auto [path, where] = is_local ? use_of_local(core, i) : use_of_event(core, i);
        auto problem = fmt::format("the {} {} {}: {}", is_local ? "local" : "event", v.type->name, impossible(purpose), lacks.why);
        found.push_back({code::unsaveable, std::move(path), std::move(problem), lacks.cure, std::move(where)});
    }
}

std::vector<finding> check_core(const chart_core& core, saving purpose) {
    const auto& layout = image_layout_of(core);
    std::vector<finding> found;
    check(found, core, layout.locals, true, purpose);
    check(found, core, layout.events, false, purpose);
    return found;
}

} // namespace

std::vector<finding> check_saveable(const chart_base& chart, saving purpose) {
    return chart ? check_core(chart.core(), purpose) : std::vector<finding>();
}

const char* detail::impossible(saving purpose) {
    switch (purpose) {
    case saving::image: return "cannot be saved";
    case saving::document: return "cannot be written to a document";
    case saving::hash: break;
    }
    return "cannot be hashed or compared";
}

void detail::require_saveable(const chart_core& core, saving purpose) {
    if (auto found = check_core(core, purpose); !found.empty()) throw save_error(std::move(found));
}

} // namespace hsm
