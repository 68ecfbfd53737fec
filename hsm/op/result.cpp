#include <hsm/op/result.hpp>

#include <iterator>

namespace hsm {

std::string_view to_string(result value) {
    static constexpr std::string_view names[] = {"taken",     "internal", "deferred", "held", "refused", "guarded",
                                                 "unhandled", "queued",   "full",     "busy", "inactive"};
    return static_cast<std::size_t>(value) < std::size(names) ? names[static_cast<std::size_t>(value)] : "unknown";
}

std::string_view to_string(reason value) {
    static constexpr std::string_view names[] = {"none",  "start",   "stop", "event",   "poll",   "completion",
                                                 "entry", "request", "time", "history", "restart"};
    return static_cast<std::size_t>(value) < std::size(names) ? names[static_cast<std::size_t>(value)] : "unknown";
}

} // namespace hsm
