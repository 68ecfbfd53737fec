/// The definition in a file of machines, as commands load it: over the context of a machine of the program, or over nobody's.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/open_names.hpp>

#include <string>
#include <vector>

namespace hsm::detail::tool {

/// What is done with names that nobody has registered.
enum class unknown_names : std::uint8_t {
    refused,   ///< they are errors
    simulated, ///< something stands for their behaviour
};

class loaded_file {
public:
    /// "-" is stdin. `over`: the machine of the program whose context and names it is for; empty: the only one, if there is one. If there are
    /// none, names are simulated in any case. Throws command_error if it cannot be read, or `over` says nothing.
    loaded_file(const std::string& path, const std::string& over, unknown_names unknown, surroundings& here);
    loaded_file(const loaded_file&) = delete;
    loaded_file& operator=(const loaded_file&) = delete;

    const std::string& name() const { return name_; } ///< by which messages call it
    const std::string& text() const { return text_; }
    const std::vector<message>& problems() const { return problems_; }
    const owned<state_base>& root() const { return root_; } ///< empty if there are problems

    /// Takes the root. Throws command_error with what is wrong, in the file or in the definition.
    chart_base compiled();

private:
    std::string name_, text_;
    simulation world_; ///< before what is made with it
    std::vector<message> problems_;
    owned<state_base> root_;
};

/// "(stdin)" for "-".
std::string shown_file(const std::string& path);
/// `--over NAME`
void declare_over(option_list& takes, std::string& over);
/// Whose context and names are taken for a file; null: of nobody. Throws command_error.
const known_machine* machine_for_files(const std::string& over, const surroundings& here);

} // namespace hsm::detail::tool
