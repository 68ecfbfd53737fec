/// A definition loaded from a machine file for a command. It uses the context of a machine of the program, or a simulated context.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/machine_file.hpp>

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
    loaded_file(const std::string& path, const file_options& how, unknown_names unknown, surroundings& here);
    loaded_file(const loaded_file&) = delete;
    loaded_file& operator=(const loaded_file&) = delete;

    const std::string& name() const { return name_; } ///< the file's name in messages
    const std::string& text() const { return text_; }
    const machine_format& format() const { return *format_; }
    const known_machine* over() const { return over_; } ///< null: a simulated context
    const std::vector<used_name>& names() const { return names_; }
    simulation& world() { return world_; }
    const std::vector<message>& problems() const { return problems_; }
    const owned<state_base>& root() const { return root_; } ///< empty if there are problems

    /// Compiles the definition and takes the root. Throws command_error with all errors in the file or the definition.
    chart_base compiled();
    const std::vector<message>& warnings() const { return warnings_; } ///< available after `compiled`

private:
    std::string name_, text_;
    simulation world_; ///< declared before the objects that refer to it
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
const known_machine* machine_for_files(const std::string& over, const machine_format& format, const surroundings& here);

} // namespace hsm::detail::tool
