/// Loads machines from XML files, and saves them. Link hsm-xml.
#pragma once

#include <hsm/load/load_error.hpp>
#include <hsm/load/load_options.hpp>
#include <hsm/load/registry.hpp>
#include <hsm/load/xml.hpp>
