/// What `run` and `test` play: a machine of the program, or one of a file, with simulated behaviour for names that the program has not registered.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/open_names.hpp>
#include <hsm/tool/session.hpp>

#include <optional>
#include <string>
#include <vector>

namespace hsm::detail::tool {

class machine_to_play {
public:
    /// `what`: the name of a machine of the program, or a file. `over`: with whose context and names a file is loaded; empty: those of the only
    /// machine, if there is one. Throws command_error.
    machine_to_play(const std::string& what, const std::string& over, const surroundings& here);
    machine_to_play(const machine_to_play&) = delete;
    machine_to_play& operator=(const machine_to_play&) = delete;

    const chart_base& chart() const { return *chart_; }
    simulation& world() const { return world_; }
    const std::vector<used_name>& names() const { return names_; } ///< of a file
    const std::vector<message>& warnings() const { return warnings_; }
    const std::string& file() const { return file_; } ///< empty: a machine of the program
    /// One that is not started. Throws command_error if the program does not say how one is made.
    owned<hsm::tool::session> fresh() const;

private:
    void load(const std::string& text);

    mutable simulation world_; ///< first: the chart goes before it
    const known_machine* known_ = nullptr;
    std::optional<chart_base> chart_;
    std::vector<used_name> names_;
    std::vector<message> warnings_;
    std::string file_;
};

} // namespace hsm::detail::tool
