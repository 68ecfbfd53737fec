/// Counts the transitions that follow from one another, and finds the cycle if there are too many.
#pragma once

#include <cstdint>
#include <string_view>

namespace hsm::detail {

inline constexpr std::uint32_t constant_chain_limit = 100; ///< like instance_options::chain_limit

class constant_chain {
public:
    /// Call it before each link, with the path of the leaf. With regions: `has_regions`, and the path of the source. Throws chain_error at the
    /// limit.
    void link(std::string_view from, bool has_regions = false) {
        check(from, has_regions);
        trail_[links_++ % length] = from;
    }

    void check(std::string_view leaf, bool has_regions = false) const {
        if (is_at_its_end()) give_up(has_regions ? back(period()) : leaf);
    }

    bool is_at_its_end() const { return links_ == constant_chain_limit; }

    /// Stores the depth of the transient state that is being tried.
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
