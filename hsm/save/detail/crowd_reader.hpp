/// Describes the agents of a crowd one after the other.
#pragma once

#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/crowd_format.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/image_machine.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hsm::detail {

/// Throws save_error (HSM-351).
inline void require_known_crowd(const chart_core& core, const crowd_image_layout& layout, saving purpose) {
    require_saveable(core, purpose);
    if (layout.owns_contexts) require_known_context(core, layout.context, purpose);
}

/// Loads one agent at a time.
class crowd_reader {
public:
    crowd_reader(const crowd_access& crowd, const crowd_image_layout& layout) : access_(crowd), layout_(layout), slot_(crowd.core) {}

    /// Returns null if there is no agent.
    page* page_of(std::uint64_t place) const {
        if (place / page_agents >= access_.pages().size()) return nullptr;
        auto& p = *access_.pages()[place / page_agents];
        const auto slot = static_cast<std::uint32_t>(place % page_agents);
        return slot < p.used && p.has_agent(slot) ? &p : nullptr;
    }
    std::span<const std::byte> image_of(page& p, std::uint32_t slot) {
        slot_->load(p, slot, access_.now());
        std::size_t size = 0;
        try {
            while ((size = save_machine(instance_access::engine_of(slot_->machine()), image_, false)) > image_.size()) image_.resize(size);
        } catch (...) { // thrown by a serialize
            slot_->store(access_.now());
            throw;
        }
        slot_->store(access_.now());
        return std::span(image_).first(size);
    }
    json_value describe(page& p, std::uint32_t slot) {
        auto d = json_value::empty_object();
        d.add("machine", describe_image(access_.core.layout().core, image_of(p, slot)));
        if (layout_.owns_contexts) d.add("context", context_json(layout_.context, p.context(slot)));
        return d;
    }

private:
    const crowd_access& access_;
    const crowd_image_layout& layout_;
    crowd_access::borrowed_slot slot_;
    std::vector<std::byte> image_;
};

} // namespace hsm::detail
