/// Converts a record to one line: "exited hero/idle", "transition idle -> fight on hit (event)".
#pragma once

#include <hsm/observe/chart_names.hpp>
#include <hsm/op/record.hpp>

#include <string>

namespace hsm {

std::string to_string(const record& r, const chart_names& names);
/// Converts a record without prepared names. This is slow: each call creates all names of the chart.
std::string to_string(const record& r, const chart_base& chart);

/// Appends the record's text to `out`. Allocates only what `out` needs.
void append_text(const record& r, const chart_names& names, std::string& out);

/// Returns the part of an event's text in a record of kind `more`. The part has at most 14 bytes.
std::string_view further_text(const record& r);

} // namespace hsm
