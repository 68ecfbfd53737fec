/// The state of an instance with the names of its chart, for documents, hashes and differences.
///
///     { "initialized": true, "paused": true, "time_scale": 2.0, "active": ["hero/fight/slash"], "over": true,
///       "states": { "hero/fight": { "for": 1500, "over": true, "released": true, "timers": {...}, "locals": {...} } },
///       "due": [...], "history": {...}, "conditions": {...}, "waiting": [...], "pending": [...], "deferred": [...],
///       "internal": [...], "posted": [...], "mailbox": [...] }
///
/// Default values are left out. All times are relative, in nanoseconds: docs/reference/document_format.md.
#pragma once

#include <hsm/chart/finding.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/detail/saved_names.hpp>
#include <hsm/save/detail/snapshot.hpp>
#include <hsm/save/difference.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hsm::detail {

/// Requires that check_saveable finds nothing for documents.
json_value describe(const chart_core& core, const snapshot& s);
json_value describe(const chart_core& core, const image_layout& layout, const saved_names& names, const snapshot& s);
/// Describes a waiting event. The payload has the format of images.
json_value describe_event(const chart_core& core, std::uint16_t number, std::span<const std::byte> payload);
/// Throws save_error: HSM-351, HSM-353 to HSM-355.
json_value describe_image(const chart_core& core, std::span<const std::byte> image);

std::uint64_t hash_of(const json_value& d);
std::uint64_t hash_of_image(const chart_core& core, std::span<const std::byte> image);

class document_node;
struct mismatch;
struct value_layout;

/// The parts of a description that do not fit the current chart, or were changed to fit.
struct changes {
    std::vector<finding> notes;
    void add(code number, const document_position& place, std::string path, std::string what);
    void add(const mismatch& m, const std::string& path); ///< `path` is that of the object
    void refuse_if(bool strict);                          ///< throws save_error (HSM-363) if there are any
};

/// Reads an object of a class. Throws save_error (HSM-362).
value_bytes decode_value(const document_node& from, const value_layout& layout, const void* prototype, changes& changed);
[[noreturn]] void refuse_mismatch(const mismatch& m, const std::string& path);

/// Converts an untrusted description. Parts that do not fit are left out and reported. `now` is the instance's clock.
snapshot decode_snapshot(const chart_core& core, const json_value& d, std::int64_t now, changes& changed);
snapshot decode_snapshot(const chart_core& core, const image_layout& layout, const json_value& d, std::int64_t now, changes& changed);
/// Returns the event, or nothing if it no longer exists.
std::optional<snapshot::queued_event> decode_event(const chart_core& core, const document_node& from, changes& changed);

std::vector<field_difference> difference_of(const json_value& a, const json_value& b, std::size_t most = 100);

/// Collects the differences of descriptions, up to a limit.
class comparing {
public:
    explicit comparing(std::size_t most) : most_(most) {}

    /// `path` is the position of both values.
    void compare(const std::string& path, const json_value& a, const json_value& b);
    bool is_full() const { return found_.size() >= most_; }
    std::vector<field_difference> take() { return std::move(found_); }

private:
    void add(std::string path, std::string first, std::string second);
    void compare_objects(const std::string& path, const json_value& a, const json_value& b);
    void compare_lists(const std::string& path, const json_value& a, const json_value& b);

    std::size_t most_;
    std::vector<field_difference> found_;
};

} // namespace hsm::detail
