/// A stored copy of an event.
#pragma once

#include <hsm/define/event.hpp>
#include <tests/reference/aligned_memory.hpp>

namespace hsm::detail {

class event_copy {
public:
    /// `key` must outlive it. `from` comes from a caller, which determines how it is stored, or from a queue.
    event_copy(const event_ref& key, const event_ref& from)
        : key_(key), payload_(key.type->size, key.type->alignment), has_payload_(!key.type->is_name || says_more(from)) {
        if (!has_payload_) return;
        if (from.construct)
            from.construct(payload_.data(), from);
        else
            key.type->store(payload_.data(), from.object);
    }
    event_copy(const event_copy&) = delete;
    event_copy& operator=(const event_copy&) = delete;
    ~event_copy() {
        if (has_payload_) key_.type->destroy_at(payload_.data());
    }

    event_ref ref() const {
        event_ref kept{key_.type, key_.value, key_.name, has_payload_ ? payload_.data() : nullptr, nullptr};
        if (!key_.type->is_name || !has_payload_) return kept;
        const auto said = reinterpret_cast<const named_event*>(payload_.data())->name();
        if (!said.empty()) kept.name = said;
        return kept;
    }

private:
    static bool says_more(const event_ref& name) {
        const auto* const object = static_cast<const named_event*>(name.object);
        return object && (object->data() || !object->name().empty());
    }

    const event_ref& key_;
    aligned_memory payload_;
    bool has_payload_;
};

} // namespace hsm::detail
