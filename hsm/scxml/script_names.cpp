// The names that scripts can use: the host's functions, values and events, which are read-only, and variables.

#include <hsm/scxml/detail/script_context.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/detail/script_text.hpp>

#include <duktape.h>

#include <utility>

namespace hsm::detail::scxml {

namespace {

constexpr auto name_of_function = DUK_HIDDEN_SYMBOL("name");
constexpr auto held = DUK_HIDDEN_SYMBOL("value");

constexpr duk_uint_t hidden = DUK_DEFPROP_CLEAR_CONFIGURABLE | DUK_DEFPROP_CLEAR_ENUMERABLE;

/// Freezes the top value recursively. The depth is limited by the JSON parser.
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

duk_ret_t read_constant(duk_context* c) {
    duk_push_current_function(c);
    duk_get_prop_string(c, -1, held);
    return 1;
}

/// Assigning to a read-only property is an error even outside strict mode (SCXML, 5.10).
duk_ret_t refuse_to_write(duk_context* c) { return duk_error(c, DUK_ERR_TYPE_ERROR, "it is read-only"); }

} // namespace

void script_engine::context::set_global(std::string_view name) {
    duk_push_global_object(c);
    duk_insert(c, -2);
    duk_put_prop_lstring(c, -2, name.data(), name.size());
    duk_pop(c);
}

void script_engine::context::define(std::string_view name, unsigned flags) {
    duk_push_global_object(c);
    duk_push_lstring(c, name.data(), name.size());
    duk_dup(c, -3);
    duk_def_prop(c, -3, DUK_DEFPROP_HAVE_VALUE | DUK_DEFPROP_FORCE | flags);
    duk_pop_2(c);
}

void script_engine::context::define_getter(std::string_view name, int (*read)(duk_hthread*)) {
    duk_push_global_object(c);
    duk_push_lstring(c, name.data(), name.size());
    duk_push_c_function(c, read, 0);
    duk_dup_top(c);
    duk_put_prop_lstring(c, place_of_constants, name.data(), name.size());
    duk_push_c_function(c, refuse_to_write, 1);
    duk_def_prop(c, -4, DUK_DEFPROP_HAVE_GETTER | DUK_DEFPROP_HAVE_SETTER | DUK_DEFPROP_FORCE | hidden);
    duk_pop(c);
    read_only.emplace(name);
}

int script_engine::context::call_function() {
    std::vector<value> arguments(static_cast<std::size_t>(duk_get_top(c)));
    for (auto& a : arguments) {
        duk_dup(c, static_cast<duk_idx_t>(&a - arguments.data()));
        a = pop_value(c);
    }
    duk_push_current_function(c);
    duk_get_prop_string(c, -1, name_of_function);
    const auto answer = host->call(text_at(c, -1), arguments);
    if (answer.wrong) {
        push_text(c, answer.wrong.what);
        duk_error(c, DUK_ERR_ERROR, "%s", duk_get_string(c, -1));
    }
    push_value(c, answer.result);
    return 1;
}

void script_engine::add_function(std::string_view name) {
    const auto call = [](duk_context* c) -> duk_ret_t {
        auto& self = context::of(c);
        return self.called_by_script([&] { return self.call_function(); });
    };
    auto& self = *context_;
    (void)self.protect({}, [&] {
        duk_push_c_function(self.c, call, DUK_VARARGS);
        push_text(self.c, name);
        duk_put_prop_string(self.c, -2, name_of_function);
        self.define(name, DUK_DEFPROP_CLEAR_WRITABLE | hidden);
        self.read_only.emplace(name);
    });
}

failure script_engine::set_constant(std::string_view name, const value& v) {
    auto& self = *context_;
    return self.protect({}, [&] {
        push_value(self.c, v);
        freeze_all(self.c);
        if (!self.read_only.contains(name)) self.define_getter(name, read_constant);
        duk_get_prop_lstring(self.c, place_of_constants, name.data(), name.size());
        duk_insert(self.c, -2);
        duk_put_prop_string(self.c, -2, held);
    });
}

void script_engine::context::push_field(const script_field& f) {
    if (f.is == script_field::form::none) return duk_push_undefined(c);
    if (f.is == script_field::form::text) return push_text(c, f.content);
    const auto decode = [](duk_context* d, void* field) -> duk_ret_t {
        return of(d).catching_bad_alloc([&] { return push_value(d, {static_cast<const script_field*>(field)->content}), 1; });
    };
    if (duk_safe_call(c, decode, const_cast<script_field*>(&f), 0, 1) == DUK_EXEC_SUCCESS) return;
    if (duk_get_error_code(c, -1) != DUK_ERR_SYNTAX_ERROR) duk_throw(c);
    duk_pop(c);
    push_text(c, f.content); // text that is not JSON
}

/// Creates the event object when a script first reads it, which is rare.
void script_engine::context::push_event() {
    duk_push_current_function(c);
    if (event_is_new) {
        const auto fields = host->event();
        duk_push_undefined(c);
        if (!fields.empty()) duk_push_object(c);
        for (const auto& f : fields) {
            push_field(f);
            duk_put_prop_lstring(c, -2, f.name.data(), f.name.size());
        }
        if (!fields.empty()) duk_freeze(c, -1);
        duk_put_prop_string(c, 0, held);
        event_is_new = is_short;
    }
    duk_get_prop_string(c, 0, held);
}

int script_engine::context::read_event(duk_context* c) {
    auto& self = of(c);
    return self.called_by_script([&] { return self.push_event(), 1; });
}

failure script_engine::declare_event(std::string_view name) {
    auto& self = *context_;
    return self.protect({}, [&] { self.define_getter(name, context::read_event); });
}

void script_engine::event_changes() { context_->event_is_new = true; }

failure script_engine::declare(std::string_view variable) {
    auto& self = *context_;
    if (!is_variable_name(variable)) return {fmt::format("\"{}\" is not a variable name", variable)};
    if (self.read_only.contains(variable)) return {fmt::format("\"{}\" is read-only", variable)};
    return self.protect({}, [&] {
        duk_push_undefined(self.c);
        self.define(variable, DUK_DEFPROP_SET_WRITABLE | DUK_DEFPROP_SET_ENUMERABLE | DUK_DEFPROP_CLEAR_CONFIGURABLE);
    });
}

bool script_engine::is_read_only(std::string_view name) const { return context_->read_only.contains(name); }

bool script_engine::has_variable(std::string_view name) const {
    auto& self = *context_;
    bool found = false;
    const auto wrong = self.protect({}, [&] {
        duk_push_global_object(self.c);
        found = duk_has_prop_lstring(self.c, -1, name.data(), name.size());
    });
    return found && !wrong;
}

} // namespace hsm::detail::scxml
