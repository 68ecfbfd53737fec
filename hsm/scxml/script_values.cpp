#include <hsm/scxml/detail/script_call.hpp>

#include <hsm/scxml/detail/script_text.hpp>

#include <duktape.h>

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

} // namespace hsm::detail::scxml
