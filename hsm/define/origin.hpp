/// Where a part of a definition was written: in code, or in a file that was loaded. Words and loaders note it, findings and
/// errors tell it.
#pragma once

#include <hsm/define/code.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hsm {

/// A line and a column, of characters, both from 1. Line 0: nowhere.
struct origin {
    std::uint32_t line = 0;
    std::uint32_t column = 0;   ///< 0: not known
    const char* file = nullptr; ///< of code, as its compiler was given it; null: in the file that was loaded

    explicit operator bool() const { return line != 0; }
};

/// The place of a call, as the default of a parameter. Through a parameter's own type, made of an argument, it is the argument's.
/// (In a chain over several lines clang knows for the default of a parameter only where the chain begins.)
struct code_place {
#ifdef HSM_NO_LOCATIONS
    const char* file = nullptr;
    std::uint32_t line = 0;
#else
    const char* file = HSM_CALLER_FILE;
    std::uint32_t line = HSM_CALLER_LINE;
#endif
    constexpr operator origin() const { return {line, 0, file}; }
};

namespace detail {
inline constexpr code_place nowhere{nullptr, 0};
}

/// The same, with the file, whichever it is.
struct file_position {
    std::string file;
    std::uint32_t line = 0; ///< 0: the file as a whole, or, without a file, nowhere
    std::uint32_t column = 0;

    std::string to_string() const;  ///< "monster.xml:12:5", "character.cpp:42"; empty without a file
    std::string short_text() const; ///< the same without the folders, for a line of text
};

class state_base;

/// A warning that a loader found. The check reports it together with its own findings.
struct loader_warning {
    hsm::code code;
    const state_base* about;
    origin where;
    std::string problem;
    std::string hint;
};

/// What a loader keeps of a file beside the definition, so that it can be saved again.
class loaded_document {
public:
    virtual ~loaded_document() = default;
};

/// What else a loader notes of a state.
struct loader_notes {
    std::string file;       ///< of what was loaded, at its root
    std::string class_name; ///< by which the class of the node is registered
    std::string identifier; ///< by which its enumerator is registered
    std::vector<loader_warning> warnings = {};
    std::size_t further_warnings = 0; ///< that are not in the list: it is bounded
    owned<loaded_document> document = {};
    bool scxml_rules = false; ///< at the root: whatever the options of its chart say, states decide, finish and remember as SCXML has it
};

} // namespace hsm
