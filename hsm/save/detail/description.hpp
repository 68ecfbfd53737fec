/// What an instance is, in the words of its chart: what documents, hashes and differences are made of.
///
///     { "initialized": true, "paused": true, "time_scale": 2.0, "active": ["hero/fight/slash"], "over": true,
///       "states": { "hero/fight": { "for": 1500, "over": true, "released": true, "timers": {...}, "locals": {...} } },
///       "due": [...], "history": {...}, "conditions": {...}, "waiting": [...], "pending": [...], "deferred": [...],
///       "internal": [...], "posted": [...], "mailbox": [...] }
///
/// What is as it usually is is left out. All times are relative, in nanoseconds: docs/reference/document_format.md.
#pragma once

#include <hsm/chart/finding.hpp>
#include <hsm/save/detail/datum.hpp>
#include <hsm/save/detail/snapshot.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hsm::detail {

/// Only if check_saveable has nothing against documents.
datum describe(const chart_core& core, const snapshot& s);
/// One that waits; its payload is as in an image.
datum describe_event(const chart_core& core, std::uint16_t number, std::span<const std::byte> payload);
/// Throws save_error: HSM-351, HSM-353 to HSM-355.
datum describe_image(const chart_core& core, std::span<const std::byte> image);

std::uint64_t hash_of(const datum& d);
std::uint64_t hash_of_image(const chart_core& core, std::span<const std::byte> image);

class document_part;

/// What of a description had no place in the chart as it is now, or has come to be another.
struct changes {
    std::vector<finding> notes;
    void add(code number, const document_place& place, std::string path, std::string what);
};

/// Everything in it is untrusted: what fits nowhere is left out, and noted. `now`: the instance's clock.
snapshot understand(const chart_core& core, const datum& d, std::int64_t now, changes& changed);
/// An event that waits, if it still can.
std::optional<snapshot::queued_event> understand_event(const chart_core& core, const document_part& from, changes& changed);

} // namespace hsm::detail
