/// Images of a whole crowd: everybody in it, as bytes.
///
///     std::vector<std::byte> before = hsm::save(herd);
///     ...
///     hsm::restore(herd, before);          // or another crowd of the same chart, with the same options
///
/// In it is what an image of each agent holds (image.hpp), the crowd's clock, who has which place, how often each decides, what its mailbox holds,
/// and the contexts that the crowd keeps; those in an array of yours are yours. Columns are written as they are, so that it takes as long as copying
/// them. Who has regions, deferred events, states that hold or locals that are not trivially copyable is written agent by agent.
///
/// Handles: those that agents of the image had are theirs again. Those that were given out since are stale, and stay so: a place that gets another
/// agent has a handle that nobody has had. No hook runs; observers are told of `restore`. Batch hooks stay.
///
/// In the thread of the crowd. Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/crowd/crowd.hpp>
#include <hsm/save/detail/saved_context.hpp>
#include <hsm/save/difference.hpp>
#include <hsm/save/image.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hsm {

namespace detail {

std::size_t crowd_image_size(const crowd_base& herd, const saved_context& kind);
saved save_crowd(const crowd_base& herd, const saved_context& kind, std::span<std::byte> to, image_options how);
std::vector<std::byte> save_crowd(const crowd_base& herd, const saved_context& kind, image_options how);
result restore_crowd(crowd_base& herd, const saved_context& kind, std::span<const std::byte> from);
std::uint64_t hash_of_crowd(const crowd_base& herd, const saved_context& kind);
std::vector<field_difference> difference_of_crowds(const crowd_base& a, const crowd_base& b, const saved_context& kind, std::size_t most);
/// Of a crowd as that one is.
std::vector<field_difference> difference_of_crowd_images(const crowd_base& herd, const saved_context& kind, std::span<const std::byte> a,
                                                         std::span<const std::byte> b, std::size_t most);

} // namespace detail

/// Bytes that save would write now; 0: it is busy. Throws save_error (HSM-351).
template <class Context> std::size_t image_size(const crowd<Context>& herd) {
    return detail::crowd_image_size(herd, detail::saved_context_of<Context>());
}
/// Into that memory, of any alignment; busy in a hook of an agent, and while one is called. Throws save_error: HSM-351, a class, or the context,
/// cannot be saved; HSM-352, the memory is too small.
template <class Context> saved save(const crowd<Context>& herd, std::span<std::byte> to, image_options how = {}) {
    return detail::save_crowd(herd, detail::saved_context_of<Context>(), to, how);
}
/// Empty if it is busy.
template <class Context> std::vector<std::byte> save(const crowd<Context>& herd, image_options how = {}) {
    return detail::save_crowd(herd, detail::saved_context_of<Context>(), how);
}

/// Into a crowd with the same options (crowd_options), with contexts that are kept by the crowd or in an array as before. taken; busy, and nothing
/// has changed. Throws save_error, and nothing has changed: HSM-353 to HSM-356; what constructors and serialize throw. What an observer throws comes
/// when everything is restored.
template <class Context> result restore(crowd<Context>& herd, std::span<const std::byte> from) {
    return detail::restore_crowd(herd, detail::saved_context_of<Context>(), from);
}

/// What the crowd means, as a number: that of each agent (hash.hpp), by places, and of the contexts that it keeps. Not in it: the clock by itself,
/// generations of handles. 0: it is busy. Throws save_error (HSM-351): classes need a `serialize`, or bytes that are their value.
template <class Context> std::uint64_t hash(const crowd<Context>& herd) { return detail::hash_of_crowd(herd, detail::saved_context_of<Context>()); }
/// Where two crowds, or two images of such a crowd, differ: "agent 7/machine/active/0", "agent 7/context/life"; by places. As difference.hpp says.
template <class Context> std::vector<field_difference> difference(const crowd<Context>& a, const crowd<Context>& b, std::size_t most = 100) {
    return detail::difference_of_crowds(a, b, detail::saved_context_of<Context>(), most);
}
template <class Context>
std::vector<field_difference> difference(const crowd<Context>& herd, std::span<const std::byte> a, std::span<const std::byte> b,
                                         std::size_t most = 100) {
    return detail::difference_of_crowd_images(herd, detail::saved_context_of<Context>(), a, b, most);
}

} // namespace hsm
