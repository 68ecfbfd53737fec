/// The former name of <hsm/run/result_counts.hpp>.
#pragma once

#include <hsm/run/result_counts.hpp>
