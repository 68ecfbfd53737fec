/// The live page of `hsm view`. In builds without hsm-inspect (live_view_none.cpp) every function throws command_error.
#pragma once

#include <hsm/tool/detail/command.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace hsm::detail::tool {

struct view_options {
    std::string file;
    std::uint64_t port = 0;        ///< 0: any free port
    std::optional<double> seconds; ///< ends after this time, also without Ctrl-C
};

/// Serves the page with the machines of a trace until Ctrl-C.
exit_code view_trace(const view_options& how, environment& here);

} // namespace hsm::detail::tool
