/// Images: an instance as bytes, for the same program. Use them to go back some frames, to undo, or to copy.
///
///     std::vector<std::byte> before = hsm::save(hero);
///     ...
///     hsm::restore(hero, before);          // or another instance of the same chart
///
/// An image contains all data of the instance that determine its further behavior: active and finished states, history, locals, timers; clock, pause
/// and time scale; conditions and pulses; pending and deferred events, queues and mailbox. It does not contain the context. Restoring runs no hook,
/// and does not change observers or the capacities of queues.
///
/// An image can be used only with the chart of the saved instance, compiled by the same build; otherwise use documents (document.hpp). The image's
/// fingerprint and structure are always checked. The bytes of your own classes are trusted unless the image has a checksum.
///
/// Save an agent of a crowd in the same way: `hsm::save(*crowd[id])`. Call these functions in the instance's thread.
#pragma once

#include <hsm/run/instance_base.hpp>
#include <hsm/save/save_error.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace hsm {

struct image_options {
    bool checksum = false; ///< adds a checksum, for images that leave the program's memory; costs time
};

struct saved {
    result outcome;   ///< taken; busy if a hook of the instance runs
    std::size_t size; ///< in bytes
};

/// Returns the number of bytes that save would write now.
std::size_t image_size(const instance_base& agent);
/// Returns the largest possible size of an image. Classes that have a `serialize` and are not trivially copyable can need any size; they count as
/// zero.
std::size_t most_image_size(const instance_base& agent);

/// Writes the image into memory of any alignment. Does not allocate if all locals and events are trivially copyable. Throws save_error: HSM-351 if a
/// class cannot be saved; HSM-352 if the memory is too small. After an exception, ignore the content of the memory.
saved save(const instance_base& agent, std::span<std::byte> to, image_options how = {});
/// Returns the image, or an empty vector if the instance is busy.
[[nodiscard]] std::vector<std::byte> save(const instance_base& agent, image_options how = {});

/// Sets the instance to the saved state. The instance's previous locals are destroyed, and its waiting events are dropped. Returns `taken`, or `busy`
/// if a hook of the instance runs. Throws save_error: HSM-353 if the bytes are not an image; HSM-354 for an image of another chart or build; HSM-355
/// for an invalid image; HSM-356 if there is not enough room for waiting events. Rethrows exceptions of constructors and `serialize`. In all these
/// cases, nothing has changed.
result restore(instance_base& agent, std::span<const std::byte> from);

} // namespace hsm
