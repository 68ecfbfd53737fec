/// A machine or a crowd whose images are stored, and a context.
#pragma once

#include <hsm/crowd/crowd.hpp>
#include <hsm/run/instance_base.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/difference.hpp>
#include <hsm/save/image.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace hsm::detail {

struct savable_machine {
    void* self;
    std::size_t (*most_size)(const void* self);                     ///< as far as it is known in advance
    void (*gather_mail)(const void* self);                          ///< `save` saves the gathered data
    std::size_t (*save)(const void* self, std::span<std::byte> to); ///< returns the required size; writes the image if `to` is large enough
    void (*restore)(void* self, std::span<const std::byte> from);
    bool (*busy)(const void* self);
    std::vector<field_difference> (*difference)(const void* self, std::span<const std::byte> a, std::span<const std::byte> b);
};

savable_machine make_savable(instance_base& agent);

bool is_busy(const crowd_base& agents);
void gather_mail(const crowd_base& agents);
std::size_t save_what_fits(const crowd_base& agents, const saved_context& kind, std::span<std::byte> to);
template <class Context> savable_machine make_savable(crowd<Context>& agents) {
    static constexpr auto the = [](const void* self) -> const crowd<Context>& { return *static_cast<const crowd<Context>*>(self); };
    return {std::addressof(agents),
            [](const void* self) { return image_size(the(self)); },
            [](const void* self) { gather_mail(the(self)); },
            [](const void* self, std::span<std::byte> to) { return save_what_fits(the(self), saved_context_of<Context>(), to); },
            [](void* self, std::span<const std::byte> from) { hsm::restore(*static_cast<crowd<Context>*>(self), from); },
            [](const void* self) { return is_busy(the(self)); },
            [](const void* self, std::span<const std::byte> a, std::span<const std::byte> b) { return difference(the(self), a, b); }};
}

} // namespace hsm::detail
