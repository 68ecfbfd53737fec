#include <hsm/replay/detail/savable_machine.hpp>

#include <hsm/crowd/detail/crowd_access.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/crowd_format.hpp>
#include <hsm/save/detail/image_machine.hpp>

namespace hsm::detail {

savable_machine make_savable(instance_base& agent) {
    static constexpr auto the = [](const void* self) -> const instance_base& { return *static_cast<const instance_base*>(self); };
    return {&agent,
            [](const void* self) {
                static_cast<void>(image_size(the(self))); // throws if it cannot be saved
                return most_image_size(the(self));
            },
            [](const void* self) { gather_mail(instance_access::engine_of(the(self))); },
            [](const void* self, std::span<std::byte> to) { return save_machine(instance_access::engine_of(the(self)), to, false); },
            [](void* self, std::span<const std::byte> from) { hsm::restore(*static_cast<instance_base*>(self), from); },
            [](const void* self) { return the(self).busy(); },
            [](const void* self, std::span<const std::byte> a, std::span<const std::byte> b) {
                return difference_of_images(core_of(instance_access::engine_of(the(self))), a, b);
            }};
}

bool is_busy(const crowd_base& crowd) { return crowd_access(crowd_access::core_of(crowd)).is_busy(); }

void gather_mail(const crowd_base& crowd) { gather_mail(crowd_access::core_of(crowd)); }

std::size_t save_what_fits(const crowd_base& crowd, const saved_context& kind, std::span<std::byte> to) {
    return save_core(crowd_access::core_of(crowd), kind, to, false);
}

} // namespace hsm::detail
