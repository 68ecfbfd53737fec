/// Images: what an instance is, as bytes, for its own program: to go back a few frames, to undo, to copy.
///
///     std::vector<std::byte> before = hsm::save(hero);
///     ...
///     hsm::restore(hero, before);          // or another instance of the same chart
///
/// In an image is all that has a say in what the instance does next: what is active, history, what is over, timers, its clock, pause and scale,
/// conditions and pulses, what is pending and deferred, what its queues and its mailbox hold, locals. The context is not: it is yours. Observers and
/// the capacities of queues stay what they are. No hook runs.
///
/// An image is for the same program: the same chart, compiled by the same build. Documents (document.hpp) are for all others. Whether an image fits,
/// and whether its structure is sound, is always checked; the bytes of your own classes are trusted, unless it has a checksum.
///
/// An agent of a crowd is saved in the same way: `hsm::save(*herd[id])`. In the thread of the instance.
#pragma once

#include <hsm/run/instance_base.hpp>
#include <hsm/save/save_error.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace hsm {

struct image_options {
    bool checksum = false; ///< for what leaves the program's memory; it takes time
};

struct saved {
    result outcome;   ///< taken; busy: a hook of the instance runs
    std::size_t size; ///< bytes
};

/// Bytes that save would write now.
std::size_t image_size(const instance_base& agent);
/// The largest image that it can have: so much memory is always enough. Classes with a `serialize` that are not trivially copyable may take any
/// number of bytes, and count as none.
std::size_t most_image_size(const instance_base& agent);

/// Into that memory, of any alignment. Takes no memory if all locals and events are trivially copyable. Throws save_error: HSM-351, a class cannot be
/// saved; HSM-352, the memory is too small: then it holds nothing of use.
saved save(const instance_base& agent, std::span<std::byte> to, image_options how = {});
/// Empty if it is busy.
[[nodiscard]] std::vector<std::byte> save(const instance_base& agent, image_options how = {});

/// The instance is then what the saved one was. What it was before is gone: locals are destroyed, what waits is dropped. taken; busy: a hook of it
/// runs. Throws save_error, and nothing has changed: HSM-353 it is no image, HSM-354 of another chart or build, HSM-355 it is broken, HSM-356 what
/// waits in it has no room here. What a constructor, or serialize, throws goes on; nothing has changed then, either.
result restore(instance_base& agent, std::span<const std::byte> from);

} // namespace hsm
