#include <hsm/observe/trace_error.hpp>

#include <hsm/op/detail/format.hpp>

#include <utility>

namespace hsm {

namespace {
std::string at_byte(code what, std::uint64_t offset) { return what == code::unreadable_trace ? "" : fmt::format(" at byte {}", offset); }
} // namespace

trace_error::trace_error(hsm::code what, std::uint64_t offset, std::string problem, std::string hint)
    : std::runtime_error(fmt::format("{} error{}: {}; hint: {}", to_string(what), at_byte(what, offset), problem, hint)), code_(what),
      offset_(offset), problem_(std::move(problem)), hint_(std::move(hint)) {}

} // namespace hsm
