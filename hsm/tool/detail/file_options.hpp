/// Command-line options for reading machine files.
#pragma once

#include <hsm/tool/detail/option_list.hpp>

#include <string>

namespace hsm::detail::tool {

struct file_options {
    std::string over;            ///< the machine whose context and names are used; empty: the program's only machine, if it has exactly one
    bool scripts = false;        ///< whether scripts of SCXML documents may run
    bool checks_scripts = false; ///< whether the syntax of scripts is checked before they run
    std::string includes;        ///< the folder that SCXML documents may read from; empty: they read no other files
};

/// Declares `--over`, `--scripts` and `--includes`.
void declare_file_options(option_list& takes, file_options& to);

} // namespace hsm::detail::tool
