/// Structured data: the content of a document, independent of its syntax.
#pragma once

#include <cstddef>
#include <cstdint>
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

} // namespace hsm::detail
