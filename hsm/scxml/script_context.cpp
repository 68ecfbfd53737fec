#include <hsm/scxml/detail/script_context.hpp>

#include <hsm/op/detail/format.hpp>

#include <duktape.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <utility>

namespace hsm::detail::scxml {

namespace {

constexpr std::int64_t unlimited = std::int64_t(1) << 62;
/// For error messages, which can call functions of scripts.
constexpr std::int64_t steps_of_message = 20'000;

/// A new heap takes less than this. Duktape cannot handle a failed allocation while it creates one.
constexpr std::size_t memory_of_new_heap = std::size_t(1) << 20;

/// Globals of Duktape that scripts do not need: access to internals, bytes, a second clock, proxies.
constexpr const char* withheld[] = {
    "Duktape",     "Proxy",       "performance",  "CBOR",         "TextEncoder",       "TextDecoder", "Buffer",
    "ArrayBuffer", "DataView",    "Int8Array",    "Uint8Array",   "Uint8ClampedArray", "Int16Array",  "Uint16Array",
    "Int32Array",  "Uint32Array", "Float32Array", "Float64Array", "SharedArrayBuffer",
};

/// Converts Duktape's line number, "(line 2, end of input)", to one of the document.
std::string with_lines_of(const origin& at, std::string message) {
    const std::string_view mark = "(line ";
    const auto begin = message.rfind(mark);
    if (!at || begin == message.npos || message.back() != ')') return message;
    auto end = begin + mark.size();
    std::uint32_t line = 0;
    for (; end < message.size() && message[end] >= '0' && message[end] <= '9'; ++end)
        line = line * 10 + static_cast<std::uint32_t>(message[end] - '0');
    message.replace(begin + mark.size(), end - begin - mark.size(), std::to_string(at.line + std::max(line, 1u) - 1));
    return message;
}

} // namespace

script_engine::context::context(const script_limits& l, script_host& h) : limits(l), heap(l), host(&h) {
    heap.owner = this;
    heap.steps = unlimited;
    heap.memory = std::max(heap.memory, memory_of_new_heap);
    c = duk_create_heap(script_heap::allocate, script_heap::reallocate, script_heap::release, &heap, nullptr);
    if (!c) throw std::bad_alloc();
    const auto prepare = [this] {
        duk_push_global_object(c);
        for (const auto* name : withheld) duk_del_prop_string(c, -1, name);
        duk_push_object(c); // at place_of_functions
    };
    if (protect({}, prepare, true) ||
        protect(
            {}, [this] { duk_push_object(c); }, true) ||
        heap.used > limits.memory) {
        duk_destroy_heap(c);
        throw std::bad_alloc();
    }
    heap.memory = limits.memory;
}

script_engine::context::~context() {
    heap.steps = unlimited;
    duk_destroy_heap(c);
}

script_engine::context& script_engine::context::of(duk_hthread* c) {
    duk_memory_functions functions;
    duk_get_memory_functions(c, &functions);
    return *static_cast<owned_heap*>(static_cast<script_heap*>(functions.udata))->owner;
}

void script_engine::context::end_script() { (void)duk_error(c, DUK_ERR_ERROR, "no memory is left"); }

failure script_engine::context::protect(const origin& at, int (*run)(duk_hthread*, void*), void* f, bool keep) {
    if (!duk_check_stack(c, 16)) return {"out of memory"};
    const bool outermost = depth++ == 0;
    auto* const shared = outermost && shares ? host->steps() : nullptr;
    if (outermost) heap.steps = granted = shared ? std::clamp<std::int64_t>(*shared, 0, limits.steps) : limits.steps;
    const stack_guard guard(limits.stack);
    duk_push_undefined(c); // a result if f pushes none
    const auto result = duk_safe_call(c, run, f, 1, 1);
    if (outermost) spent = granted - std::max<std::int64_t>(heap.steps, 0);
    failure wrong;
    if (result != DUK_EXEC_SUCCESS) catching_bad_alloc([&] { return wrong.what = message(at), 0; });
    const bool no_memory = std::exchange(is_short, false);
    if (!keep || wrong || no_memory) duk_pop(c);
    if (shared) *shared -= spent;
    if (outermost) heap.steps = unlimited;
    --depth;
    if (no_memory) throw std::bad_alloc();
    return wrong;
}

std::string script_engine::context::message(const origin& at) {
    const bool too_long = heap.steps < 0;
    if (too_long) heap.steps = steps_of_message;
    std::uint32_t line = 0;
    if (duk_is_error(c, -1)) {
        const auto ask = [](duk_context* asked, void* found) -> duk_ret_t {
            duk_get_prop_literal(asked, -1, "fileName");
            if (std::strcmp(duk_safe_to_string(asked, -1), name_of_source) == 0) {
                duk_get_prop_literal(asked, -2, "lineNumber");
                *static_cast<std::uint32_t*>(found) = duk_to_uint32(asked, -1);
            }
            return 1;
        };
        duk_dup(c, -1);
        duk_safe_call(c, ask, &line, 1, 1);
        duk_pop(c);
    }
    duk_safe_to_string(c, -1);
    auto text = text_at(c, -1);
    if (too_long) return fmt::format("the script took more than {} steps", granted);
    const bool no_memory = text.find("alloc failed") != text.npos || text == "DoubleError: error in error handling"; // not even for an error
    if (no_memory) return fmt::format("the script needs more memory than {} bytes", limits.memory);
    if (text.find("(line ") != text.npos) return with_lines_of(at, std::move(text));
    if (at && line > 1) text += fmt::format(" (line {})", at.line + line - 1);
    return text;
}

// --- compiling ---

namespace {

constexpr std::size_t forms = 3; // the forms that are compiled

/// Adds parentheses, so that {} is an object. Line numbers are unchanged.
std::string enclosed(std::string_view before, std::string_view text, std::string_view after) {
    const auto last = text.find_last_not_of("; \t\r\n");
    text = text.substr(0, last == text.npos ? 0 : last + 1);
    const bool comment = text.find("//") != text.npos; // it would hide the text after it
    return fmt::format("{}{}{}{}", before, text, comment ? "\n" : "", after);
}

} // namespace

bool script_engine::context::try_compile(std::string_view text, unsigned flags) {
    push_text(c, text);
    duk_push_string(c, name_of_source);
    return duk_pcompile(c, flags) == DUK_EXEC_SUCCESS;
}

void script_engine::context::compile(const expression& e, script_form f) {
    if (f == script_form::location) {
        // Strict mode: an assignment does not declare variables, and one to a read-only property fails.
        if (!try_compile(enclosed("(function($hsm){'use strict';", e.text, "=$hsm})"), DUK_COMPILE_EVAL)) duk_throw(c);
        return;
    }
    if (f == script_form::expression) {
        if (try_compile(enclosed("(", e.text, ")"), DUK_COMPILE_EVAL)) return;
        duk_pop(c);
    }
    if (!try_compile(e.text, f == script_form::expression ? DUK_COMPILE_EVAL : 0)) duk_throw(c);
}

void script_engine::context::push_function(const expression& e, script_form f) {
    const auto slot = e.number * forms + static_cast<std::size_t>(f);
    const auto hash = std::hash<std::string_view>()(e.text) | 1; // 0: none
    if (slot < compiled.size() && compiled[slot] == hash) {
        duk_get_prop_index(c, place_of_functions, static_cast<duk_uarridx_t>(slot));
        return;
    }
    compile(e, f);
    if (f == script_form::location) duk_call(c, 0); // returns the assigning function
    if (slot >= compiled.size()) compiled.resize(slot + 1);
    duk_dup_top(c);
    duk_put_prop_index(c, place_of_functions, static_cast<duk_uarridx_t>(slot));
    compiled[slot] = hash;
}

void script_engine::context::evaluate(const expression& e) {
    push_function(e, script_form::expression);
    duk_call(c, 0);
}

} // namespace hsm::detail::scxml
