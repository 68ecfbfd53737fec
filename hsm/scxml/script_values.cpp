// Values of scripts as JSON.

#include <hsm/scxml/detail/script_context.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/detail/script_text.hpp>

#include <duktape.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace hsm::detail::scxml {

value pop_value(duk_context* c) {
    if (!duk_is_callable(c, -1)) duk_json_encode(c, -1);
    value result;
    if (duk_is_string(c, -1)) result.json = text_at(c, -1);
    duk_pop(c);
    return result;
}

void push_value(duk_context* c, const value& v) {
    if (!v) {
        duk_push_undefined(c);
        return;
    }
    push_text(c, v.json);
    duk_json_decode(c, -1);
    if (v.json.find("\"#xml\"") != v.json.npos) revive_xml(c);
}

void push_text(duk_context* c, std::string_view utf8) {
    const auto text = to_script(utf8);
    duk_push_lstring(c, text.data(), text.size());
}

std::string text_at(duk_context* c, duk_idx_t at) {
    duk_size_t size = 0;
    const auto* text = duk_get_lstring(c, at, &size);
    return text ? from_script({text, size}) : std::string();
}

// --- saved variables ---

namespace {

/// Writes values as JSON. Values that JSON cannot express become an object with one field whose name begins with #.
class saver {
public:
    saver(duk_context* c, std::size_t limit) : c_(c), limit_(limit) {}

    /// Returns the variables of the global object.
    saved_data all(const std::vector<std::string>& without) {
        duk_push_global_object(c_);
        fields([&] { return std::ranges::find(without, text_at(c_, -2)) == without.end(); });
        return {std::move(json_), std::move(functions_)};
    }

private:
    static constexpr std::size_t deepest = 200;

    void refuse(const char* why) {
        (void)duk_error(c_, DUK_ERR_TYPE_ERROR, "%s cannot be saved: %s", path_.empty() ? "a variable" : path_.c_str() + 1, why);
    }

    /// Writes the fields of the top object that satisfy `wanted`, which reads name and value at the top of the stack.
    template <class Wanted> void fields(const Wanted& wanted) {
        duk_require_stack(c_, 16);
        json_ += '{';
        bool first = true;
        duk_enum(c_, -1, DUK_ENUM_OWN_PROPERTIES_ONLY);
        while (duk_next(c_, -1, 1)) {
            const auto name = text_at(c_, -2);
            if (!wanted()) {
            } else if (duk_is_callable(c_, -1)) {
                functions_.push_back((path_ + "." + name).substr(1));
            } else {
                if (!std::exchange(first, false)) json_ += ',';
                json_ += json_string(name) + ':';
                inside("." + name);
            }
            duk_pop_2(c_);
        }
        duk_pop(c_);
        json_ += '}';
    }

    void inside(const std::string& name) {
        const auto before = path_.size();
        path_ += name;
        any();
        path_.resize(before);
    }

    void any() {
        if (json_.size() > limit_) refuse("its text is too long");
        switch (duk_get_type(c_, -1)) {
        case DUK_TYPE_UNDEFINED: json_ += R"({"#undefined":0})"; break;
        case DUK_TYPE_NULL: json_ += "null"; break;
        case DUK_TYPE_BOOLEAN: json_ += duk_get_boolean(c_, -1) ? "true" : "false"; break;
        case DUK_TYPE_NUMBER: number(duk_get_number(c_, -1)); break;
        case DUK_TYPE_STRING: duk_is_symbol(c_, -1) ? refuse("it is a symbol") : void(json_ += json_string(text_at(c_, -1))); break;
        case DUK_TYPE_OBJECT: object(); break;
        default: refuse("it is a native object"); break;
        }
    }

    void number(double n) {
        if (!std::isfinite(n) || (n == 0 && std::signbit(n)))
            json_ += fmt::format(R"({{"#number":"{}"}})", n == 0 ? "-0" : std::isnan(n) ? "NaN" : n > 0 ? "Infinity" : "-Infinity");
        else
            json_ += fmt::format("{}", n);
    }

    void object() {
        if (duk_is_callable(c_, -1)) { // an element of an array
            functions_.push_back(path_.substr(1));
            json_ += R"({"#undefined":0})";
            return;
        }
        for (const auto* around : around_)
            if (around == duk_get_heapptr(c_, -1)) refuse("it contains itself");
        if (around_.size() > deepest) refuse("it is nested too deeply");
        around_.push_back(duk_get_heapptr(c_, -1));
        if (duk_is_array(c_, -1))
            array();
        else if (!xml() && !date())
            plain();
        around_.pop_back();
    }

    void array() {
        json_ += '[';
        const auto size = duk_get_length(c_, -1);
        for (duk_size_t i = 0; i < size; ++i) {
            if (i) json_ += ',';
            duk_get_prop_index(c_, -1, static_cast<duk_uarridx_t>(i));
            inside(fmt::format("[{}]", i));
            duk_pop(c_);
        }
        json_ += ']';
    }

    bool xml() {
        const bool found = duk_get_prop_string(c_, -1, DUK_HIDDEN_SYMBOL("xml"));
        if (found) json_ += R"({"#xml":)" + json_string(text_at(c_, -1)) + '}';
        duk_pop(c_);
        return found;
    }

    bool date() {
        duk_get_global_literal(c_, "Date");
        const bool found = duk_is_callable(c_, -1) && duk_instanceof(c_, -2, -1);
        duk_pop(c_);
        if (!found) return false;
        duk_dup_top(c_);
        json_ += fmt::format(R"({{"#date":)");
        number(duk_to_number(c_, -1));
        duk_pop(c_);
        json_ += '}';
        return true;
    }

    /// Objects of scripts that look like such an object are written inside one.
    void plain() {
        bool marked = false;
        duk_enum(c_, -1, DUK_ENUM_OWN_PROPERTIES_ONLY);
        if (duk_next(c_, -1, 0)) {
            marked = duk_get_string(c_, -1)[0] == '#';
            duk_pop(c_);
        }
        duk_pop(c_);
        if (marked) json_ += R"({"#object":)";
        fields([] { return true; });
        if (marked) json_ += '}';
    }

    duk_context* c_;
    std::size_t limit_;
    std::string json_, path_;
    std::vector<std::string> functions_;
    std::vector<const void*> around_;
};

/// Replaces the top value, recursively, by the value that was saved.
void revive(duk_context* c);

void revive_fields(duk_context* c, duk_idx_t at) {
    duk_enum(c, at, DUK_ENUM_OWN_PROPERTIES_ONLY);
    while (duk_next(c, -1, 1)) {
        revive(c);
        duk_put_prop(c, at);
    }
    duk_pop(c);
}

/// Requires the name and value of the only field on top. Pushes the value that the object represents, if any.
bool push_marked(duk_context* c) {
    const std::string_view mark = duk_get_string(c, -2);
    if (mark == "#undefined") {
        duk_push_undefined(c);
    } else if (mark == "#number" || mark == "#date") {
        duk_dup_top(c);
        revive(c);
        const auto number = duk_to_number(c, -1);
        duk_pop(c);
        duk_push_number(c, number);
        if (mark == "#date") {
            duk_get_global_literal(c, "Date");
            duk_insert(c, -2);
            duk_new(c, 1);
        }
    } else if (mark == "#xml") {
        return push_xml(c, text_at(c, -1));
    } else if (mark == "#object" && duk_is_object(c, -1)) {
        duk_dup_top(c);
        revive_fields(c, duk_get_top_index(c));
    } else {
        return false;
    }
    return true;
}

void revive(duk_context* c) {
    if (!duk_is_object(c, -1)) return;
    duk_require_stack(c, 16);
    const auto at = duk_get_top_index(c);
    duk_enum(c, at, DUK_ENUM_OWN_PROPERTIES_ONLY);
    if (!duk_is_array(c, at) && duk_next(c, -1, 1) && duk_get_string(c, -2)[0] == '#' && push_marked(c)) {
        duk_replace(c, at);
        duk_set_top(c, at + 1);
        return;
    }
    duk_set_top(c, at + 1);
    revive_fields(c, at);
}

} // namespace

saved_data save_variables(duk_context* c, std::size_t limit, const std::vector<std::string>& without) { return saver(c, limit).all(without); }

void restore_variables(duk_context* c, std::string_view json) {
    duk_push_global_object(c);
    push_text(c, json);
    duk_json_decode(c, -1);
    if (!duk_is_object(c, -1) || duk_is_array(c, -1)) duk_error(c, DUK_ERR_TYPE_ERROR, "saved data must be an object");
    duk_enum(c, -1, DUK_ENUM_OWN_PROPERTIES_ONLY);
    while (duk_next(c, -1, 1)) {
        revive(c);
        duk_put_prop(c, -5);
    }
}

} // namespace hsm::detail::scxml
