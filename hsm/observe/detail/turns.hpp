/// Whose a record is: of the agent of the innermost call in progress. A hook of one agent may call another one.
#pragma once

#include <hsm/op/record.hpp>

#include <compare>
#include <cstdint>
#include <vector>

namespace hsm::detail {

/// An agent of a crowd, the place of a machine of a manager, or a lane. Of an instance both are 0.
struct agent_key {
    std::uint32_t number = 0;
    std::uint16_t generation = 0;
    friend auto operator<=>(const agent_key&, const agent_key&) = default;
};

/// Of `call` and `call_end`.
inline agent_key agent_of(const record& r) { return {r.number, r.state}; }

/// What comes first of a machine, if it is asked for.
inline bool begins_trace(const record& r) {
    return r.kind == record_kind::configuration && static_cast<configuration_reason>(r.what) == configuration_reason::attached;
}

class turns {
public:
    /// Whose it is. Behind the end of a call those before it go on.
    agent_key next(const record& r) {
        if (ended_) end();
        if (r.kind == record_kind::call) begin(agent_of(r));
        ended_ = r.kind == record_kind::call_end;
        return ended_ ? agent_of(r) : now();
    }
    bool is_nested() const { return calls_.size() > 1; }
    /// As long as nobody has been called.
    void assume(agent_key who) { last_ = who; }
    /// Whose turn it is when nothing more is known.
    agent_key now() const { return calls_.empty() ? last_ : calls_.back(); }

private:
    /// Nobody is called in a call of his own: then its end is missing.
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

} // namespace hsm::detail
