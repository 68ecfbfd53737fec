/// The common parts of documents: envelope, machines, contexts.
#pragma once

#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/document.hpp>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace hsm::detail {

/// `of` is the kind of document: "instance".
json_value begin_document(std::string_view of);
/// Throws save_error (HSM-361, HSM-362). `fields` lists the other permitted fields.
void check_envelope(const document_node& all, std::string_view of, std::initializer_list<std::string_view> fields);

/// "chart" and "fingerprint".
void add_chart(json_value& to, const chart_core& core);
void check_chart(const document_node& from);
/// Adds "chart", "fingerprint", "clock" and "machine". Throws save_error (HSM-351).
void add_machine(json_value& to, const chart_core& core, std::span<const std::byte> image);
/// Returns an image that fits the chart. Throws save_error (HSM-351, HSM-362).
std::vector<std::byte> read_machine(const chart_core& core, const document_node& from, changes& changed);
/// Reads a "context". Missing fields stay unchanged.
void read_context(const document_node& from, const context_to_read& to, changes& changed);

} // namespace hsm::detail
