/// Structured data: the content of a document, independent of its syntax. Its parts and their paths; its text as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm::detail {

/// A position in a document, from 1; 0 if the datum does not come from a document.
struct document_position {
    std::uint32_t line = 0, column = 0;
};

struct json_value {
    enum kind_of : std::uint8_t { nothing, boolean, integer, natural, real, text, list, object };
    using field = std::pair<std::string, json_value>;

    json_value() = default;
    static json_value of(bool value) { return {boolean, value}; }
    static json_value of(std::int64_t value) { return {integer, value}; }
    /// Becomes an integer if it fits.
    static json_value of(std::uint64_t value) { return {value >> 63 ? natural : integer, static_cast<std::int64_t>(value)}; }
    static json_value of(double value) { return {real, 0, value}; }
    static json_value of(std::string value) { return {text, 0, 0, std::move(value)}; }
    static json_value of(std::string_view value) { return of(std::string(value)); }
    static json_value of(const char* value) { return of(std::string(value)); }
    static json_value empty_list() { return {list, 0}; }
    static json_value empty_object() { return {object, 0}; }

    /// Returns the field of an object, or null.
    const json_value* find(std::string_view name) const;
    json_value& add(std::string name, json_value value); ///< to an object
    json_value& add(json_value value);                   ///< to a list

    friend bool operator==(const json_value& a, const json_value& b); ///< ignores positions

    kind_of kind = nothing;
    std::int64_t number = 0; ///< for natural: its bits
    double fraction = 0;
    std::string string;
    std::vector<json_value> items;
    std::vector<field> fields; ///< in order
    document_position place;

private:
    json_value(kind_of k, std::int64_t n, double f = 0, std::string s = {}) : kind(k), number(n), fraction(f), string(std::move(s)) {}
};

/// "a number", "a list", for messages.
std::string_view name_of(json_value::kind_of kind);
/// Returns the datum as JSON in one line.
std::string short_text(const json_value& d);

/// Writes JSON text. Texts that are not UTF-8 become objects: { "hex": "c3" }. Throws save_error (HSM-361) if a name is not UTF-8.
std::string write_json(const json_value& d);

/// Reads JSON text. Each datum has its position. Throws save_error: HSM-361 for invalid JSON; HSM-362 for duplicate names, or if the text is too
/// large or too deep.
json_value read_json(std::string_view text, std::size_t most_bytes, std::size_t most_depth);

/// Throws save_error (HSM-362).
[[noreturn]] void refuse_document(const json_value& at, std::string path, std::string problem);

/// Returns "outer/name", or the one that is not empty.
std::string path_inside(std::string_view outer, std::string_view name);

/// A part of a document and its path. Its functions throw save_error (HSM-362), with the position, if the document has another structure.
class document_node {
public:
    document_node(const json_value& at, std::string path) : at_(&at), path_(std::move(path)) {}

    const json_value& value() const { return *at_; }
    const std::string& path() const { return path_; }
    [[noreturn]] void refuse(std::string problem) const { refuse_document(*at_, path_, std::move(problem)); }

    /// Throws if the object has other fields.
    void only(const std::vector<std::string_view>& names) const;
    bool has(std::string_view name) const { return object().find(name) != nullptr; }
    document_node operator[](std::string_view name) const; ///< throws if it is missing

    const json_value& object() const { return require(json_value::object); }
    bool flag(std::string_view name) const; ///< false if it is missing
    const std::string& text() const { return require(json_value::text).string; }
    std::int64_t integer(std::int64_t least = std::numeric_limits<std::int64_t>::min()) const;
    double real() const;

    /// Call visit(name, part) for each field of an object, or visit(part) for each item of a list. A missing field has none.
    template <class Visit> void each_field(std::string_view name, const Visit& visit) const {
        if (!has(name)) return;
        const auto inner = (*this)[name];
        for (const auto& [key, value] : inner.object().fields) visit(key, document_node(value, inner.inside(key)));
    }
    template <class Visit> void each_item(std::string_view name, const Visit& visit) const {
        if (!has(name)) return;
        (*this)[name].each_item(visit);
    }
    std::size_t items() const { return require(json_value::list).items.size(); }
    template <class Visit> void each_item(const Visit& visit) const {
        const auto& items = require(json_value::list).items;
        for (std::size_t i = 0; i < items.size(); ++i) visit(document_node(items[i], inside(std::to_string(i))));
    }

private:
    const json_value& require(json_value::kind_of kind) const;
    std::string inside(std::string_view name) const { return path_inside(path_, name); }

    const json_value* at_;
    std::string path_;
};

} // namespace hsm::detail
