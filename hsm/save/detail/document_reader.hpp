/// The structure of a document, piece by piece. What is not as it must be ends the reading: broken_document, with the place.
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

/// Something in a document, and the way to it.
class document_part {
public:
    document_part(const datum& at, std::string path) : at_(&at), path_(std::move(path)) {}

    const datum& value() const { return *at_; }
    const std::string& path() const { return path_; }
    [[noreturn]] void refuse(std::string problem) const { refuse_document(*at_, path_, std::move(problem)); }

    /// Refuses an object with other fields.
    void only(const std::vector<std::string_view>& names) const;
    bool has(std::string_view name) const { return object().find(name) != nullptr; }
    document_part operator[](std::string_view name) const; ///< that must be there

    const datum& object() const { return require(datum::object); }
    bool flag(std::string_view name) const; ///< false if it is not there
    const std::string& text() const { return require(datum::text).string; }
    std::int64_t integer(std::int64_t least = std::numeric_limits<std::int64_t>::min()) const;
    double real() const;

    /// visit(name, part) of an object, visit(part) of a list; none if there is no field of that name.
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
