/// What a host decides for the SCXML documents that it loads.
#pragma once

#include <hsm/load/load_options.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hsm {

namespace detail::scxml {
class data_model_kind;
}

/// Elements of other namespaces, for which nothing is registered, and attributes that no standard knows. They are kept, and written again
/// by save_scxml, whatever is said of them.
enum class foreign_markup : std::uint8_t {
    passed_over,
    warned, ///< where it stands in the place of executable content, or in no namespace
    refused,
};

struct scxml_options : load_options {
    scxml_options() { max_depth = 1000; }

    foreign_markup foreign = foreign_markup::warned;
    /// XInclude, the src of data, of a script and of an <invoke> are read from this folder and those in it. A relative name starts at the folder of
    /// the document's file, or, if the document does not lie in here or was loaded from memory, at this folder. Empty: nothing is read.
    std::string include_folder;
    std::size_t max_includes = 100; ///< files, however they are nested
    std::size_t max_kept = 64;      ///< documents for <invoke> that are kept when they have been compiled, for the next session that wants them
    /// The languages that a document may be written in, besides "null".
    std::vector<const detail::scxml::data_model_kind*> data_models;
    /// Mistakes in the syntax of expressions and scripts are warnings (HSM-116): all of them are compiled for that when the document is loaded. In
    /// a session that comes to them they are an error.execution, whatever stands here.
    bool check_scripts = false;
    /// Types of <send> that the host knows besides SCXML's own (context::knows_processor): of others the check warns.
    std::vector<std::string> send_types;
    /// What a document is written in that does not say so.
    std::string default_model = "null";
};

} // namespace hsm
