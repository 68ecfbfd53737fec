/// Machine files: the table of their formats, and how commands load them.
///
/// The extension of a file's name determines its format. SCXML is also recognized by its root element.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/define/state_base.hpp>
#include <hsm/load/load_error.hpp>
#include <hsm/reload/reload_plan.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/open_names.hpp>
#include <hsm/tool/session.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

/// Command-line options for reading machine files.
struct file_options {
    std::string over;            ///< the machine whose context and names are used; empty: the program's only machine, if it has exactly one
    bool scripts = false;        ///< whether scripts of SCXML documents may run
    bool checks_scripts = false; ///< whether the syntax of scripts is checked before they run
    std::string includes;        ///< the folder that SCXML documents may read from; empty: they read no other files
};

/// Declares `--over`, `--scripts` and `--includes`.
void declare_file_options(option_list& takes, file_options& to);

} // namespace hsm::detail::tool

namespace hsm::detail::scxml {

class data_model_kind;

} // namespace hsm::detail::scxml

namespace hsm::detail::tool {

/// Returns the script language of SCXML documents: ECMAScript with its default limits. Null if hsm was built without scripts (script_model_none.cpp).
const scxml::data_model_kind* script_model();

/// What a file is loaded for.
struct load_request {
    const known_machine* over = nullptr; ///< the machine whose context and names are used; null: a simulated context
    open_names* open = nullptr;          ///< is notified of names and supplies unregistered ones; null: unregistered names are errors
    file_options how = {};
};

struct saved_machine {
    std::string text;
    std::vector<load_problem> losses; ///< parts of the definition that the format cannot express
};

struct machine_format {
    std::string_view name;      ///< "xml"
    std::string_view extension; ///< ".xml"
    /// Builds a root, or returns the problems and leaves `root` empty. `file` is the file's name in messages.
    std::vector<load_problem> (*load)(std::string text, const std::string& file, const load_request& request, owned<state_base>& root);
    /// Writes a definition in this format. Afterwards the definition can no longer be used. `original` is the file of this format that the definition
    /// was loaded from; its comments are copied. Empty: none. Null if the format can only be read.
    saved_machine (*save)(state_base& root, std::string_view original);
    /// Creates a session over a simulated context. The chart must outlive it.
    owned<hsm::tool::session> (*play)(const chart_base& chart, simulation& sim);
};

/// Returns all formats of this build. The first one is used for names without a known extension. Without pugixml there are none
/// (machine_formats_none.cpp).
std::span<const machine_format> machine_formats();
/// Returns null if SCXML was left out of the build (scxml_format_none.cpp).
const machine_format* scxml_format();
inline bool is_scxml(const machine_format& f) { return f.name == "scxml"; }
/// Finds a format by the extension of a path, or by its name ("xml"). Returns null if there is none.
const machine_format* format_of_file(std::string_view path);
/// Returns the format for reading or writing this path. "-" and names without an extension have the first format. Throws command_error if there is
/// none.
const machine_format& format_for(const std::string& path);
/// Returns the format of a file with this text.
const machine_format& format_to_read(const std::string& path, std::string_view text);
/// Returns whether the root element is <scxml>, in any namespace. Only scans the text, which may be invalid XML.
bool looks_like_scxml(std::string_view text);

/// Converts problems of a file to messages that name the options of the command line.
std::vector<message> messages_of(const std::vector<load_problem>& problems);

/// Converts a definition from an SCXML document to what XML files can express: elements of hsm's namespace to named hooks and actions, and
/// conditions about active states to `in` and `unless_in`. Removes everything that XML cannot express, and returns it. Definitions that do not come
/// from a document are unchanged.
std::vector<load_problem> lower_to_xml(state_base& root);
/// Returns whether a document has attributes that are not part of the standard, or elements of other namespaces that are not executed.
bool has_unknown_markup(const state_base& root);

/// How unregistered names are handled.
enum class unknown_names : std::uint8_t {
    refused,   ///< they are errors; without a context: only events and bits, if the file declares others
    simulated, ///< their behavior is simulated
};

/// A definition loaded from a machine file for a command. It uses the context of a machine of the program, or a simulated context.
class loaded_file {
public:
    /// Loads the file; "-" is stdin. Over a simulated context, unregistered behavior is always simulated. Throws command_error if the file cannot be
    /// read or the options do not fit.
    /// `shared` is the simulation of an earlier content of the file; null: a new one.
    loaded_file(const std::string& path, const file_options& how, unknown_names unknown, environment& here,
                std::shared_ptr<simulation> shared = nullptr);
    loaded_file(const loaded_file&) = delete;
    loaded_file& operator=(const loaded_file&) = delete;

    const std::string& name() const { return name_; } ///< the file's name in messages
    const std::string& text() const { return text_; }
    const machine_format& format() const { return *format_; }
    const known_machine* over() const { return over_; } ///< null: a simulated context
    const std::vector<used_name>& names() const { return names_; }
    simulation& sim() { return *sim_; }
    const std::shared_ptr<simulation>& shared_sim() const { return sim_; }
    const std::vector<message>& problems() const { return problems_; }
    const owned<state_base>& root() const { return root_; } ///< empty if there are problems

    /// Compiles the definition and takes the root. Throws command_error with all errors in the file or the definition.
    chart_base compiled();
    const std::vector<message>& warnings() const { return warnings_; } ///< available after `compiled`

private:
    std::string name_, text_;
    std::shared_ptr<simulation> sim_; ///< declared before the objects that refer to it
    const machine_format* format_ = nullptr;
    const known_machine* over_ = nullptr;
    std::vector<used_name> names_;
    std::vector<message> problems_, warnings_;
    owned<state_base> root_;
};

/// Finds changes of a file.
class file_watch {
public:
    virtual ~file_watch() = default;
    virtual bool has_changed() = 0; ///< since the last call. A missing file counts as unchanged
};
owned<file_watch> watch_file(const std::string& path); ///< the first call of has_changed compares with the present content

/// Returns the machine whose context and names are used for a file: the machine named `over`, or the only suitable one. Null if there is none. Throws
/// command_error.
const known_machine* machine_for_files(const std::string& over, const machine_format& format, const environment& here);

/// Creates a session for a chart with the machine's context. Throws command_error if the program cannot create one.
owned<hsm::tool::session> session_of(const known_machine& known, const chart_base& chart);

/// The machine that `run` and `test` play: one of the program, or one from a file with simulated behavior for unregistered names.
class machine_to_play {
public:
    /// `what` is the name of a machine of the program, or a file. Throws command_error.
    machine_to_play(const std::string& what, const file_options& how, environment& here);
    machine_to_play(const machine_to_play&) = delete;
    machine_to_play& operator=(const machine_to_play&) = delete;

    const chart_base& chart() const { return *chart_; }
    simulation& sim() const { return file_ ? file_->sim() : nothing_simulated_; }
    const std::vector<used_name>& names() const { return file_ ? file_->names() : no_names_; } ///< the names in the file
    const std::vector<message>& warnings() const { return file_ ? file_->warnings() : no_warnings_; }
    std::string file() const { return file_ ? file_->name() : std::string(); } ///< empty for a machine of the program
    /// Creates a session that is not started. Throws command_error if the program cannot create one.
    owned<hsm::tool::session> fresh() const;

    bool can_be_reloaded() const { return file_ && path_ != "-"; }
    /// Lets `reload` load the file again when it changes. Throws command_error if that is not possible.
    void watch();
    /// If the file has changed, gives the machine the new chart. Returns nothing if the file has not changed, or if the machine is busy. Throws
    /// command_error if the file has errors; then nothing has changed.
    std::optional<reload_report> reload(hsm::tool::session& playing, environment& here);

private:
    const std::string path_;
    const file_options how_;
    owned<file_watch> watch_;
    std::unique_ptr<loaded_file> file_; ///< first: the chart is destroyed before its simulation
    mutable simulation nothing_simulated_;
    const std::vector<used_name> no_names_;
    const std::vector<message> no_warnings_;
    const known_machine* known_ = nullptr;
    std::optional<chart_base> chart_;
};

} // namespace hsm::detail::tool
