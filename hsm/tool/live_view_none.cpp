// Replaces live_view.cpp in builds without hsm-inspect.

#include <hsm/tool/detail/live_view.hpp>

namespace hsm::detail::tool {

exit_code view_trace(const view_options&, environment&) {
    throw command_error("this build of hsm has no live page", "build hsm with cpp-httplib and nlohmann_json (docs/guide/project-setup.md)");
}

} // namespace hsm::detail::tool
