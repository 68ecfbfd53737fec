#include <hsm/define/time_span.hpp>

#include <hsm/op/detail/format.hpp>

#include <string_view>

namespace hsm {

std::string to_string(time_span time) {
    struct unit {
        std::string_view name;
        std::int64_t nanoseconds;
    };
    static constexpr unit units[] = {
        {"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}, {"h", 3'600'000'000'000}};
    const auto ns = time.nanoseconds();
    const auto* best = units;
    for (const auto& u : units)
        if (ns != 0 && ns % u.nanoseconds == 0) best = &u;
    return fmt::format("{}{}", ns / best->nanoseconds, best->name);
}

} // namespace hsm
