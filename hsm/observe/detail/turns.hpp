/// The machines that records belong to.
#pragma once

#include <hsm/op/record.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hsm::detail {

/// An agent of a crowd, the slot of a machine of a manager, or a channel of a recorder. Both numbers are 0 for an instance.
struct agent_key {
    std::uint32_t number = 0;
    std::uint16_t generation = 0;
    friend auto operator<=>(const agent_key&, const agent_key&) = default;
};

/// Returns the agent of a `call` or `call_end` record.
inline agent_key agent_of(const record& r) { return {r.number, r.state}; }

/// Returns whether this is the first record of a machine; it exists only if configurations are recorded.
inline bool begins_trace(const record& r) {
    return r.kind == record_kind::configuration && static_cast<configuration_reason>(r.what) == configuration_reason::attached;
}

/// Finds the agent of each record: that of the innermost call in progress. A hook of one agent can call another agent.
class turns {
public:
    /// Returns the agent of the record. After the end of a call, the outer call continues.
    agent_key next(const record& r) {
        if (ended_) end();
        if (r.kind == record_kind::call) begin(agent_of(r));
        ended_ = r.kind == record_kind::call_end;
        return ended_ ? agent_of(r) : now();
    }
    /// Makes room for nested calls of that many agents, so that they allocate nothing.
    void reserve(std::size_t agents) {
        if (calls_.capacity() < agents) calls_.reserve(std::max(agents, 2 * calls_.capacity()));
    }
    /// Sets the agent of records before the first call.
    void assume(agent_key who) { last_ = who; }
    /// Returns the agent of records that follow now.
    agent_key now() const { return calls_.empty() ? last_ : calls_.back(); }

private:
    /// Begins a call. An agent cannot be called during its own call, so in this case its end is missing.
    void begin(agent_key who) {
        for (std::size_t i = 0; i < calls_.size(); ++i)
            if (calls_[i] == who) calls_.resize(i);
        calls_.push_back(who);
    }
    void end() {
        ended_ = false;
        if (calls_.empty()) return;
        last_ = calls_.back();
        calls_.pop_back();
    }

    std::vector<agent_key> calls_;
    agent_key last_;
    bool ended_ = false;
};

/// Stores an object for each machine that an observer is notified of.
template <class T> class by_agent {
public:
    /// Returns the object of the machine of the next record. Creates it with make() if needed.
    template <class Make> T& next(const record& r, Make make) {
        turns_.reserve(agents_.size() + 1);
        const auto number = turns_.next(r).number;
        if (!last_ || last_number_ != number) {
            last_ = &agents_.try_emplace(number, make()).first->second;
            last_number_ = number;
        }
        return *last_;
    }
    template <class Visit> void each(Visit visit) {
        for (auto& [number, one] : agents_) visit(one);
    }
    std::size_t size() const { return agents_.size(); }

private:
    turns turns_;
    std::unordered_map<std::uint32_t, T> agents_;
    T* last_ = nullptr;
    std::uint32_t last_number_ = 0;
};

} // namespace hsm::detail
