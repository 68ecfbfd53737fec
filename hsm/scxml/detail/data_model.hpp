/// The interface of data models: the data of a session and its expressions (SCXML, section 5 and appendix B).
///
/// A `data_model_kind` is a language. It is named by <scxml datamodel="...">, is shared by all documents and threads, and creates a `data_model` for
/// each session. A model belongs to the thread of its session. It throws only std::bad_alloc: errors in expressions are returned as a failure, which
/// the interpreter converts to an error.execution.
///
/// The null model does not use this interface: the loader resolves In() and constants, and the engine evaluates them.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/scxml/detail/expression.hpp>

#include <string_view>
#include <vector>

namespace hsm::detail::scxml {

/// A <data> element.
struct data_element {
    std::string id;
    expression init;     ///< its expr
    std::string content; ///< otherwise its content, or that of the file that src names, as text; XML as written
    bool has_content = false;
    origin at;
};

/// The content of `_event` (5.10.1).
struct event_info {
    std::string name;
    std::string_view type; ///< "platform", "internal" or "external"
    std::string sendid, origin, origintype, invokeid;
    value data;
};

/// The other system variables (5.10).
struct system_variables {
    std::string session_id; ///< `_sessionid`
    std::string name;       ///< `_name`
    struct io_processor {
        std::string type, location;
    };
    std::vector<io_processor> io_processors; ///< `_ioprocessors[type].location`
};

/// A <foreach> without its body.
struct iteration {
    expression array;
    std::string item;
    std::string index; ///< empty if there is none
};

/// The body of a <foreach>.
class iterated {
public:
    /// Runs the body for an element, after item and index were set. Returns true if the loop ends because of an error, which was already reported.
    virtual bool run() = 0;

protected:
    ~iterated() = default;
};

/// The session, as seen by its model.
class data_model_host {
public:
    virtual bool is_active(std::string_view state_id) = 0; ///< In(): reflects the exits and entries so far
    /// The remaining steps of all expressions, to be counted down by the model. Null: no limit.
    virtual std::int64_t* steps() { return nullptr; }

protected:
    ~data_model_host() = default;
};

/// The data of one session.
class data_model {
public:
    virtual ~data_model() = default;

    // Called at the start, in this order.
    virtual void set_system(const system_variables& all) = 0; ///< read-only for the document, as is `_event`
    /// Declares a variable without a value. All variables of the document are declared before other content runs. With late binding, each is
    /// initialized when its state is first entered.
    virtual failure declare(const data_element& d) = 0;
    virtual failure initialise(const data_element& d) = 0;
    /// Initializes with a value that was passed when the session was started.
    virtual failure initialise(const data_element& d, const value& given) = 0;

    /// Sets `_event` before any transition is evaluated. It is valid until the next call. Before the first one there is no `_event`.
    virtual void set_event(const event_info& event) = 0;

    virtual outcome<bool> test(const expression& condition) = 0;
    virtual outcome<value> evaluate(const expression& e) = 0;
    /// Evaluates to a string: the name of an event, a target, a delay, a log text.
    virtual outcome<std::string> text(const expression& e) = 0;
    /// Converts the text of a <content> or an event to a value of the model.
    virtual outcome<value> parse(std::string_view content) = 0;

    virtual failure assign(const expression& location, const expression& e) = 0;
    virtual failure assign(const expression& location, std::string_view content) = 0; ///< as the content of a <data>
    virtual failure assign(const expression& location, const value& v) = 0;           ///< for idlocation, and the namelist of a restored session
    virtual failure run(const expression& script) = 0;
    /// Iterates over a copy of the collection. Errors in the body were already reported and are not returned as failures of the loop.
    virtual failure iterate(const iteration& loop, iterated& body) = 0;

    /// These functions return and restore all data as one JSON object, except the variables in `without`. Restoring requires a model of the same
    /// document, after set_system and declare.
    virtual outcome<saved_data> save(const std::vector<std::string>& without) = 0;
    virtual failure restore(std::string_view json) = 0;
};

/// The properties of a document that its model needs.
struct model_document {
    std::string_view name; ///< the document's name
    std::uint32_t expressions = 0;
};

/// An expression or script in a document.
struct written_script {
    expression text;
    script_form form;
};

/// A language. Must outlive all its models.
class data_model_kind {
public:
    virtual ~data_model_kind() = default;

    virtual std::string_view name() const = 0; ///< "ecmascript"
    /// Returns whether <script> may run. If not, documents that contain one are refused.
    virtual bool allows_scripts() const = 0;
    virtual owned<data_model> make(const model_document& document, data_model_host& host) const = 0;
    /// Returns the syntax error of each script, independent of data, without running anything. An empty list means that the language cannot check.
    virtual std::vector<failure> check(const std::vector<written_script>&) const { return {}; }
};

} // namespace hsm::detail::scxml
