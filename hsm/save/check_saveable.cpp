#include <hsm/save/check_saveable.hpp>

#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/image_shape.hpp>
#include <hsm/save/save_error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace hsm {

using namespace detail;

namespace {

/// Null: nothing.
const char* lacking(const value_shape& v, bool is_local, saving purpose) {
    if (v.form == value_shape::nothing) return nullptr;
    if (v.form == value_shape::unknown) {
        if (!v.codec) return "it is not trivially copyable, and its fields are not known";
        if (!v.codec->move) return "it is not trivially copyable, and moving it might throw";
        return is_local ? nullptr : "it is not trivially copyable, and has no default constructor";
    }
    const bool is_known = v.codec || (v.type->traits & value_is_bytes) || v.form == value_shape::fields;
    return purpose == saving::document && !is_known ? "its bytes are not its value, and its fields are not known" : nullptr;
}

void check(std::vector<finding>& found, const chart_core& core, const std::vector<value_shape>& values, bool is_local, saving purpose) {
    std::vector<const type_identity*> told;
    for (const auto& v : values) {
        const auto* const why = lacking(v, is_local, purpose);
        if (!why || std::ranges::any_of(told, [&](const type_identity* t) { return same_type(*t, *v.type); })) continue;
        told.push_back(v.type);
        found.push_back({code::unsaveable, core.root->path(),
                         std::string(is_local ? "the local " : "the event ") + std::string(v.type->name) + " cannot be saved: " + why,
                         "write serialize(archive, value) beside it, and call hsm::serializes<...>(definition)"});
    }
}

std::vector<finding> check_core(const chart_core& core, saving purpose) {
    const auto& shape = shape_of(core);
    std::vector<finding> found;
    check(found, core, shape.locals, true, purpose);
    check(found, core, shape.events, false, purpose);
    return found;
}

} // namespace

std::vector<finding> check_saveable(const chart_base& chart, saving purpose) {
    return chart ? check_core(chart.core(), purpose) : std::vector<finding>();
}

void detail::require_saveable(const chart_core& core, saving purpose) {
    if (auto found = check_core(core, purpose); !found.empty()) throw save_error(std::move(found));
}

} // namespace hsm
