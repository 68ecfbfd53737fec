/// Converts users' objects to document data and back, by the names of their fields, for documents, hashes and differences.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/save/archive.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/detail/snapshot.hpp>

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace hsm::detail {

/// Returns the shortest number that identifies the value within its type. Values that JSON cannot express become a text.
json_value real_to_json(double value, bool is_float);
/// Returns false if the datum is not a number.
bool json_to_real(const json_value& d, double& value);

/// Writes an object.
class json_archive_writer final : public archive {
public:
    json_archive_writer() : archive(false) { open_.push_back(&root_); }
    json_value take() { return std::move(root_); } ///< the fields of one object

private:
    void begin_field(std::string_view name) override { name_ = name; }
    void boolean(bool& value) override { put(json_value::of(value)); }
    void integer(std::int64_t& value, std::int64_t, std::int64_t) override { put(json_value::of(value)); }
    void natural(std::uint64_t& value, std::uint64_t) override { put(json_value::of(value)); }
    void real(double& value, bool is_float) override { put(real_to_json(value, is_float)); }
    void text(std::string& value) override { put(json_value::of(value)); }
    void begin_object() override { open_.push_back(&put(json_value::empty_object())); }
    void end_object() override { open_.pop_back(); }
    void begin_list(std::size_t&) override { open_.push_back(&put(json_value::empty_list())); }
    void end_list() override { open_.pop_back(); }
    bool skips() override { return false; }
    [[noreturn]] void refuse(std::string problem) override { throw std::logic_error(problem); }

    json_value& put(json_value value);

    json_value root_ = json_value::empty_object();
    std::vector<json_value*> open_; ///< outermost first; outer ones do not grow while an inner one is open
    std::string name_;
};

/// Writes an object with its `serialize`.
json_value fields_of_object(void (*serialize)(archive& to, void* object), const void* object);

/// Data that does not fit. Not visible to users.
struct mismatch {
    std::string problem;
    std::string path; ///< of the field, from the object on
    document_position place;
};

/// Reads an object. Missing fields stay unchanged; unread fields are listed.
class json_archive_reader final : public archive {
public:
    explicit json_archive_reader(const json_value& from);
    const std::vector<mismatch>& missing() const { return missing_; }
    std::vector<mismatch> unread() const; ///< call it after reading

private:
    struct level {
        const json_value* at;
        std::size_t next = 0;                ///< of a list
        std::vector<const json_value*> read; ///< of an object
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

    const json_value& require(json_value::kind_of kind);
    std::optional<std::int64_t> enumerator();
    void add_unread(const level& l);
    std::string path() const;

    std::vector<level> open_;
    std::vector<std::string> names_; ///< of the open levels and the current field
    std::string name_;
    const json_value* field_ = nullptr;
    std::vector<mismatch> missing_, unread_;
};

/// Converts the bytes of an object in an image to document data. `prototype` is that of a local, or null.
json_value value_to_json(const value_layout& layout, const void* prototype, std::span<const std::byte> bytes);
/// Missing fields are as in the prototype, or as in a default-constructed object. Throws mismatch.
value_bytes json_to_value(const value_layout& layout, const void* prototype, const json_value& json, std::vector<mismatch>& notes);
/// Returns an event's payload as logs store it. Throws mismatch.
value_bytes json_to_payload(const value_layout& layout, const json_value& json, std::vector<mismatch>& notes);
/// Returns the data of an event that is sent without data: its value, or no fields.
json_value default_payload(const event_view& event, const value_layout& layout);
/// For a local that is missing in the document.
value_bytes prototype_bytes(const value_layout& layout, const void* prototype);

} // namespace hsm::detail
