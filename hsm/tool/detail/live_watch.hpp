/// The machines of a live page in a terminal: the list, or the log of one machine.
#pragma once

#include <hsm/inspect/detail/page_client.hpp>
#include <hsm/tool/detail/live_view.hpp>

namespace hsm::detail::tool {

/// Prints until Ctrl-C, or until the stream ends. Throws command_error, with the error of the page.
exit_code watch(inspect::detail::page_source& page, const watch_options& how, environment& here);

} // namespace hsm::detail::tool
