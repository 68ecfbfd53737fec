// The compiler's command line includes this before a test, so that `hsm::instance` means the reference there. All headers that use the name are
// included first.
#pragma once

#include <hsm/hsm.hpp>
#include <tests/reference/reference.hpp>
#include <tests/support/life.hpp>
#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define instance reference
