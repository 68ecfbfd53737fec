/// A definition loaded from a machine file for a command. It uses the context of a machine of the program, or a simulated context.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/machine_file.hpp>

#include <optional>
#include <string>
#include <vector>

namespace hsm::detail::tool {

/// How unregistered names are handled.
enum class unknown_names : std::uint8_t {
    refused,   ///< they are errors; without a context: only events and bits, if the file declares others
    simulated, ///< their behavior is simulated
};

class loaded_file {
public:
    /// Loads the file; "-" is stdin. Over a simulated context, unregistered behavior is always simulated. Throws command_error if the file cannot be
    /// read or the options do not fit.
    loaded_file(const std::string& path, const file_options& how, unknown_names unknown, environment& here);
    loaded_file(const loaded_file&) = delete;
    loaded_file& operator=(const loaded_file&) = delete;

    const std::string& name() const { return name_; } ///< the file's name in messages
    const std::string& text() const { return text_; }
    const machine_format& format() const { return *format_; }
    const known_machine* over() const { return over_; } ///< null: a simulated context
    const std::vector<used_name>& names() const { return names_; }
    simulation& sim() { return sim_; }
    const std::vector<message>& problems() const { return problems_; }
    const owned<state_base>& root() const { return root_; } ///< empty if there are problems

    /// Compiles the definition and takes the root. Throws command_error with all errors in the file or the definition.
    chart_base compiled();
    const std::vector<message>& warnings() const { return warnings_; } ///< available after `compiled`

private:
    std::string name_, text_;
    simulation sim_; ///< declared before the objects that refer to it
    const machine_format* format_ = nullptr;
    const known_machine* over_ = nullptr;
    std::vector<used_name> names_;
    std::vector<message> problems_, warnings_;
    owned<state_base> root_;
};

/// "(stdin)" for "-".
std::string shown_file(const std::string& path);
/// Returns the machine whose context and names are used for a file: the machine named `over`, or the only suitable one. Null if there is none. Throws
/// command_error.
const known_machine* machine_for_files(const std::string& over, const machine_format& format, const environment& here);

/// The machine that `run` and `test` play: one of the program, or one from a file with simulated behavior for unregistered names.
class machine_to_play {
public:
    /// `what` is the name of a machine of the program, or a file. Throws command_error.
    machine_to_play(const std::string& what, const file_options& how, environment& here);
    machine_to_play(const machine_to_play&) = delete;
    machine_to_play& operator=(const machine_to_play&) = delete;

    const chart_base& chart() const { return *chart_; }
    simulation& sim() const { return file_ ? file_->sim() : nothing_simulated_; }
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
