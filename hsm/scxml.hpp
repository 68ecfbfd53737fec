/// Machines from SCXML documents, and sessions that run them. Link hsm-scxml; for scripts, also link hsm-scripts.
#pragma once

#include <hsm/scxml/context.hpp>
#include <hsm/scxml/host.hpp>
#include <hsm/scxml/options.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/service.hpp>
#include <hsm/scxml/session.hpp>
#include <hsm/scxml/session_document.hpp>
#include <hsm/scxml/session_reload.hpp>
#if __has_include(<hsm/scxml/ecmascript.hpp>) // installed with hsm-scripts
#include <hsm/scxml/ecmascript.hpp>
#endif
