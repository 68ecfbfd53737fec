/// The machine that `run` and `test` play: one of the program, or one from a file with simulated behavior for unregistered names.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/tool/detail/loaded_file.hpp>

#include <optional>
#include <string>
#include <vector>

namespace hsm::detail::tool {

class machine_to_play {
public:
    /// `what` is the name of a machine of the program, or a file. Throws command_error.
    machine_to_play(const std::string& what, const file_options& how, surroundings& here);
    machine_to_play(const machine_to_play&) = delete;
    machine_to_play& operator=(const machine_to_play&) = delete;

    const chart_base& chart() const { return *chart_; }
    simulation& world() const { return file_ ? file_->world() : nothing_simulated_; }
    const std::vector<used_name>& names() const { return file_ ? file_->names() : no_names_; } ///< the names in the file
    const std::vector<message>& warnings() const { return file_ ? file_->warnings() : no_warnings_; }
    std::string file() const { return file_ ? file_->name() : std::string(); } ///< empty for a machine of the program
    /// Creates a session that is not started. Throws command_error if the program cannot create one.
    owned<hsm::tool::session> fresh() const;

private:
    mutable std::optional<loaded_file> file_; ///< first: the chart is destroyed before its simulation
    mutable simulation nothing_simulated_;
    const std::vector<used_name> no_names_;
    const std::vector<message> no_warnings_;
    const known_machine* known_ = nullptr;
    std::optional<chart_base> chart_;
};

} // namespace hsm::detail::tool
