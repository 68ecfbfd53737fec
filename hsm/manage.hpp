/// Machines by name, from creation to removal.
#pragma once

#include <hsm/manage/managed.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/manage/manager_error.hpp>
