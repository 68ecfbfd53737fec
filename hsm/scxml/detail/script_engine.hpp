/// Runs ECMAScript (5.1, and later features that Duktape supports) on its own heap: expressions, scripts, variables.
///
/// Independent of state machines: expressions are text, and values are passed as JSON copies. Scripts can access their own heap and the host's
/// functions, but no files, network, processes or clocks except Date. Memory, steps and native stack depth are limited. Each error is a failure with
/// message and line, after which the engine can be used again. It belongs to one thread at a time. Only std::bad_alloc and documented exceptions of
/// constructors are thrown.
#pragma once

#include <hsm/scxml/detail/expression.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::scxml {

/// The resources of a script: memory, counted exactly, and steps.
///
/// A step is an operation of Duktape's bytecode, of a regular expression, or of a native function on one property or 64 bytes. An allocation costs a
/// step for each 64 bytes. A garbage collection costs a step for each 64 bytes of the heap. So steps measure time, but are equal on every machine.
struct script_limits {
    std::size_t memory = std::size_t(8) << 20;  ///< bytes of a session's heap, including Duktape's own data
    std::int64_t steps = 5'000'000;             ///< for one expression or script
    std::size_t stack = std::size_t(256) << 10; ///< bytes of the native stack below the caller
    std::uint64_t seed = 1;                     ///< for Math.random()
};

/// A field of an event.
struct script_field {
    enum class form : std::uint8_t { none, text, json };

    std::string_view name; ///< must have static lifetime
    std::string content = {};
    form is = form::none; ///< none: undefined. Text that is not JSON becomes a string
};

/// The functions that scripts can call.
class script_host {
public:
    /// A failure is thrown in the script as an Error. Must not throw, and must not use the calling engine.
    virtual outcome<value> call(std::string_view function, const std::vector<value>& arguments) = 0;

    /// Returns the read-only fields of the event object. Their values can be modified. Without fields it is undefined. Called when a script first
    /// reads the event.
    virtual std::vector<script_field> event() = 0;

    /// The remaining steps of all calls, which each call counts down. Null: only the limit of each call applies.
    virtual std::int64_t* steps() { return nullptr; }

protected:
    ~script_host() = default;
};

class script_engine {
public:
    /// The host must outlive the engine. Throws std::bad_alloc if the memory limit is too low for an empty heap.
    script_engine(const script_limits& limits, script_host& host);
    script_engine(const script_engine&) = delete;
    ~script_engine();

    // --- Definitions for scripts.
    void add_function(std::string_view name);                    ///< a function of the host; cannot be replaced
    failure set_constant(std::string_view name, const value& v); ///< deeply read-only for scripts; can be set again
    failure declare_event(std::string_view name);                ///< declares the variable for the host's event
    void event_changes();                                        ///< call it when the host's event has changed
    failure declare(std::string_view variable); ///< without a value; fails for an invalid name, and for the name of something read-only
    bool has_variable(std::string_view name) const;
    bool is_read_only(std::string_view name) const;

    // --- Scripts and expressions. Compiled as (expression) if possible, otherwise unchanged, so that a semicolon can follow, and {} is an object.
    outcome<bool> test(const expression& e);
    outcome<value> evaluate(const expression& e);
    outcome<std::string> text(const expression& e); ///< objects as JSON
    failure run(const expression& script);
    failure compile(const expression& e, script_form f); ///< only compiles; returns the syntax error

    // --- Assignments. They fail if the location does not exist or is read-only.
    failure set(std::string_view variable, const expression& e); ///< assigns the value itself, not a copy
    failure set(std::string_view variable, const value& v);
    failure assign(const expression& location, const expression& e);
    failure assign(const expression& location, const value& v);

    /// Converts text to a value: JSON; otherwise XML as a document (script_dom.hpp); otherwise a string with normalized blanks.
    outcome<value> parse(std::string_view content);

    /// The current elements of an array. Nested objects of this class must be destroyed in reverse order.
    class elements {
    public:
        elements(script_engine& engine, const expression& array);
        elements(const elements&) = delete;
        ~elements();

        const failure& wrong() const { return wrong_; }
        std::size_t size() const { return size_; }
        failure give(std::size_t i, std::string_view variable); ///< assigns the element to the variable

    private:
        script_engine& engine_;
        int place_;
        std::size_t size_ = 0;
        failure wrong_;
    };

    /// Returns all variables as one JSON object for restore(): including undefined, NaN and dates, without functions, which the script defines again
    /// when it runs. Fails for other values.
    outcome<saved_data> save(const std::vector<std::string>& without = {});
    failure restore(std::string_view json);

    void share_steps();              ///< calls count down script_host::steps from now on; earlier setup by the host is not counted
    std::int64_t steps_used() const; ///< by the last call

private:
    struct context;
    std::unique_ptr<context> context_;
};

} // namespace hsm::detail::scxml
