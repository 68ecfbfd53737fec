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
struct document_place {
    std::uint32_t line = 0, column = 0;
};

struct datum {
    enum kind_of : std::uint8_t { nothing, boolean, integer, natural, real, text, list, object };
    using field = std::pair<std::string, datum>;

    datum() = default;
    static datum of(bool value) {
        return with(boolean, [&](datum& d) { d.number = value; });
    }
    static datum of(std::int64_t value) {
        return with(integer, [&](datum& d) { d.number = value; });
    }
    /// Becomes an integer if it fits.
    static datum of(std::uint64_t value) {
        return with(value >> 63 ? natural : integer, [&](datum& d) { d.number = static_cast<std::int64_t>(value); });
    }
    static datum of(double value) {
        return with(real, [&](datum& d) { d.fraction = value; });
    }
    static datum of(std::string value) {
        return with(text, [&](datum& d) { d.string = std::move(value); });
    }
    static datum of(std::string_view value) { return of(std::string(value)); }
    static datum of(const char* value) { return of(std::string(value)); }
    static datum empty_list() {
        return with(list, [](datum&) {});
    }
    static datum empty_object() {
        return with(object, [](datum&) {});
    }

    /// Returns the field of an object, or null.
    const datum* find(std::string_view name) const;
    datum& add(std::string name, datum value); ///< to an object
    datum& add(datum value);                   ///< to a list

    friend bool operator==(const datum& a, const datum& b); ///< ignores positions

    kind_of kind = nothing;
    std::int64_t number = 0; ///< for natural: its bits
    double fraction = 0;
    std::string string;
    std::vector<datum> items;
    std::vector<field> fields; ///< in order
    document_place place;

private:
    template <class Fill> static datum with(kind_of kind, const Fill& fill) {
        datum d;
        d.kind = kind;
        fill(d);
        return d;
    }
};

/// "a number", "a list", for messages.
std::string_view name_of(datum::kind_of kind);
/// Returns the datum as JSON in one line.
std::string short_text(const datum& d);

/// Writes JSON text. Texts that are not UTF-8 become objects: { "hex": "c3" }. Throws save_error (HSM-361) if a name is not UTF-8.
std::string write_json(const datum& d);

/// Reads JSON text. Each datum has its position. Throws save_error: HSM-361 for invalid JSON; HSM-362 for duplicate names, or if the text is too
/// large or too deep.
datum read_json(std::string_view text, std::size_t most_bytes, std::size_t most_depth);

/// Throws save_error (HSM-362).
[[noreturn]] void refuse_document(const datum& at, std::string path, std::string problem);

/// A part of a document and its path. Its functions throw save_error (HSM-362), with the position, if the document has another structure.
class document_part {
public:
    document_part(const datum& at, std::string path) : at_(&at), path_(std::move(path)) {}

    const datum& value() const { return *at_; }
    const std::string& path() const { return path_; }
    [[noreturn]] void refuse(std::string problem) const { refuse_document(*at_, path_, std::move(problem)); }

    /// Throws if the object has other fields.
    void only(const std::vector<std::string_view>& names) const;
    bool has(std::string_view name) const { return object().find(name) != nullptr; }
    document_part operator[](std::string_view name) const; ///< throws if it is missing

    const datum& object() const { return require(datum::object); }
    bool flag(std::string_view name) const; ///< false if it is missing
    const std::string& text() const { return require(datum::text).string; }
    std::int64_t integer(std::int64_t least = std::numeric_limits<std::int64_t>::min()) const;
    double real() const;

    /// Call visit(name, part) for each field of an object, or visit(part) for each item of a list. A missing field has none.
    template <class Visit> void each_field(std::string_view name, const Visit& visit) const {
        if (!has(name)) return;
        const auto inner = (*this)[name];
        for (const auto& [key, value] : inner.object().fields) visit(key, document_part(value, inner.inside(key)));
    }
    template <class Visit> void each_item(std::string_view name, const Visit& visit) const {
        if (!has(name)) return;
        (*this)[name].each_item(visit);
    }
    std::size_t items() const { return require(datum::list).items.size(); }
    template <class Visit> void each_item(const Visit& visit) const {
        const auto& items = require(datum::list).items;
        for (std::size_t i = 0; i < items.size(); ++i) visit(document_part(items[i], inside(std::to_string(i))));
    }

private:
    const datum& require(datum::kind_of kind) const;
    std::string inside(std::string_view name) const;

    const datum* at_;
    std::string path_;
};

} // namespace hsm::detail
