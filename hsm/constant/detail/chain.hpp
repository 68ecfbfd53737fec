/// Counts what follows from what, and knows the cycle when it does not end.
#pragma once

#include <cstdint>
#include <string_view>

namespace hsm::detail {

inline constexpr std::uint32_t constant_chain_limit = 100; ///< as instance_options::chain_limit

class constant_chain {
public:
    /// Before each link; the path of the leaf. Throws chain_error at the limit.
    void link(std::string_view leaf) {
        if (links_ == constant_chain_limit) give_up(leaf);
        trail_[links_++ % length] = leaf;
    }

    /// How deep the transient state is that is being tried.
    void ask(std::uint32_t depth) { asked_ = depth; }
    std::uint32_t asked() const { return asked_; }

private:
    static constexpr std::uint32_t length = 32;

    [[noreturn]] void give_up(std::string_view leaf) const;
    std::string_view back(std::uint32_t i) const { return trail_[(links_ - i) % length]; }
    std::uint32_t period() const;

    std::uint32_t links_ = 0;
    std::uint32_t asked_ = 0;
    std::string_view trail_[length];
};

} // namespace hsm::detail
