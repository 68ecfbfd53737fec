/// What transitions are looked for in all regions, and those that were found.
#pragma once

#include <hsm/compile/block.hpp>
#include <hsm/run/engine_parts.hpp>

namespace hsm {

struct engine::wish {
    enum kind_of : std::uint8_t { event, polled, always, transient } kind;
    planned* steps;
    std::byte* asked;         ///< see asked_of
    std::uint32_t column = 0; ///< of an event
    std::size_t count = 0;
    std::uint16_t deferred = no_index; ///< the number of the event, if somebody defers it
    bool known = false;                ///< somebody knows the event, and refused it

    /// If nobody does anything with the event.
    result otherwise() const {
        return deferred != no_index ? result::deferred : known ? result::guarded : result::unhandled;
    }
};

} // namespace hsm
