/// Where a session's data live, and what its expressions mean (SCXML, section 5 and appendix B).
///
/// A `data_model_kind` stands for a language: it is named by <scxml datamodel="...">, is shared by all documents and threads, and makes a
/// `data_model` for each session. A model belongs to the thread of its session. Nothing of it throws but std::bad_alloc: what goes wrong
/// in an expression is a failure, of which the interpreter makes an error.execution.
///
/// The null model needs none of this: the loader finds out what is true, In(), a constant, and the engine asks for that by itself.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/scxml/detail/expression.hpp>

#include <string_view>
#include <vector>

namespace hsm::detail::scxml {

/// A <data>.
struct datum {
    std::string id;
    expression init;     ///< its expr
    std::string content; ///< or else what stands in it, or in the file that src names, as text; XML as it is written
    bool has_content = false;
    origin at;
};

/// What `_event` shows (5.10.1).
struct event_info {
    std::string name;
    std::string_view type; ///< "platform", "internal" or "external"
    std::string sendid, origin, origintype, invokeid;
    value data;
};

/// What else begins with an underscore (5.10).
struct system_variables {
    std::string session_id; ///< `_sessionid`
    std::string name;       ///< `_name`
    struct io_processor {
        std::string type, location;
    };
    std::vector<io_processor> io_processors; ///< `_ioprocessors[type].location`
};

/// <foreach>, but for what is in it.
struct iteration {
    expression array;
    std::string item;
    std::string index; ///< empty: not wanted
};

/// What is in a <foreach>.
class iterated {
public:
    /// For an element: its item and index have been set. True: the loop ends here, as something went wrong that has been told.
    virtual bool run() = 0;

protected:
    ~iterated() = default;
};

/// What a model asks of its session.
class data_model_host {
public:
    virtual bool is_active(std::string_view state_id) = 0; ///< In(): as far as states have been left and entered
    /// What all expressions may still use together, for the model to count down; null: there is no bound.
    virtual std::int64_t* steps() { return nullptr; }

protected:
    ~data_model_host() = default;
};

/// The data of one session.
class data_model {
public:
    virtual ~data_model() = default;

    // At the start, in this order.
    virtual void set_system(const system_variables& all) = 0; ///< read-only for the document, `_event` with them
    /// It is there from now on, without a value. Early binding: all of the document before anything else runs; late: likewise, but each
    /// is given its value when its state is entered first.
    virtual failure declare(const datum& d) = 0;
    virtual failure initialise(const datum& d) = 0;
    /// In place of its own initialisation: by whoever started the session.
    virtual failure initialise(const datum& d, const value& given) = 0;

    /// Before any transition is asked whether it takes the event; until the next one. There is no `_event` before the first.
    virtual void set_event(const event_info& event) = 0;

    virtual outcome<bool> test(const expression& condition) = 0;
    virtual outcome<value> evaluate(const expression& e) = 0;
    /// As a string: the name of an event, a target, a delay, what is logged.
    virtual outcome<std::string> text(const expression& e) = 0;
    /// What stands in a <content>, or in an event that came as text: a value in the model's own view.
    virtual outcome<value> parse(std::string_view content) = 0;

    virtual failure assign(const expression& location, const expression& e) = 0;
    virtual failure assign(const expression& location, std::string_view content) = 0; ///< as that of a <data>
    virtual failure assign(const expression& location, const value& v) = 0;           ///< idlocation, namelist of a restored session
    virtual failure run(const expression& script) = 0;
    /// Over a copy of the collection. The body has told what went wrong in it; that is no failure of the loop.
    virtual failure iterate(const iteration& loop, iterated& body) = 0;

    /// All data, as one JSON object; back into a model of the same document, after set_system and declare.
    virtual outcome<std::string> save() = 0;
    virtual failure restore(std::string_view json) = 0;
};

/// What a document has for its model.
struct model_document {
    std::string_view name; ///< of the document
    std::uint32_t expressions = 0;
};

/// What a document has written somewhere.
struct written_script {
    expression text;
    script_form form;
};

/// A language. Lives longer than all that it makes.
class data_model_kind {
public:
    virtual ~data_model_kind() = default;

    virtual std::string_view name() const = 0; ///< "ecmascript"
    /// May <script> run? If not, a document that has one is refused.
    virtual bool allows_scripts() const = 0;
    virtual owned<data_model> make(const model_document& document, data_model_host& host) const = 0;
    /// What is wrong with each, whatever the data are; nothing runs. None for any: this language does not tell.
    virtual std::vector<failure> check(const std::vector<written_script>&) const { return {}; }
};

} // namespace hsm::detail::scxml
