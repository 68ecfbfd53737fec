/// The options for loading SCXML documents.
#pragma once

#include <hsm/load/load_options.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hsm {

namespace detail::scxml {
class data_model_kind;
}

/// Specifies how to report unknown attributes, and elements of other namespaces without registered behavior. In any case they are stored, and
/// save_scxml writes them again.
enum class foreign_markup : std::uint8_t {
    passed_over,
    warned, ///< warns if the element is in executable content or has no namespace
    refused,
};

struct scxml_options : load_options {
    scxml_options() { max_depth = 1000; }

    foreign_markup foreign = foreign_markup::warned;
    /// XInclude, and the src of data, scripts and <invoke>, may read from this folder and its subfolders. Relative names start at the folder of the
    /// document's file. If the document is not inside this folder or was loaded from memory, relative names start at include_folder. Empty: no file
    /// is read.
    std::string include_folder;
    std::size_t max_includes = 100; ///< total number of files
    std::size_t max_kept = 64;      ///< compiled documents of <invoke> that are cached for later sessions
    /// The permitted languages of documents, in addition to "null".
    std::vector<const detail::scxml::data_model_kind*> data_models;
    /// Reports syntax errors of expressions and scripts as warnings (HSM-116). For this check, all expressions and scripts are compiled when the
    /// document is loaded. In a session, a syntax error causes an error.execution, independent of this option.
    bool check_scripts = false;
    /// Types of <send> that your program supports in addition to SCXML's own (context::knows_processor). Other types cause warnings.
    std::vector<std::string> send_types;
    /// The language of documents that do not specify one.
    std::string default_model = "null";
};

} // namespace hsm
