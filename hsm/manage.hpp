/// Managers: machines by name, from their creation to their removal.
#pragma once

#include <hsm/manage/managed.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/manage/manager_error.hpp>
