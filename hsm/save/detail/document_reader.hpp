/// Reads the structure of a document. Invalid parts throw broken_document (HSM-362) with the position.
#pragma once

#include <hsm/save/detail/datum.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

/// Throws save_error (HSM-362).
[[noreturn]] void refuse_document(const datum& at, std::string path, std::string problem);

/// A part of a document and its path.
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
