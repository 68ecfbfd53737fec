/// The position of a part of a definition in code or in a loaded file. Definition calls and loaders store this position; findings and errors report
/// it.
#pragma once

#include <hsm/define/code.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hsm {

/// A line and a column in characters, both counted from 1. Line 0 means no position.
struct origin {
    std::uint32_t line = 0;
    std::uint32_t column = 0;   ///< 0: unknown
    const char* file = nullptr; ///< the name of the source file, as passed to the compiler; null: the loaded file

    explicit operator bool() const { return line != 0; }
};

/// As the default argument of a function, a call_site contains the position of the call. If the class of a parameter has a constructor with this
/// default argument, the call_site contains the position of the argument that you pass for the parameter. (In a chain of calls over several lines,
/// clang reports where the chain begins.)
struct call_site {
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
inline constexpr call_site nowhere{nullptr, 0};
}

/// A position in code or in a loaded file, with the name of the file.
struct file_position {
    std::string file;
    std::uint32_t line = 0; ///< 0: the whole file or, without a file, no position
    std::uint32_t column = 0;

    std::string to_string() const;  ///< "monster.xml:12:5", "character.cpp:42"; empty without a file
    std::string short_text() const; ///< to_string() without folders, for output on one line
};

class state_base;

/// A warning found by a loader. The check reports this warning together with its own findings.
struct loader_warning {
    hsm::code code;
    const state_base* about;
    origin where;
    std::string problem;
    std::string hint;
};

/// The parts of a file that are not in the definition. A loader stores them so that the file can be saved again.
class loaded_document {
public:
    virtual ~loaded_document() = default;
    virtual bool keeps_data() const { return false; } ///< whether machines have data outside of their instances
};

/// Further data that a loader stores for a state.
struct loader_notes {
    std::string file;       ///< the loaded file; only at the root
    std::string class_name; ///< the registered name of the node's class
    std::string identifier; ///< the registered name of the node's enumerator
    std::vector<loader_warning> warnings = {};
    std::size_t further_warnings = 0; ///< the number of warnings that exceed the limit of the list
    owned<loaded_document> document = {};
    bool scxml_rules = false; ///< at the root: states decide, finish and remember by the rules of SCXML, regardless of the options of the chart
};

using code_place [[deprecated("renamed to call_site")]] = call_site;

} // namespace hsm
