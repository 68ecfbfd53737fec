#include <hsm/scxml/detail/script_engine.hpp>

#include <hsm/scxml/detail/script_call.hpp>
#include <hsm/scxml/detail/script_text.hpp>

#include <duktape.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <utility>

namespace hsm::detail::scxml {

namespace {

constexpr std::int64_t unlimited = std::int64_t(1) << 62;
/// For telling what went wrong, which may call functions of scripts.
constexpr std::int64_t steps_of_message = 20'000;

enum class form : std::uint8_t { expression, script, location };
constexpr std::size_t forms = 3;

/// On the stack, always: what expressions have been compiled to, by number and form.
constexpr duk_idx_t place_of_functions = 0;

constexpr auto name_of_function = DUK_HIDDEN_SYMBOL("name");

/// In brackets, so that {} is an object; lines keep their numbers.
std::string enclosed(std::string_view before, std::string_view text, std::string_view after) {
    const auto last = text.find_last_not_of("; \t\r\n");
    text = text.substr(0, last == text.npos ? 0 : last + 1);
    const bool comment = text.find("//") != text.npos; // it would go on behind the text
    return fmt::format("{}{}{}{}", before, text, comment ? "\n" : "", after);
}

/// In messages about text that we compiled; whatever else has a line is not ours to tell.
constexpr auto source_name = "document";

/// What Duktape offers that no script of a session needs: ways to its insides, bytes, a second clock, objects that answer as they like.
constexpr const char* withheld[] = {
    "Duktape",     "Proxy",       "performance",  "CBOR",         "TextEncoder",       "TextDecoder", "Buffer",
    "ArrayBuffer", "DataView",    "Int8Array",    "Uint8Array",   "Uint8ClampedArray", "Int16Array",  "Uint16Array",
    "Int32Array",  "Uint32Array", "Float32Array", "Float64Array", "SharedArrayBuffer",
};

bool begins_with(std::string_view text, std::string_view what) { return text.substr(0, what.size()) == what; }

/// Duktape counts lines from the beginning of the text, "(line 2, end of input)"; people from that of the document.
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

struct script_engine::context {
    /// What Duktape knows of us.
    struct owned_heap : script_heap {
        using script_heap::script_heap;
        context* owner = nullptr;
    };

    context(const script_limits& l, script_host& h) : limits(l), heap(l), host(&h) {
        heap.owner = this;
        heap.steps = unlimited;
        c = duk_create_heap(script_heap::allocate, script_heap::reallocate, script_heap::release, &heap, nullptr);
        if (!c) throw std::bad_alloc();
        const auto prepare = [this] {
            duk_push_global_object(c);
            for (const auto* name : withheld) duk_del_prop_string(c, -1, name);
            duk_push_object(c); // at place_of_functions
        };
        if (protect({}, prepare, true)) {
            duk_destroy_heap(c);
            throw std::bad_alloc();
        }
    }
    context(const context&) = delete;
    ~context() {
        heap.steps = unlimited;
        duk_destroy_heap(c);
    }

    static context& of(duk_context* c) {
        duk_memory_functions functions;
        duk_get_memory_functions(c, &functions);
        return *static_cast<owned_heap*>(static_cast<script_heap*>(functions.udata))->owner;
    }

    /// Runs f, which works on the stack; afterwards that is as before, but for the value that f ended with, if it is kept.
    template <class F> failure protect(const origin& at, F f, bool keep = false) {
        const auto run = [](duk_context*, void* self) -> duk_ret_t {
            (*static_cast<F*>(self))();
            return 1;
        };
        if (!duk_check_stack(c, 16)) return {"no memory is left"};
        const bool outermost = depth++ == 0;
        if (outermost) heap.steps = limits.steps;
        const stack_guard guard(limits.stack);
        duk_push_undefined(c); // there is a value to end with
        const auto result = duk_safe_call(c, run, &f, 1, 1);
        auto wrong = result == DUK_EXEC_SUCCESS ? failure{} : failure{message(at)};
        if (!keep || wrong) duk_pop(c);
        if (outermost) spent = limits.steps - std::max<std::int64_t>(heap.steps, 0);
        if (outermost) heap.steps = unlimited;
        --depth;
        return wrong;
    }

    /// Of what has been thrown, at the end of the stack.
    std::string message(const origin& at);

    /// Leaves the function that an expression has been compiled to.
    void push_function(const expression& e, form f);
    void compile(const expression& e, form f);
    bool try_compile(std::string_view text, duk_uint_t flags);
    /// Leaves its value.
    void evaluate(const expression& e) {
        push_function(e, form::expression);
        duk_call(c, 0);
    }
    /// To the value at the end, which is taken away.
    void set_global(std::string_view name) {
        duk_push_global_object(c);
        duk_insert(c, -2);
        duk_put_prop_lstring(c, -2, name.data(), name.size());
        duk_pop(c);
    }
    void define(std::string_view name, duk_uint_t flags) {
        duk_push_global_object(c);
        duk_push_lstring(c, name.data(), name.size());
        duk_dup(c, -3);
        duk_def_prop(c, -3, DUK_DEFPROP_HAVE_VALUE | DUK_DEFPROP_FORCE | flags);
        duk_pop_2(c);
    }

    script_limits limits;
    owned_heap heap;
    script_host* host;
    duk_context* c = nullptr;
    std::vector<std::size_t> compiled; ///< by number and form of an expression: the hash of its text
    std::int64_t spent = 0;
    int depth = 0;
};

std::string script_engine::context::message(const origin& at) {
    const bool too_long = heap.steps < 0;
    if (too_long) heap.steps = steps_of_message;
    std::uint32_t line = 0;
    if (duk_is_error(c, -1)) {
        const auto ask = [](duk_context* asked, void* found) -> duk_ret_t {
            duk_get_prop_literal(asked, -1, "fileName");
            if (std::strcmp(duk_safe_to_string(asked, -1), source_name) == 0) {
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
    if (too_long) return fmt::format("the script took more than {} steps", limits.steps);
    if (text.find("alloc failed") != text.npos) return fmt::format("the script needs more memory than {} bytes", limits.memory);
    if (text.find("(line ") != text.npos) return with_lines_of(at, std::move(text));
    if (at && line > 1) text += fmt::format(" (line {})", at.line + line - 1);
    return text;
}

bool script_engine::context::try_compile(std::string_view text, duk_uint_t flags) {
    push_text(c, text);
    duk_push_string(c, source_name);
    return duk_pcompile(c, flags) == DUK_EXEC_SUCCESS;
}

void script_engine::context::compile(const expression& e, form f) {
    if (f == form::location) {
        // Strict, so that nothing is declared by the way, and what is read-only says so.
        if (!try_compile(enclosed("(function($hsm){'use strict';", e.text, "=$hsm})"), DUK_COMPILE_EVAL)) duk_throw(c);
        duk_call(c, 0);
        return;
    }
    if (f == form::expression) {
        if (try_compile(enclosed("(", e.text, ")"), DUK_COMPILE_EVAL)) return;
        duk_pop(c);
    }
    if (!try_compile(e.text, f == form::expression ? DUK_COMPILE_EVAL : 0)) duk_throw(c);
}

void script_engine::context::push_function(const expression& e, form f) {
    const auto slot = e.number * forms + static_cast<std::size_t>(f);
    const auto hash = std::hash<std::string_view>()(e.text) | 1; // 0: there is none
    if (slot < compiled.size() && compiled[slot] == hash) {
        duk_get_prop_index(c, place_of_functions, static_cast<duk_uarridx_t>(slot));
        return;
    }
    compile(e, f);
    if (slot >= compiled.size()) compiled.resize(slot + 1);
    duk_dup_top(c);
    duk_put_prop_index(c, place_of_functions, static_cast<duk_uarridx_t>(slot));
    compiled[slot] = hash;
}

script_engine::script_engine(const script_limits& limits, script_host& host) : context_(std::make_unique<context>(limits, host)) {}
script_engine::~script_engine() = default;

void script_engine::add_function(std::string_view name) {
    const auto call = [](duk_context* c) -> duk_ret_t {
        auto& self = context::of(c);
        std::vector<value> arguments(static_cast<std::size_t>(duk_get_top(c)));
        for (auto& a : arguments) {
            duk_dup(c, static_cast<duk_idx_t>(&a - arguments.data()));
            a = pop_value(c);
        }
        duk_push_current_function(c);
        duk_get_prop_string(c, -1, name_of_function);
        const auto answer = self.host->call(text_at(c, -1), arguments);
        if (answer.wrong) {
            push_text(c, answer.wrong.what);
            duk_error(c, DUK_ERR_ERROR, "%s", duk_get_string(c, -1));
        }
        push_value(c, answer.result);
        return 1;
    };
    auto& self = *context_;
    (void)self.protect({}, [&] {
        duk_push_c_function(self.c, call, DUK_VARARGS);
        push_text(self.c, name);
        duk_put_prop_string(self.c, -2, name_of_function);
        self.define(name, DUK_DEFPROP_CLEAR_WRITABLE | DUK_DEFPROP_CLEAR_CONFIGURABLE | DUK_DEFPROP_CLEAR_ENUMERABLE);
    });
}

namespace {

/// The value at the end and all that is in it; no JSON is deeper than its reader goes.
void freeze_all(duk_context* c) {
    if (!duk_is_object(c, -1)) return;
    duk_require_stack(c, 8);
    duk_enum(c, -1, DUK_ENUM_OWN_PROPERTIES_ONLY);
    while (duk_next(c, -1, 1)) {
        freeze_all(c);
        duk_pop_2(c);
    }
    duk_pop(c);
    duk_freeze(c, -1);
}

constexpr duk_uint_t read_only = DUK_DEFPROP_CLEAR_WRITABLE | DUK_DEFPROP_CLEAR_CONFIGURABLE | DUK_DEFPROP_CLEAR_ENUMERABLE;

} // namespace

failure script_engine::set_constant(std::string_view name, const value& v) {
    auto& self = *context_;
    return self.protect({}, [&] {
        push_value(self.c, v);
        freeze_all(self.c);
        self.define(name, read_only);
    });
}

failure script_engine::set_event(std::string_view name, const value& v, std::span<const std::string_view> fields) {
    auto& self = *context_;
    return self.protect({}, [&] {
        push_value(self.c, v);
        for (const auto field : fields) {
            if (duk_has_prop_lstring(self.c, -1, field.data(), field.size())) continue;
            duk_push_undefined(self.c);
            duk_put_prop_lstring(self.c, -2, field.data(), field.size());
        }
        if (v) duk_freeze(self.c, -1);
        self.define(name, read_only);
    });
}

failure script_engine::declare(std::string_view variable) {
    auto& self = *context_;
    if (!is_variable_name(variable)) return {fmt::format("\"{}\" is no name of a variable", variable)};
    return self.protect({}, [&] {
        duk_push_undefined(self.c);
        self.define(variable, DUK_DEFPROP_SET_WRITABLE | DUK_DEFPROP_SET_ENUMERABLE | DUK_DEFPROP_CLEAR_CONFIGURABLE);
    });
}

bool script_engine::has_variable(std::string_view name) const {
    duk_push_global_object(context_->c);
    const bool found = duk_has_prop_lstring(context_->c, -1, name.data(), name.size());
    duk_pop(context_->c);
    return found;
}

outcome<bool> script_engine::test(const expression& e) {
    auto& self = *context_;
    outcome<bool> answer;
    answer.wrong = self.protect(e.at, [&] {
        self.evaluate(e);
        answer.result = duk_to_boolean(self.c, -1);
    });
    if (answer.wrong) answer.result = false;
    return answer;
}

outcome<value> script_engine::evaluate(const expression& e) {
    auto& self = *context_;
    outcome<value> answer;
    answer.wrong = self.protect(e.at, [&] {
        self.evaluate(e);
        answer.result = pop_value(self.c);
    });
    return answer;
}

outcome<std::string> script_engine::text(const expression& e) {
    auto& self = *context_;
    outcome<std::string> answer;
    answer.wrong = self.protect(e.at, [&] {
        self.evaluate(e);
        if (duk_is_object(self.c, -1) && !duk_is_callable(self.c, -1)) {
            answer.result = pop_value(self.c).json;
        } else {
            duk_to_string(self.c, -1);
            answer.result = text_at(self.c, -1);
        }
    });
    return answer;
}

failure script_engine::run(const expression& script) {
    auto& self = *context_;
    return self.protect(script.at, [&] {
        self.push_function(script, form::script);
        duk_call(self.c, 0);
    });
}

failure script_engine::set(std::string_view variable, const expression& e) {
    auto& self = *context_;
    return self.protect(e.at, [&] {
        self.evaluate(e);
        self.set_global(variable);
    });
}

failure script_engine::set(std::string_view variable, const value& v) {
    auto& self = *context_;
    return self.protect({}, [&] {
        push_value(self.c, v);
        self.set_global(variable);
    });
}

failure script_engine::assign(const expression& location, const expression& e) {
    auto& self = *context_;
    return self.protect(e.at, [&] {
        self.push_function(location, form::location);
        self.evaluate(e);
        duk_call(self.c, 1);
    });
}

failure script_engine::assign(const expression& location, const value& v) {
    auto& self = *context_;
    return self.protect(location.at, [&] {
        self.push_function(location, form::location);
        push_value(self.c, v);
        duk_call(self.c, 1);
    });
}

outcome<value> script_engine::parse(std::string_view content) {
    auto& self = *context_;
    outcome<value> answer;
    const auto text = stripped(content);
    if (text.empty()) return answer;
    if (!self.protect({}, [&] { push_value(self.c, {std::string(text)}); })) {
        answer.result.json = text;
        return answer;
    }
    bool xml = false;
    if (begins_with(text, "<")) {
        answer.wrong = self.protect({}, [&] {
            xml = push_xml(self.c, text);
            if (xml) answer.result = pop_value(self.c);
        });
        if (xml || answer.wrong) return answer;
    }
    answer.result.json = quoted_json(normalised(text));
    return answer;
}

script_engine::elements::elements(script_engine& engine, const expression& array) : engine_(engine), place_(duk_get_top(engine.context_->c)) {
    auto& self = *engine_.context_;
    wrong_ = self.protect(
        array.at,
        [&] {
            auto* c = self.c;
            self.evaluate(array);
            if (!duk_is_array(c, -1)) duk_error(c, DUK_ERR_TYPE_ERROR, "it is no array");
            const auto size = duk_get_length(c, -1);
            duk_push_array(c);
            for (duk_size_t i = 0; i < size; ++i) {
                duk_get_prop_index(c, -2, static_cast<duk_uarridx_t>(i));
                duk_put_prop_index(c, -2, static_cast<duk_uarridx_t>(i));
            }
            size_ = size;
        },
        true);
}

script_engine::elements::~elements() {
    if (!wrong_) duk_set_top(engine_.context_->c, place_);
}

failure script_engine::elements::give(std::size_t i, std::string_view variable) {
    auto& self = *engine_.context_;
    return self.protect({}, [&] {
        duk_get_prop_index(self.c, place_, static_cast<duk_uarridx_t>(i));
        self.set_global(variable);
    });
}

outcome<std::string> script_engine::save() {
    auto& self = *context_;
    outcome<std::string> answer;
    answer.wrong = self.protect({}, [&] { answer.result = save_variables(self.c, self.limits.memory); });
    return answer;
}

failure script_engine::restore(std::string_view json) {
    auto& self = *context_;
    return self.protect({}, [&] { restore_variables(self.c, json); });
}

std::size_t script_engine::memory_used() const { return context_->heap.used; }
std::int64_t script_engine::steps_used() const { return context_->spent; }

} // namespace hsm::detail::scxml
