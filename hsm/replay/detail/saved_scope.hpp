/// The machines and contexts of a log, and their state as bytes: the image of each machine and the value of each context.
#pragma once

#include <hsm/replay/detail/logged.hpp>
#include <hsm/save/detail/image_format.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hsm::detail {

/// Contexts that are stored separately from their machine: one, or those of a crowd over an array.
struct logged_contexts {
    void* first = nullptr;
    std::size_t count = 0;
    std::size_t stride = 0;
    value_layout layout;

    logged_contexts() = default;
    logged_contexts(void* contexts, std::size_t how_many, const saved_context& kind);
    void* at(std::size_t i) const { return static_cast<std::byte*>(first) + i * stride; }
};

class saved_scope {
public:
    struct member {
        std::unique_ptr<logged> of;
        logged_contexts contexts;
        log_machine made_as; ///< its description in a log
    };

    /// Throws save_error (HSM-351).
    static member make(std::unique_ptr<logged> of, const logged_contexts& contexts);
    void add(member m) { members_.push_back(std::move(m)); }
    void remove_last() { members_.pop_back(); }
    const std::vector<member>& members() const { return members_; }

    void take_mail() const; ///< see logged
    /// Replaces the content of `to`. Throws exceptions of `serialize`.
    void save(std::vector<std::byte>& to) const;
    /// Throws replay_error (HSM-372), save_error, and exceptions of constructors. Contexts are restored last.
    void restore(std::span<const std::byte> from) const;
    std::uint32_t check(std::vector<std::byte>& scratch) const; ///< returns an odd checksum of the data that save would write

    struct section {
        std::span<const std::byte> image;
        std::vector<std::span<const std::byte>> contexts;
    };
    std::vector<section> sections_of(std::span<const std::byte> state) const;         ///< throws replay_error (HSM-372)
    bool has_equal_contexts(std::size_t i, const section& a, const section& b) const; ///< true if the values cannot be compared
    /// Returns the differences of known fields.
    std::vector<field_difference> context_difference(std::size_t i, const section& a, const section& b) const;

private:
    std::vector<member> members_;
};

} // namespace hsm::detail
