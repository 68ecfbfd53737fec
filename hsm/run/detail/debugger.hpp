/// Types that debuggers need. Linked into every program that runs machines.
#pragma once

namespace hsm::detail {
const void* debugger_types(const void* shown_things);
} // namespace hsm::detail
