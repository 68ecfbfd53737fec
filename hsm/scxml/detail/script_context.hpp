/// The private parts of script_engine and its use of Duktape. For its .cpp files.
#pragma once

#include <hsm/scxml/detail/script_engine.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <vector>

struct duk_hthread;

namespace hsm::detail::scxml {

/// Passed to Duktape as "udata". Duktape's hooks (duktape/prepare.py) count down the first member.
struct script_heap {
    explicit script_heap(const script_limits& limits) : memory(limits.memory), random(limits.seed) {}

    std::int64_t steps = 0; ///< remaining steps; if negative, every script ends
    std::size_t memory;
    std::size_t used = 0;
    std::uint64_t random;

    // The functions for duk_create_heap; `heap` is the udata.
    static void* allocate(void* heap, std::size_t size);
    static void* reallocate(void* heap, void* memory, std::size_t size);
    static void release(void* heap, void* memory);
};

/// During its lifetime, native recursion of this thread fails when the stack has grown by `bytes`.
class stack_guard {
public:
    explicit stack_guard(std::size_t bytes);
    stack_guard(const stack_guard&) = delete;
    ~stack_guard();

private:
    const char* before_;
};

struct script_engine::context {
    /// The heap that is passed to Duktape.
    struct owned_heap : script_heap {
        using script_heap::script_heap;
        context* owner = nullptr;
    };

    context(const script_limits& l, script_host& h);
    context(const context&) = delete;
    ~context();

    static context& of(duk_hthread* c);

    /// Runs f, which uses the stack. Afterwards the stack is unchanged, except for f's top value if `keep` is true.
    template <class F> failure protect(const origin& at, F f, bool keep = false) {
        const auto run = [](duk_hthread* of_call, void* self) {
            return of(of_call).catching_bad_alloc([&] {
                (*static_cast<F*>(self))();
                return 1;
            });
        };
        return protect(at, run, &f, keep);
    }

    /// Runs code that allocates outside the heap. Duktape would convert a std::bad_alloc to a TypeError. Instead, protect throws the std::bad_alloc
    /// when the script has ended.
    template <class F> int catching_bad_alloc(F f) {
        try {
            return f();
        } catch (const std::bad_alloc&) {
            is_short = true;
            return 0;
        }
    }
    /// The same for a function that scripts call: it also ends the script.
    template <class F> int called_by_script(F f) {
        const int results = catching_bad_alloc(f);
        if (is_short) end_script();
        return results;
    }

    /// Pushes the compiled function of an expression. For a location, it returns a function that assigns. Nothing is executed.
    void compile(const expression& e, script_form f);
    void push_function(const expression& e, script_form f); ///< compiles each expression once
    void evaluate(const expression& e);                     ///< pushes its value

    // script_names.cpp
    void define_getter(std::string_view name, int (*read)(duk_hthread*)); ///< the property is read-only
    static int read_event(duk_hthread* c);
    void push_event();
    void push_field(const script_field& f);
    int call_function();
    /// Pops the top value and assigns it.
    void set_global(std::string_view name);
    void define(std::string_view name, unsigned flags); ///< same as above

    script_limits limits;
    owned_heap heap;
    script_host* host;
    duk_hthread* c = nullptr;
    std::vector<std::size_t> compiled;            ///< by number and form of an expression: the hash of its text
    std::set<std::string, std::less<>> read_only; ///< names
    bool event_is_new = true;                     ///< no script has read it yet
    std::int64_t granted = 0;                     ///< to the current call
    std::int64_t spent = 0;
    int depth = 0;
    bool is_short = false; ///< see catching_bad_alloc
    bool shares = false;   ///< the host's steps

private:
    void end_script();
    failure protect(const origin& at, int (*run)(duk_hthread*, void*), void* f, bool keep);
    /// Describes the exception at the top of the stack.
    std::string message(const origin& at);
    bool try_compile(std::string_view text, unsigned flags);
};

/// Fixed positions of the stack: compiled functions by number and form; constants by name.
constexpr int place_of_functions = 0, place_of_constants = 1;

/// The source name in messages about compiled text of the document. Lines of other sources are not reported.
constexpr auto name_of_source = "document";

// These functions require one of the engine's protected calls.

/// Pops the top value and returns it as JSON, or none if JSON cannot express it. Exceptions of its toJSON are passed on.
value pop_value(duk_hthread* c);
/// Pushes a value; undefined for none. Throws if it is not JSON.
void push_value(duk_hthread* c, const value& v);
void push_text(duk_hthread* c, std::string_view utf8);
/// Requires a string at this index.
std::string text_at(duk_hthread* c, int at);

/// Pushes a document. Returns false and pushes nothing if `xml` is not well-formed. Scripts have a read-only subset of DOM level 2: names,
/// attributes, text and navigation. As JSON, a document is {"#xml": "..."}.
bool push_xml(duk_hthread* c, std::string_view xml);
/// Replaces such objects in the top value by documents.
void revive_xml(duk_hthread* c);

/// Returns the variables of scripts: the enumerable properties of the global object without functions. Throws for values that cannot be written, and
/// if the limit is exceeded.
saved_data save_variables(duk_hthread* c, std::size_t limit, const std::vector<std::string>& without);
void restore_variables(duk_hthread* c, std::string_view json);

} // namespace hsm::detail::scxml
