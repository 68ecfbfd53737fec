/// Where a part of a definition was written, if that was in a file. Loaders note it, and findings and errors tell it.
#pragma once

#include <cstdint>
#include <string>

namespace hsm {

/// A line and a column, of characters, both from 1. Line 0: not in a file.
struct origin {
    std::uint32_t line = 0;
    std::uint32_t column = 0;

    explicit operator bool() const { return line != 0; }
};

/// The same, with the file.
struct file_position {
    std::string file;
    std::uint32_t line = 0; ///< 0: the file as a whole, or, without a file, nowhere
    std::uint32_t column = 0;

    std::string to_string() const; ///< "monster.xml:12:5"; empty without a file
};

/// What else a loader notes of a state.
struct loader_notes {
    std::string file;       ///< of what was loaded, at its root
    std::string class_name; ///< by which the class of the node is registered
    std::string identifier; ///< by which its enumerator is registered
};

} // namespace hsm
