#include <hsm/observe/coverage_error.hpp>

#include <hsm/op/detail/format.hpp>

#include <utility>

namespace hsm {

namespace {
std::string in_line(std::size_t line) { return line ? fmt::format(" in line {}", line) : std::string(); }
} // namespace

coverage_error::coverage_error(hsm::code what, std::size_t line, std::string problem, std::string hint)
    : std::runtime_error(fmt::format("{} error{}: {}; hint: {}", to_string(what), in_line(line), problem, hint)), code_(what), line_(line),
      problem_(std::move(problem)), hint_(std::move(hint)) {}

} // namespace hsm
