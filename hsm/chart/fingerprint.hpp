/// Identifies a chart: 128 bits that are equal for equal definitions, with every compiler.
#pragma once

#include <cstdint>
#include <string>

namespace hsm {

struct fingerprint {
    std::uint64_t high = 0, low = 0;

    std::string to_string() const; ///< 32 hexadecimal digits
    friend constexpr bool operator==(const fingerprint&, const fingerprint&) = default;
};

} // namespace hsm
