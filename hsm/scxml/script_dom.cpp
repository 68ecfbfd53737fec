#include <hsm/scxml/detail/script_context.hpp>

#include <hsm/scxml/detail/script_text.hpp>

#include <duktape.h>
#include <pugixml.hpp>

#include <cstring>

namespace hsm::detail::scxml {

namespace {

constexpr auto source = DUK_HIDDEN_SYMBOL("xml");

/// The functions of documents and elements, created on first use.
constexpr std::string_view prototype = R"((function () {
    function Node() {}
    var p = Node.prototype;
    function walk(node, wanted, found) {
        for (var i = 0; i < node.childNodes.length; ++i) {
            var child = node.childNodes[i];
            if (child.nodeType !== 1) continue;
            if (wanted === '*' || child.tagName === wanted) found.push(child);
            walk(child, wanted, found);
        }
        return found;
    }
    function text(node) {
        if (node.nodeType === 3) return node.nodeValue;
        var all = '';
        for (var i = 0; i < node.childNodes.length; ++i) all += text(node.childNodes[i]);
        return all;
    }
    function sibling(node, step) {
        var all = node.parentNode ? node.parentNode.childNodes : [];
        return all[all.indexOf(node) + step] || null;
    }
    function define(name, get) { Object.defineProperty(p, name, {get: get}); }
    p.getElementsByTagName = function (name) { return walk(this, String(name), []); };
    p.getElementById = function (id) {
        var all = walk(this, '*', []);
        for (var i = 0; i < all.length; ++i) if (all[i].getAttribute('id') === String(id)) return all[i];
        return null;
    };
    p.hasAttribute = function (name) { return Object.prototype.hasOwnProperty.call(this.attributes, name); };
    p.getAttribute = function (name) { return this.hasAttribute(name) ? this.attributes[name] : null; };
    p.hasChildNodes = function () { return this.childNodes.length > 0; };
    define('textContent', function () { return text(this); });
    define('firstChild', function () { return this.childNodes[0] || null; });
    define('lastChild', function () { return this.childNodes[this.childNodes.length - 1] || null; });
    define('nextSibling', function () { return sibling(this, 1); });
    define('previousSibling', function () { return sibling(this, -1); });
    return p;
})())";

/// Implements toJSON of a node.
duk_ret_t as_json(duk_context* c) {
    duk_push_this(c);
    duk_push_object(c);
    duk_get_prop_string(c, -2, source);
    duk_put_prop_literal(c, -2, "#xml");
    return 1;
}

/// Pushes the prototype of all nodes.
void push_prototype(duk_context* c) {
    duk_push_heap_stash(c);
    if (!duk_get_prop_literal(c, -1, "node")) {
        duk_pop(c);
        duk_eval_lstring(c, prototype.data(), prototype.size());
        duk_push_c_function(c, as_json, 0);
        duk_put_prop_literal(c, -2, "toJSON");
        duk_dup_top(c);
        duk_put_prop_literal(c, -3, "node");
    }
    duk_remove(c, -2);
}

struct text_writer : pugi::xml_writer {
    std::string text;
    void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
};

void put_text(duk_context* c, const char* name, std::string_view text) {
    push_text(c, text);
    duk_put_prop_string(c, -2, name);
}

void put_attributes(duk_context* c, const pugi::xml_node& node) {
    duk_push_object(c);
    for (const auto& a : node.attributes()) put_text(c, a.name(), a.value());
    duk_freeze(c, -1);
    duk_put_prop_literal(c, -2, "attributes");
}

constexpr int deepest_xml = 200;

/// Pushes the object of a node. Requires that the top value is its parent's object or null. `prototype_at` is the index of the prototype.
void push_node(duk_context* c, const pugi::xml_node& node, duk_idx_t prototype_at, int depth) {
    if (depth > deepest_xml) duk_error(c, DUK_ERR_RANGE_ERROR, "XML is nested deeper than %d elements", deepest_xml);
    duk_require_stack(c, 16);
    const bool is_text = node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata, is_document = node.type() == pugi::node_document;
    duk_push_object(c);
    duk_dup(c, prototype_at);
    duk_set_prototype(c, -2);
    duk_dup(c, -2);
    duk_put_prop_literal(c, -2, "parentNode");
    duk_push_int(c, is_text ? 3 : is_document ? 9 : 1);
    duk_put_prop_literal(c, -2, "nodeType");
    put_text(c, "nodeName", is_text ? "#text" : is_document ? "#document" : node.name());
    text_writer written;
    node.print(written, "", pugi::format_raw | pugi::format_no_declaration);
    put_text(c, source, written.text);
    if (is_text) put_text(c, "nodeValue", node.value());
    if (!is_text && !is_document) put_text(c, "tagName", node.name());
    put_attributes(c, node);
    duk_push_array(c);
    duk_uarridx_t i = 0;
    for (const auto& child : node.children()) {
        if (child.type() != pugi::node_element && child.type() != pugi::node_pcdata && child.type() != pugi::node_cdata) continue;
        duk_dup(c, -2);
        push_node(c, child, prototype_at, depth + 1);
        duk_remove(c, -2);
        if (is_document) {
            duk_dup_top(c);
            duk_put_prop_literal(c, -4, "documentElement");
        }
        duk_put_prop_index(c, -2, i++);
    }
    duk_freeze(c, -1);
    duk_put_prop_literal(c, -2, "childNodes");
    duk_freeze(c, -1);
}

} // namespace

bool push_xml(duk_context* c, std::string_view xml) {
    pugi::xml_document document;
    const auto result = document.load_buffer(xml.data(), xml.size(), pugi::parse_default | pugi::parse_ws_pcdata_single, pugi::encoding_utf8);
    if (!result || !document.document_element() || document.document_element().next_sibling()) return false;
    push_prototype(c);
    duk_push_null(c);
    push_node(c, document, duk_normalize_index(c, -2), 0);
    duk_replace(c, -3);
    duk_pop(c);
    return true;
}

void revive_xml(duk_context* c) {
    if (!duk_is_object(c, -1)) return;
    duk_require_stack(c, 8);
    const auto at = duk_normalize_index(c, -1);
    duk_enum(c, at, DUK_ENUM_OWN_PROPERTIES_ONLY);
    bool is_xml = false;
    if (duk_next(c, -1, 1)) {
        is_xml = std::strcmp(duk_require_string(c, -2), "#xml") == 0 && duk_is_string(c, -1);
        const auto xml = is_xml ? text_at(c, -1) : std::string();
        duk_set_top(c, at + 1);
        if (is_xml && push_xml(c, xml)) duk_replace(c, at);
    }
    duk_set_top(c, at + 1);
    if (is_xml) return;
    duk_enum(c, at, DUK_ENUM_OWN_PROPERTIES_ONLY);
    while (duk_next(c, -1, 1)) {
        revive_xml(c);
        duk_put_prop(c, at);
    }
    duk_pop(c);
}

} // namespace hsm::detail::scxml
