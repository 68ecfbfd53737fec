/// Asserts guard against our own bugs; what a user can get wrong is a finding, a result or an exception instead.
#pragma once

#include <cassert>

#ifndef HSM_ASSERT
#define HSM_ASSERT(condition) assert(condition)
#endif
