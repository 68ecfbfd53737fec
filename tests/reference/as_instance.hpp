// Included in front of a test by the compiler's command line, it makes `hsm::instance` mean the reference there.
// Everything that could use the word itself has been read before.
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
