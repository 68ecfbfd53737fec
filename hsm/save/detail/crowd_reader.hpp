/// Describes the agents of a crowd one after the other.
#pragma once

#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/crowd_format.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/image_shape.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hsm::detail {

/// Throws save_error (HSM-351).
inline void require_known_crowd(const chart_core& core, const crowd_image_shape& shape, saving purpose) {
    require_saveable(core, purpose);
    if (shape.keeps_contexts) require_known_context(core, shape.context, purpose);
}

/// Loads one agent at a time.
class crowd_reader {
public:
    crowd_reader(const crowd_access& herd, const crowd_image_shape& shape) : herd_(herd), shape_(shape), slot_(herd.core) {}

    /// Returns null if there is no agent.
    page* page_of(std::uint64_t place) const {
        if (place / page_agents >= herd_.pages().size()) return nullptr;
        auto& p = *herd_.pages()[place / page_agents];
        const auto slot = static_cast<std::uint32_t>(place % page_agents);
        return slot < p.used && p.has_agent(slot) ? &p : nullptr;
    }
    std::span<const std::byte> image_of(page& p, std::uint32_t slot) {
        slot_->load(p, slot, herd_.now());
        std::size_t size = 0;
        try {
            while ((size = save_machine(instance_access::engine_of(slot_->machine()), image_, false)) > image_.size()) image_.resize(size);
        } catch (...) { // thrown by a serialize
            slot_->store(herd_.now());
            throw;
        }
        slot_->store(herd_.now());
        return std::span(image_).first(size);
    }
    datum describe(page& p, std::uint32_t slot) {
        auto d = datum::empty_object();
        d.add("machine", describe_image(herd_.core.shape().core, image_of(p, slot)));
        if (shape_.keeps_contexts) d.add("context", context_tree(shape_.context, p.context(slot)));
        return d;
    }

private:
    const crowd_access& herd_;
    const crowd_image_shape& shape_;
    crowd_access::slot_in_use slot_;
    std::vector<std::byte> image_;
};

} // namespace hsm::detail
