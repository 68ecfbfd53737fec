/// The definition in a file of machines, as commands load it: over the context of a machine of the program, or over nobody's.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/machine_file.hpp>

#include <string>
#include <vector>

namespace hsm::detail::tool {

/// What is done with names that nobody has registered.
enum class unknown_names : std::uint8_t {
    refused,   ///< they are errors. Over no context: only events and bits, if the file declares others
    simulated, ///< something stands for their behaviour
};

class loaded_file {
public:
    /// "-" is stdin. Over nobody's context names are simulated in any case. Throws command_error if it cannot be read, or the options say nothing.
    loaded_file(const std::string& path, const file_options& how, unknown_names unknown, surroundings& here);
    loaded_file(const loaded_file&) = delete;
    loaded_file& operator=(const loaded_file&) = delete;

    const std::string& name() const { return name_; } ///< by which messages call it
    const std::string& text() const { return text_; }
    const machine_format& format() const { return *format_; }
    const known_machine* over() const { return over_; } ///< null: of nobody's context
    const std::vector<used_name>& names() const { return names_; }
    simulation& world() { return world_; }
    const std::vector<message>& problems() const { return problems_; }
    const owned<state_base>& root() const { return root_; } ///< empty if there are problems

    /// Takes the root. Throws command_error with what is wrong, in the file or in the definition.
    chart_base compiled();
    const std::vector<message>& warnings() const { return warnings_; } ///< once it was compiled

private:
    std::string name_, text_;
    simulation world_; ///< before what is made with it
    const machine_format* format_ = nullptr;
    const known_machine* over_ = nullptr;
    std::vector<used_name> names_;
    std::vector<message> problems_, warnings_;
    owned<state_base> root_;
};

/// "(stdin)" for "-".
std::string shown_file(const std::string& path);
/// Whose context and names are taken for a file: by its name, or the only one that can have them. Null: of nobody. Throws command_error.
const known_machine* machine_for_files(const std::string& over, const machine_format& format, const surroundings& here);

} // namespace hsm::detail::tool
