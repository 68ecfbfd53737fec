#include <hsm/op/record.hpp>

#include <hsm/op/result.hpp>

#include <iterator>

namespace hsm {

namespace {
template <class Enumeration, std::size_t Size> std::string_view name_in(const std::string_view (&names)[Size], Enumeration value) {
    return static_cast<std::size_t>(value) < Size ? names[static_cast<std::size_t>(value)] : "unknown";
}
} // namespace

std::string_view to_string(result value) {
    static constexpr std::string_view names[] = {"taken",     "internal", "deferred", "held", "refused", "guarded",
                                                 "unhandled", "queued",   "full",     "busy", "inactive"};
    return name_in(names, value);
}

std::string_view to_string(reason value) {
    static constexpr std::string_view names[] = {"none",  "start",   "stop", "event",   "poll",   "completion",
                                                 "entry", "request", "time", "history", "restart"};
    return name_in(names, value);
}

std::string_view to_string(record_kind value) {
    static constexpr std::string_view names[] = {"more",     "call",          "call_end", "event",    "guard",          "transition", "exited",
                                                 "action",   "entered",       "arrived",  "updated",  "held",           "released",   "deferred",
                                                 "recalled", "refused",       "dropped",  "finished", "armed",          "due",        "condition",
                                                 "error",    "configuration", "lost",     "scored",   "leave_requested"};
    static_assert(std::size(names) == record_kind_count);
    return name_in(names, value);
}

std::string_view to_string(call_kind value) {
    static constexpr std::string_view names[] = {"none",    "start", "stop",      "restart",  "destroy", "tick",      "decide",    "update",
                                                 "process", "drain", "change_to", "force_to", "reset",   "set_state", "take_over", "restore"};
    return name_in(names, value);
}

std::string_view to_string(event_origin value) {
    static constexpr std::string_view names[] = {"call", "internal", "posted", "mailbox", "pending", "deferred"};
    return name_in(names, value);
}

std::string_view to_string(drop_reason value) {
    static constexpr std::string_view names[] = {"full", "over", "left", "replaced", "refused"};
    return name_in(names, value);
}

std::string_view to_string(configuration_reason value) {
    static constexpr std::string_view names[] = {"attached", "start", "stop", "reset", "set_state", "take_over", "aborted", "restored"};
    return name_in(names, value);
}

std::string_view to_string(hook_place value) {
    static constexpr std::string_view names[] = {"inside", "entering", "exiting", "between", "outside"};
    return name_in(names, value);
}

} // namespace hsm
