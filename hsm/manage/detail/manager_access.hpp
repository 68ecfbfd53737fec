/// Access to a manager's machines, for saving it.
#pragma once

#include <hsm/manage/detail/machine_pool.hpp>

namespace hsm::detail {

struct manager_access {
    static machine_pool& pool_of(const manager& m) { return *m.machines_; }
};

} // namespace hsm::detail
