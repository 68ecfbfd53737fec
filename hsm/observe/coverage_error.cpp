#include <hsm/observe/coverage_error.hpp>

#include <fmt/format.h>

namespace hsm {

namespace {
std::string place(std::size_t line) { return line ? fmt::format(" in line {}", line) : std::string(); }
} // namespace

coverage_error::coverage_error(hsm::code what, std::size_t line, std::string problem, std::string hint)
    : std::runtime_error(fmt::format("{} error{}: {}; hint: {}", to_string(what), place(line), problem, hint)), code_(what), line_(line),
      problem_(std::move(problem)), hint_(std::move(hint)) {}

} // namespace hsm
