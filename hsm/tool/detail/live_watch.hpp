/// The machines of a live page in a terminal: the list, or the log of one machine.
#pragma once

#include <hsm/tool/detail/live_view.hpp>
#include <hsm/tool/detail/page_client.hpp>

namespace hsm::detail::tool {

/// Prints until Ctrl-C, or until the stream ends. Throws command_error, with the error of the page.
exit_code watch(page_source& page, const watch_options& how, environment& here);

} // namespace hsm::detail::tool
