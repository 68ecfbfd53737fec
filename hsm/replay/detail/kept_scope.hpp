/// The machines and contexts of a log, and their state as bytes: of each machine its image, of each context its value.
#pragma once

#include <hsm/replay/detail/kept_machine.hpp>
#include <hsm/replay/detail/log_format.hpp>
#include <hsm/save/detail/image_format.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hsm::detail {

struct machine;

class kept_scope {
public:
    struct member {
        instance_base* agent;
        kept_machine images;
        void* context; ///< null: it is another one's
        value_shape context_shape;
        log_machine made_as;  ///< how it stands in a log
        bool bytes_are_value; ///< equal machines have equal images
    };

    /// Throws save_error (HSM-351).
    void add(instance_base& agent, void* context, const saved_context* kind);
    const std::vector<member>& members() const { return members_; }
    machine& engine(std::size_t i) const;

    /// Replaces what is there. Throws what serialize throws.
    void save(std::vector<std::byte>& to) const;
    /// Throws replay_error (HSM-372); save_error, and what constructors throw. Contexts come last.
    void restore(std::span<const std::byte> from) const;
    std::uint32_t check(std::vector<std::byte>& scratch) const; ///< a number for what save would write, odd

    struct part {
        std::span<const std::byte> image, context;
    };
    std::vector<part> parts_of(std::span<const std::byte> state) const;                                       ///< throws replay_error (HSM-372)
    bool has_equal_contexts(std::size_t i, std::span<const std::byte> a, std::span<const std::byte> b) const; ///< true if nothing is known of it
    /// As far as fields are known.
    std::vector<field_difference> context_difference(std::size_t i, std::span<const std::byte> a, std::span<const std::byte> b) const;

private:
    std::vector<member> members_;
};

} // namespace hsm::detail
