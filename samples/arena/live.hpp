/// The live page of hsm-inspect: every machine of the game in a browser.
#pragma once

#include "world.hpp"

#include <hsm/inspect.hpp>

namespace arena {

class live_page {
public:
    /// Prints the URL. The page shows the machines that exist now. Throws hsm::inspect_error.
    explicit live_page(world& game);
    void poll() { page_.poll(); } ///< once in each frame

private:
    hsm::inspect::page page_;
};

} // namespace arena
