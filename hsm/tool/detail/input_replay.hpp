/// A log of inputs, and the machine of the program that replays it.
#pragma once

#include <hsm/replay/replay.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/session.hpp>

#include <optional>
#include <string>

namespace hsm::detail::tool {

class input_replay {
public:
    /// `machine` names a machine of the program. If it is empty, the machine with the log's chart is used. Throws command_error if there is none, and
    /// the exceptions of hsm::replay.
    input_replay(const std::string& path, const std::string& machine, environment& here);
    input_replay(const input_replay&) = delete;
    input_replay& operator=(const input_replay&) = delete;

    const known_machine& known() const { return *known_; }
    hsm::tool::session& session() { return *session_; }
    replay& log() { return *log_; }
    /// Replays all remaining calls. Returns the first difference, or nothing.
    std::optional<log_difference> run(environment& here);

private:
    const known_machine* known_ = nullptr;
    owned<hsm::tool::session> session_;
    std::optional<replay> log_;
};

} // namespace hsm::detail::tool
