#include <hsm/save/detail/datum.hpp>

#include <hsm/op/detail/format.hpp>

#include <bit>

namespace hsm::detail {

const datum* datum::find(std::string_view name) const {
    for (const auto& [known, value] : fields)
        if (known == name) return &value;
    return nullptr;
}

datum& datum::add(std::string name, datum value) { return fields.emplace_back(std::move(name), std::move(value)).second; }
datum& datum::add(datum value) { return items.emplace_back(std::move(value)); }

/// Compares floating-point numbers by their bits, so NaN equals itself.
bool operator==(const datum& a, const datum& b) {
    return a.kind == b.kind && a.number == b.number && std::bit_cast<std::uint64_t>(a.fraction) == std::bit_cast<std::uint64_t>(b.fraction) &&
           a.string == b.string && a.items == b.items && a.fields == b.fields;
}

std::string_view name_of(datum::kind_of kind) {
    constexpr std::string_view names[] = {"null", "true or false", "a number", "a number", "a number", "a text", "a list", "an object"};
    return names[kind];
}

std::string short_text(const datum& d) {
    std::string text;
    switch (d.kind) {
    case datum::nothing: return "null";
    case datum::boolean: return d.number ? "true" : "false";
    case datum::integer: return std::to_string(d.number);
    case datum::natural: return std::to_string(static_cast<std::uint64_t>(d.number));
    case datum::real: return fmt::format("{}", d.fraction);
    case datum::text: return '"' + d.string + '"';
    case datum::list:
        for (const auto& each : d.items) text += (text.empty() ? "" : ", ") + short_text(each);
        return '[' + text + ']';
    case datum::object:
        for (const auto& [name, value] : d.fields) text += (text.empty() ? "\"" : ", \"") + name + "\": " + short_text(value);
        return '{' + text + '}';
    }
    return text;
}

} // namespace hsm::detail
