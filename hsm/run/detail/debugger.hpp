/// What the library keeps for debuggers, so that it is linked into every program that runs machines.
#pragma once

namespace hsm::detail {
const void* debugger_types(const void* shown_things);
} // namespace hsm::detail
