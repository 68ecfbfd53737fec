// Replaces live_view.cpp and live_watch.cpp in builds without hsm-inspect.

#include <hsm/tool/detail/live_view.hpp>

namespace hsm::detail::tool {

namespace {
[[noreturn]] void refuse() {
    throw command_error("this build of hsm has no live page", "build hsm with cpp-httplib and nlohmann_json (docs/guide/project-setup.md)");
}
} // namespace

exit_code view_file(const view_options&, environment&) { refuse(); }
exit_code watch_page(const watch_options&, environment&) { refuse(); }

} // namespace hsm::detail::tool
