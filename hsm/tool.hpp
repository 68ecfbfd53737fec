/// The commands of the program `hsm`, in your own program. Link hsm-tool.
#pragma once

#include <hsm/tool/main.hpp>
#include <hsm/tool/session.hpp>
