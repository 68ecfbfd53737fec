#include <hsm/save/detail/document_reader.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/save/save_error.hpp>

#include <algorithm>

namespace hsm::detail {

void refuse_document(const datum& at, std::string path, std::string problem) {
    finding f{code::broken_document, std::move(path), std::move(problem), "restore a document that was saved"};
    if (at.place.line > 0) f.where = {"document", at.place.line, at.place.column};
    throw save_error(std::move(f));
}

const datum& document_part::require(datum::kind_of kind) const {
    if (at_->kind != kind) refuse(fmt::format("it is {}, but must be {}", name_of(at_->kind), name_of(kind)));
    return *at_;
}

void document_part::only(const std::vector<std::string_view>& names) const {
    for (const auto& [name, value] : object().fields)
        if (std::ranges::find(names, name) == names.end()) refuse_document(value, inside(name), "this key is unknown");
}

std::string document_part::inside(std::string_view name) const { return path_.empty() ? std::string(name) : path_ + '/' + std::string(name); }

document_part document_part::operator[](std::string_view name) const {
    const auto* const found = object().find(name);
    if (!found) refuse(fmt::format("\"{}\" is missing", name));
    return {*found, inside(name)};
}

bool document_part::flag(std::string_view name) const { return has(name) && (*this)[name].require(datum::boolean).number != 0; }

std::int64_t document_part::integer(std::int64_t least) const {
    const auto number = require(datum::integer).number;
    if (number < least) refuse(fmt::format("it is {}, but must be {} or more", number, least));
    return number;
}

double document_part::real() const { return at_->kind == datum::integer ? static_cast<double>(at_->number) : require(datum::real).fraction; }

} // namespace hsm::detail
