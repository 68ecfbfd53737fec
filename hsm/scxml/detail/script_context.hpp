/// What script_engine consists of. For its .cpp files.
#pragma once

#include <hsm/scxml/detail/script_engine.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

struct duk_hthread;

namespace hsm::detail::scxml {

struct script_engine::context {
    /// What Duktape knows of us.
    struct owned_heap : script_heap {
        using script_heap::script_heap;
        context* owner = nullptr;
    };

    context(const script_limits& l, script_host& h);
    context(const context&) = delete;
    ~context();

    static context& of(duk_hthread* c);

    /// Runs f, which works on the stack; afterwards that is as before, but for the value that f ended with, if it is kept.
    template <class F> failure protect(const origin& at, F f, bool keep = false) {
        const auto run = [](duk_hthread*, void* self) {
            (*static_cast<F*>(self))();
            return 1;
        };
        return protect(at, run, &f, keep);
    }

    // script_compile.cpp
    /// Leaves the function that an expression is compiled to; of a location, a function that returns it. Nothing runs.
    void compile(const expression& e, script_form f);
    void push_function(const expression& e, script_form f); ///< once for each
    void evaluate(const expression& e);                     ///< leaves its value

    // script_names.cpp
    void define_getter(std::string_view name, int (*read)(duk_hthread*)); ///< it is read-only
    static int read_event(duk_hthread* c);
    /// To the value at the end, which is taken away.
    void set_global(std::string_view name);
    void define(std::string_view name, unsigned flags); ///< likewise

    script_limits limits;
    owned_heap heap;
    script_host* host;
    duk_hthread* c = nullptr;
    std::vector<std::size_t> compiled;            ///< by number and form of an expression: the hash of its text
    std::set<std::string, std::less<>> read_only; ///< names
    bool event_is_new = true;                     ///< no script has looked at it yet
    std::int64_t granted = 0;                     ///< to the call in progress
    std::int64_t spent = 0;
    int depth = 0;
    bool shares = false; ///< the host's steps

private:
    failure protect(const origin& at, int (*run)(duk_hthread*, void*), void* f, bool keep);
    /// Of what has been thrown, at the end of the stack.
    std::string message(const origin& at);
    bool try_compile(std::string_view text, unsigned flags);
};

/// On the stack, always: what expressions have been compiled to, by number and form; what reads the constants, by their names.
constexpr int place_of_functions = 0, place_of_constants = 1;

/// In messages about text that we compiled; whatever else has a line is not ours to tell.
constexpr auto name_of_source = "document";

} // namespace hsm::detail::scxml
