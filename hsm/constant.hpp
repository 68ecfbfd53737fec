/// Constant charts, which the C++ compiler evaluates at compile time, and their instances.
#pragma once

#include <hsm/constant/constant_chart.hpp>
#include <hsm/constant/constant_definition.hpp>
#include <hsm/constant/constant_fsm.hpp>
#include <hsm/constant/constant_instance.hpp>
#include <hsm/constant/constant_view.hpp>
#include <hsm/constant/fixed.hpp>
#include <hsm/constant/observed_instance.hpp>
