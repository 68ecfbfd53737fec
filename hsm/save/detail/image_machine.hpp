/// Images of machines, below the types that users see.
#pragma once

#include <hsm/op/detail/machine.hpp>
#include <hsm/op/result.hpp>
#include <hsm/run/detail/mailbox_queue.hpp>
#include <hsm/save/check_saveable.hpp>

#include <cstddef>
#include <span>

namespace hsm::detail {

struct chart_core;
struct checked_image;
struct image_head;

/// Between two calls. How many bytes it takes; written if that is not more than there are.
std::size_t save_machine(machine& m, std::span<std::byte> to, bool checksum);
/// Has it room for all that waits in an image? Throws save_error (HSM-356).
void check_room(machine& m, const chart_core& core, const image_head& head);
/// What a checked image holds comes into a machine that has room for it. Throws only what observers throw, at the end.
void exchange(machine& m, checked_image& image, mailbox_queue::refill* mail);
/// Between two calls. Throws save_error.
void restore_machine(machine& m, std::span<const std::byte> from);

/// Throws save_error (HSM-351).
void require_saveable(const chart_core& core, saving purpose);
const char* impossible(saving purpose); ///< "cannot be saved"

} // namespace hsm::detail
