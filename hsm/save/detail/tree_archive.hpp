/// Converts users' objects to document data and back, by the names of their fields, for documents, hashes and differences.
#pragma once

#include <hsm/save/archive.hpp>
#include <hsm/save/detail/datum.hpp>
#include <hsm/save/detail/image_shape.hpp>
#include <hsm/save/detail/snapshot.hpp>

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace hsm::detail {

/// Returns the shortest number that identifies the value within its type. Values that JSON cannot express become a text.
datum real_to_tree(double value, bool is_float);
/// Returns false if the datum is not a number.
bool tree_to_real(const datum& d, double& value);

/// Writes an object.
class tree_writer final : public archive {
public:
    tree_writer() : archive(false) { open_.push_back(&root_); }
    datum take() { return std::move(root_); } ///< the fields of one object

private:
    void begin_field(std::string_view name) override { name_ = name; }
    void boolean(bool& value) override { put(datum::of(value)); }
    void integer(std::int64_t& value, std::int64_t, std::int64_t) override { put(datum::of(value)); }
    void natural(std::uint64_t& value, std::uint64_t) override { put(datum::of(value)); }
    void real(double& value, bool is_float) override { put(real_to_tree(value, is_float)); }
    void text(std::string& value) override { put(datum::of(value)); }
    void begin_object() override { open_.push_back(&put(datum::empty_object())); }
    void end_object() override { open_.pop_back(); }
    void begin_list(std::size_t&) override { open_.push_back(&put(datum::empty_list())); }
    void end_list() override { open_.pop_back(); }
    bool skips() override { return false; }
    [[noreturn]] void refuse(std::string problem) override { throw std::logic_error(problem); }

    datum& put(datum value);

    datum root_ = datum::empty_object();
    std::vector<datum*> open_; ///< outermost first; outer ones do not grow while an inner one is open
    std::string name_;
};

/// Data that does not fit. Not visible to users.
struct misfit {
    std::string problem;
    std::string path; ///< of the field, from the object on
    document_place place;
};

/// Reads an object. Missing fields stay unchanged; unread fields are listed.
class tree_reader final : public archive {
public:
    explicit tree_reader(const datum& from);
    const std::vector<misfit>& missing() const { return missing_; }
    std::vector<misfit> unread() const; ///< call it after reading

private:
    struct level {
        const datum* at;
        std::size_t next = 0;           ///< of a list
        std::vector<const datum*> read; ///< of an object
    };

    void begin_field(std::string_view name) override;
    bool skips() override;
    void boolean(bool& value) override;
    void integer(std::int64_t& value, std::int64_t least, std::int64_t most) override;
    void natural(std::uint64_t& value, std::uint64_t most) override;
    void real(double& value, bool is_float) override;
    void text(std::string& value) override;
    void begin_object() override;
    void end_object() override;
    void begin_list(std::size_t& count) override;
    void end_list() override;
    [[noreturn]] void refuse(std::string problem) override;

    const datum& require(datum::kind_of kind);
    std::optional<std::int64_t> enumerator();
    void note_unread(const level& l);
    std::string path() const;

    std::vector<level> open_;
    std::vector<std::string> names_; ///< of the open levels and the current field
    std::string name_;
    const datum* field_ = nullptr;
    std::vector<misfit> missing_, unread_;
};

/// Converts the bytes of an object in an image to document data. `prototype` is that of a local, or null.
datum value_to_tree(const value_shape& shape, const void* prototype, std::span<const std::byte> bytes);
/// Missing fields are as in the prototype, or as in a default-constructed object. Throws misfit.
value_bytes tree_to_value(const value_shape& shape, const void* prototype, const datum& tree, std::vector<misfit>& notes);
/// For a local that is missing in the document.
value_bytes prototype_bytes(const value_shape& shape, const void* prototype);

} // namespace hsm::detail
