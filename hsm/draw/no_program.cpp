// For systems without POSIX, instead of run_program.cpp.

#if !__has_include(<spawn.h>)

#include <hsm/draw/detail/run_program.hpp>

#include <cerrno>
#include <system_error>

namespace hsm::detail {

program_end run_program(const std::vector<std::string>&, std::string_view) { return {ENOSYS, 0, {}, {}}; }

std::string system_text(int error) { return std::generic_category().message(error); }

} // namespace hsm::detail

#endif
