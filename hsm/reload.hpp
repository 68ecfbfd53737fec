/// Changing the chart of running machines.
#pragma once

#include <hsm/reload/reload_error.hpp>
#include <hsm/reload/reload_plan.hpp>
