/// Changing the chart of running machines.
#pragma once

#include <hsm/reload/reload_error.hpp>
#include <hsm/reload/reload_plan.hpp>
#if __has_include(<hsm/load/xml.hpp>) // installed with hsm-xml
#include <hsm/reload/reloader.hpp>
#endif
