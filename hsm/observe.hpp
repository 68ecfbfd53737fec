/// Observers of machines: recorders, traces, coverage, statistics, breakpoints and explanations.
#pragma once

#include <hsm/observe/breakpoint.hpp>
#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/chart_names.hpp>
#include <hsm/observe/convert.hpp>
#include <hsm/observe/coverage.hpp>
#include <hsm/observe/coverage_error.hpp>
#include <hsm/observe/coverage_report.hpp>
#include <hsm/observe/expect.hpp>
#include <hsm/observe/explain.hpp>
#include <hsm/observe/explain_constant.hpp>
#include <hsm/observe/explanation.hpp>
#include <hsm/observe/followed_states.hpp>
#include <hsm/observe/highlights.hpp>
#include <hsm/observe/record_text.hpp>
#include <hsm/observe/recorder.hpp>
#include <hsm/observe/statistics.hpp>
#include <hsm/observe/trace_error.hpp>
#include <hsm/observe/trace_reader.hpp>
#include <hsm/observe/trace_writer.hpp>
