/// Images of a crowd: the state of all agents as bytes.
///
///     std::vector<std::byte> before = hsm::save(herd);
///     ...
///     hsm::restore(herd, before);          // or another crowd of the same chart, with the same options
///
/// An image contains the image data of each agent (image.hpp), the crowd's clock, the agents' places and `decide_every`, and the content of the
/// mailbox. An image also contains the contexts that the crowd keeps, but not contexts in your own array. Columns are copied unchanged, so saving
/// takes as long as a copy. If the chart has regions, states that defer or can hold, or locals whose class is not trivially copyable, all agents are
/// written one by one.
///
/// After a restore, handles of the image's agents are valid again. A handle is stale permanently if it was issued after the image was saved: a new
/// agent at a place gets a handle that was never used. No hook runs. Observers are notified of `restore`. Batch hooks stay registered.
///
/// Call these functions in the crowd's thread. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/crowd/crowd.hpp>
#include <hsm/save/difference.hpp>
#include <hsm/save/image.hpp>
#include <hsm/save/serialize.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hsm {

namespace detail {

std::size_t crowd_image_size(const crowd_base& crowd, const saved_context& kind);
saved save_crowd(const crowd_base& crowd, const saved_context& kind, std::span<std::byte> to, image_options how);
std::vector<std::byte> save_crowd(const crowd_base& crowd, const saved_context& kind, image_options how);
result restore_crowd(crowd_base& crowd, const saved_context& kind, std::span<const std::byte> from);
std::uint64_t hash_of_crowd(const crowd_base& crowd, const saved_context& kind);
std::vector<field_difference> difference_of_crowds(const crowd_base& a, const crowd_base& b, const saved_context& kind, std::size_t most);
/// `crowd` must have the same chart, options and kind of contexts as the crowds of the images.
std::vector<field_difference> difference_of_crowd_images(const crowd_base& crowd, const saved_context& kind, std::span<const std::byte> a,
                                                         std::span<const std::byte> b, std::size_t most);

} // namespace detail

/// Returns the number of bytes that save would write now; 0 if the crowd is busy. Throws save_error (HSM-351).
template <class Context> std::size_t image_size(const crowd<Context>& crowd) {
    return detail::crowd_image_size(crowd, detail::saved_context_of<Context>());
}
/// Writes the image into memory of any alignment. Returns `busy` in a hook of an agent, and during a call of an agent. Throws save_error: HSM-351 if
/// a class or the context cannot be saved; HSM-352 if the memory is too small.
template <class Context> saved save(const crowd<Context>& crowd, std::span<std::byte> to, image_options how = {}) {
    return detail::save_crowd(crowd, detail::saved_context_of<Context>(), to, how);
}
/// Returns the image, or an empty vector if the crowd is busy.
template <class Context> std::vector<std::byte> save(const crowd<Context>& crowd, image_options how = {}) {
    return detail::save_crowd(crowd, detail::saved_context_of<Context>(), how);
}

/// Restores a crowd and returns `taken`. The crowd must have the same crowd_options as the saved crowd, and keep its contexts in the same way (itself
/// or in an array). While a call to the crowd or one of its agents is in progress, returns `busy` and changes nothing. Throws save_error (HSM-353 to
/// HSM-356), and rethrows exceptions of constructors and `serialize`. In these cases, nothing has changed. Exceptions of observers are rethrown after
/// everything is restored.
template <class Context> result restore(crowd<Context>& crowd, std::span<const std::byte> from) {
    return detail::restore_crowd(crowd, detail::saved_context_of<Context>(), from);
}

/// Returns a hash of the agents (hash.hpp), by place, and of contexts that the crowd keeps. Excludes the clock and the generations of handles.
/// Returns 0 if the crowd is busy. Throws save_error (HSM-351) for classes that have no `serialize` and whose bytes do not determine their value.
template <class Context> std::uint64_t hash(const crowd<Context>& crowd) { return detail::hash_of_crowd(crowd, detail::saved_context_of<Context>()); }
/// Returns the differences between two crowds or images, as difference.hpp describes. Paths begin with the agent's place: "agent 7/machine/active/0",
/// "agent 7/context/life".
template <class Context> std::vector<field_difference> difference(const crowd<Context>& a, const crowd<Context>& b, std::size_t most = 100) {
    return detail::difference_of_crowds(a, b, detail::saved_context_of<Context>(), most);
}
template <class Context>
std::vector<field_difference> difference(const crowd<Context>& crowd, std::span<const std::byte> a, std::span<const std::byte> b,
                                         std::size_t most = 100) {
    return detail::difference_of_crowd_images(crowd, detail::saved_context_of<Context>(), a, b, most);
}

} // namespace hsm
