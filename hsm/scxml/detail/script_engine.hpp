/// Runs ECMAScript (5.1, and what Duktape knows of later ones) on a heap of its own: expressions, scripts, variables.
///
/// It knows nothing of state machines: expressions come as text, values go in and out as JSON, by value. Scripts reach their own heap, and the
/// functions that their host gave them; no files, no network, no process, no clock but Date. Memory, steps and the depth of the native
/// stack are bounded; whatever goes wrong is a failure with message and line, after which the engine goes on. It belongs to one
/// thread at a time. Nothing here throws but std::bad_alloc and what a constructor says.
#pragma once

#include <hsm/scxml/detail/expression.hpp>
#include <hsm/scxml/detail/script_heap.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::scxml {

/// Of an event.
struct script_field {
    enum class form : std::uint8_t { none, text, json };

    std::string_view name; ///< which lives for ever
    std::string content = {};
    form is = form::none; ///< none: undefined. What is no JSON is text
};

/// Whom scripts call.
class script_host {
public:
    /// A failure is thrown in the script as an Error. It must not throw, and not use the engine that asks.
    virtual outcome<value> call(std::string_view function, const std::vector<value>& arguments) = 0;

    /// An object with these fields, which are read-only; what they hold may be changed. No fields: undefined. Asked when a script looks at
    /// the event first.
    virtual std::vector<script_field> event() = 0;

    /// What all calls of the engine may still use together, which each of them counts down; null: only the limit of each call counts.
    virtual std::int64_t* steps() { return nullptr; }

protected:
    ~script_host() = default;
};

class script_engine {
public:
    /// The host has to outlive it. Throws std::bad_alloc if the limit of memory is too low to begin with.
    script_engine(const script_limits& limits, script_host& host);
    script_engine(const script_engine&) = delete;
    ~script_engine();

    // --- What is there for scripts.
    void add_function(std::string_view name);                    ///< of the host; it cannot be replaced
    failure set_constant(std::string_view name, const value& v); ///< read-only for scripts, through and through; may be set again
    failure declare_event(std::string_view name);                ///< of the variable that shows the host's event
    void event_changes();                                        ///< from now on it is another one
    failure declare(std::string_view variable); ///< without a value; a name that no variable may have fails, and that of something read-only
    bool has_variable(std::string_view name) const;
    bool is_read_only(std::string_view name) const;

    // --- Scripts and expressions. As (expression) first, else as it stands, so that a semicolon may follow, and {} is an object.
    outcome<bool> test(const expression& e);
    outcome<value> evaluate(const expression& e);
    outcome<std::string> text(const expression& e); ///< objects as JSON
    failure run(const expression& script);
    failure compile(const expression& e, script_form f); ///< and nothing else: what its syntax has against it

    // --- Assigning. A location that is not there, or read-only, fails.
    failure set(std::string_view variable, const expression& e); ///< the value itself, not a copy
    failure set(std::string_view variable, const value& v);
    failure assign(const expression& location, const expression& e);
    failure assign(const expression& location, const value& v);

    /// Text as a value: JSON; else XML, which scripts see as a document (script_dom.hpp); else a string, with its blanks put together.
    outcome<value> parse(std::string_view content);

    /// The elements of an array, as they are now. Only one after another may be opened, and the last closed first.
    class elements {
    public:
        elements(script_engine& engine, const expression& array);
        elements(const elements&) = delete;
        ~elements();

        const failure& wrong() const { return wrong_; }
        std::size_t size() const { return size_; }
        failure give(std::size_t i, std::string_view variable); ///< sets it to that element

    private:
        script_engine& engine_;
        int place_;
        std::size_t size_ = 0;
        failure wrong_;
    };

    /// All variables of scripts and data, as one JSON object from which restore() makes them again: with undefined, NaN and dates, without
    /// functions, which come back with the script that defines them. What cannot be written so fails.
    outcome<std::string> save();
    failure restore(std::string_view json);

    void share_steps(); ///< from now on calls count down script_host::steps; what the host sets up before does not
    std::size_t memory_used() const;
    std::int64_t steps_used() const; ///< by the last call

private:
    struct context;
    std::unique_ptr<context> context_;
};

} // namespace hsm::detail::scxml
