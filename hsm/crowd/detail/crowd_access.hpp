/// Access to a crowd's columns and places, for saving it.
#pragma once

#include <hsm/crowd/detail/crowd_core.hpp>

namespace hsm::detail {

struct crowd_access {
    /// Returns a mutable core: reading an agent can load it and store it unchanged.
    static crowd_core& core_of(const crowd_base& crowd) { return *crowd.core_; }

    explicit crowd_access(crowd_core& c) : core(c) {}

    /// Returns whether a hook of an agent runs, or an agent is loaded.
    bool is_busy() const { return core.running_ || core.taken_ > 0; }
    // The arguments with which the crowd was created.
    const chart_base& chart() const { return core.chart_; }
    const agent_kind& kind() const { return core.kind_; }
    crowd_options options() const {
        auto made_with = core.layout_->options;
        made_with.agent.mailbox = core.mail_ ? static_cast<std::uint32_t>(core.mail_->capacity()) : 0;
        return made_with;
    }
    std::byte* contexts() const { return core.contexts_; } ///< your array; null if the crowd stores the contexts
    bool owns_contexts() const { return !core.contexts_; }
    std::size_t capacity() const { return core.capacity_; } ///< elements of your array
    std::vector<std::unique_ptr<page>>& pages() const { return core.pages_; }
    void make_page(std::size_t number) const { core.page_for(static_cast<std::uint32_t>(number * page_agents)); } ///< and those before
    std::vector<std::uint32_t>& free_positions() const { return core.free_; }
    std::uint64_t& untouched() const { return core.untouched_; }
    std::int64_t& now() const { return core.now_; }
    std::uint64_t& ticks() const { return core.ticks_; }
    mailbox_queue* mail() const { return core.mail_.get(); }
    const std::vector<observer_link*>& observers() const { return core.observers_; }

    /// Takes an empty slot until the end of the scope.
    class borrowed_slot {
    public:
        explicit borrowed_slot(crowd_core& c) : core_(c), slot_(c.take_agent_slot()) {}
        borrowed_slot(const borrowed_slot&) = delete;
        ~borrowed_slot() { core_.free_agent_slot(slot_); }
        agent_slot& operator*() const { return slot_; }
        agent_slot* operator->() const { return &slot_; }

    private:
        crowd_core& core_;
        agent_slot& slot_;
    };

    crowd_core& core;
};

} // namespace hsm::detail
