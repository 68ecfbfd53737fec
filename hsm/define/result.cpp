#include <hsm/define/result.hpp>

#include <hsm/define/assert.hpp>

#include <iterator>

namespace hsm {

std::string_view to_string(result value) {
    static constexpr std::string_view names[] = {"taken",     "internal", "deferred", "held", "refused", "guarded",
                                                 "unhandled", "queued",   "full",     "busy", "inactive"};
    HSM_ASSERT(static_cast<std::size_t>(value) < std::size(names));
    return names[static_cast<std::size_t>(value)];
}

std::string_view to_string(reason value) {
    static constexpr std::string_view names[] = {"none",  "start",   "stop", "event",   "poll",   "completion",
                                                 "entry", "request", "time", "history", "restart"};
    HSM_ASSERT(static_cast<std::size_t>(value) < std::size(names));
    return names[static_cast<std::size_t>(value)];
}

} // namespace hsm
