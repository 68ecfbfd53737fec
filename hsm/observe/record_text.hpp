/// A record as one line for people: "exited hero/idle", "transition idle -> fight on hit (event)".
#pragma once

#include <hsm/observe/chart_names.hpp>
#include <hsm/op/record.hpp>

#include <string>

namespace hsm {

std::string to_string(const record& r, const chart_names& names);
/// The same, slowly: all names are made for it.
std::string to_string(const record& r, const chart_base& chart);

/// Appended, without allocating anything but what `out` needs.
void append_text(const record& r, const chart_names& names, std::string& out);

/// What the bytes of a record of kind `more` say that follows an event: a piece of its text. At most 14.
std::string_view further_text(const record& r);

} // namespace hsm
