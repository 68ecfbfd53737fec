#include <hsm/save/detail/json_value.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/save/save_error.hpp>

#include <algorithm>
#include <bit>

namespace hsm::detail {

const json_value* json_value::find(std::string_view name) const {
    for (const auto& [known, value] : fields)
        if (known == name) return &value;
    return nullptr;
}

json_value& json_value::add(std::string name, json_value value) { return fields.emplace_back(std::move(name), std::move(value)).second; }
json_value& json_value::add(json_value value) { return items.emplace_back(std::move(value)); }

/// Compares floating-point numbers by their bits, so NaN equals itself.
bool operator==(const json_value& a, const json_value& b) {
    return a.kind == b.kind && a.number == b.number && std::bit_cast<std::uint64_t>(a.fraction) == std::bit_cast<std::uint64_t>(b.fraction) &&
           a.string == b.string && a.items == b.items && a.fields == b.fields;
}

std::string_view name_of(json_value::kind_of kind) {
    constexpr std::string_view names[] = {"null",     "true or false", "an integer", "an integer of 2^63 or more",
                                          "a number", "a text",        "a list",     "an object"};
    return names[kind];
}

std::string short_text(const json_value& d) {
    std::string text;
    switch (d.kind) {
    case json_value::nothing: return "null";
    case json_value::boolean: return d.number ? "true" : "false";
    case json_value::integer: return std::to_string(d.number);
    case json_value::natural: return std::to_string(static_cast<std::uint64_t>(d.number));
    case json_value::real: return fmt::format("{}", d.fraction);
    case json_value::text: return '"' + d.string + '"';
    case json_value::list:
        for (const auto& each : d.items) text += (text.empty() ? "" : ", ") + short_text(each);
        return '[' + text + ']';
    case json_value::object:
        for (const auto& [name, value] : d.fields) text += (text.empty() ? "\"" : ", \"") + name + "\": " + short_text(value);
        return '{' + text + '}';
    }
    return text;
}

void refuse_document(const json_value& at, std::string path, std::string problem) {
    finding f{code::broken_document, std::move(path), std::move(problem), "restore a document that was saved"};
    if (at.place.line > 0) f.where = {"document", at.place.line, at.place.column};
    throw save_error(std::move(f));
}

const json_value& document_node::require(json_value::kind_of kind) const {
    if (at_->kind != kind) refuse(fmt::format("it is {}, but must be {}", name_of(at_->kind), name_of(kind)));
    return *at_;
}

void document_node::only(const std::vector<std::string_view>& names) const {
    for (const auto& [name, value] : object().fields)
        if (std::ranges::find(names, name) == names.end()) refuse_document(value, inside(name), "this key is unknown");
}

std::string path_inside(std::string_view outer, std::string_view name) {
    return fmt::format("{}{}{}", outer, outer.empty() || name.empty() ? "" : "/", name);
}

document_node document_node::operator[](std::string_view name) const {
    const auto* const found = object().find(name);
    if (!found) refuse(fmt::format("\"{}\" is missing", name));
    return {*found, inside(name)};
}

bool document_node::flag(std::string_view name) const { return has(name) && (*this)[name].require(json_value::boolean).number != 0; }

std::int64_t document_node::integer(std::int64_t least) const {
    const auto number = require(json_value::integer).number;
    if (number < least) refuse(fmt::format("it is {}, but must be {} or more", number, least));
    return number;
}

double document_node::real() const {
    return at_->kind == json_value::integer ? static_cast<double>(at_->number) : require(json_value::real).fraction;
}

} // namespace hsm::detail
