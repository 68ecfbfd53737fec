/// What a command line says of how files of machines are read.
#pragma once

#include <hsm/tool/detail/option_list.hpp>

#include <string>

namespace hsm::detail::tool {

struct file_options {
    std::string over;            ///< with whose context and names; empty: those of the only machine of the program, if there is one
    bool scripts = false;        ///< of SCXML documents: they may run
    bool checks_scripts = false; ///< their syntax, before they do
    std::string includes;        ///< the folder that SCXML documents may read from; empty: nothing is read but themselves
};

/// `--over`, `--scripts`, `--includes`
void declare_file_options(option_list& takes, file_options& to);

} // namespace hsm::detail::tool
