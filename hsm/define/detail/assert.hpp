/// Asserts guard against bugs in hsm. Errors of users are findings, results or exceptions.
#pragma once

#include <cassert>

#ifndef HSM_ASSERT
#define HSM_ASSERT(condition) assert(condition)
#endif
