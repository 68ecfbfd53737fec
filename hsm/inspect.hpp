/// The live page for the browser. Link hsm-inspect.
#pragma once

#include <hsm/inspect/inspect_error.hpp>
#include <hsm/inspect/lane.hpp>
#include <hsm/inspect/page.hpp>
#include <hsm/inspect/page_options.hpp>
