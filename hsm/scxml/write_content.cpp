// Writes executable content.

#include <hsm/scxml/detail/run_content.hpp>
#include <hsm/scxml/detail/writer.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/ascii.hpp>
#include <hsm/text/detail/escape.hpp>

#include <algorithm>

namespace hsm::detail::scxml {

namespace {

/// Quotes a constant. Also used for log texts of documents without a language, which are logged as written.
std::string quoted_text(const std::string& text) {
    for (const char quote : {'\'', '"'})
        if (text.find(quote) == text.npos) return fmt::format("{0}{1}{0}", quote, text);
    return text;
}

} // namespace

const block* writer::block_of(const hook& h, const void* of, hook_kind kind, const std::vector<hook>& among) const {
    const auto* const content = content_of(h);
    return content || !document_ ? content : document_->direct_block(of, kind, static_cast<std::size_t>(&h - among.data()));
}

/// Writes blocks in place, and registered behavior as an element.
void writer::write_actions(const transition_spec& t, const state_base& s, std::string_view what) {
    for (const auto& h : t.actions) {
        if (is_of_document(h)) continue;
        if (const auto* const content = block_of(h, &t, hook_kind::enter, t.actions)) {
            write_block(*content);
        } else {
            write_call(h, s, what);
        }
    }
}

/// Writes the element of registered behavior, which has the same name. All characters outside of ASCII count as letters.
void writer::write_call(const hook& h, const state_base& s, std::string_view what) {
    const auto letter = [](char c) { return is_ascii_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; };
    const auto rest = [&](char c) { return letter(c) || is_ascii_digit(c) || c == '-' || c == '.'; };
    const auto name = h.name();
    if (name.empty() || !letter(name.front()) || !std::ranges::all_of(name, rest))
        return lost(s, h.where(), fmt::format("{} has no name in a registry", what), "register it and name it in a file");
    calls_ = true;
    begin(fmt::format("hsm:{}", name));
    end();
}

void writer::write_block(const block& content) {
    for (const auto& a : content) write_action(a);
}

void writer::write_text(std::string_view literal, std::string_view computed, const text_value& t) {
    some(literal, t.text);
    if (t.computed) attribute(computed, t.computed.text);
}

/// Writes XML if reading it again gives the same content, otherwise text.
void writer::write_content(const std::string& content) {
    if (content.starts_with('<')) {
        problem_list problems("", {});
        const xml_document again("<content>" + content + "</content>", scxml_format, {}, problems);
        if (problems.empty() && !again.empty() && again.inside(again.root()) == content) return raw(content);
    }
    raw(xml_text(content, xml_place::content));
}

void writer::write_payload(const payload& p) {
    for (const auto& one : p.parameters) {
        begin("param", one.extra);
        attribute("name", one.name);
        attribute(one.is_location ? "location" : "expr", one.fixed ? one.fixed.json : one.e.text);
        end(one.extra);
    }
    if (!p.has_content) return;
    begin("content", p.extra);
    if (p.computed) attribute("expr", p.computed.text);
    if (!p.computed && !p.content.empty()) write_content(p.content);
    end(p.extra);
}

void writer::write_invocations(const state_base& s) {
    const auto found = invocations_.find(&s);
    if (found == invocations_.end()) return;
    for (const auto* const invocation : found->second) {
        const auto& one = *invocation;
        begin("invoke", one.extra);
        write_text("type", "typeexpr", one.type);
        write_text("src", "srcexpr", one.source);
        some("id", one.id);
        if (one.id_location) attribute("idlocation", one.id_location.text);
        if (one.autoforward) attribute("autoforward", "true");
        write_payload(one.data);
        if (one.finalizes) {
            begin("finalize", one.finalize_markup);
            write_block(one.finalize);
            end(one.finalize_markup);
        }
        end(one.extra);
    }
}

void writer::write_action(const action& a) {
    const auto& markup = a.extra;
    if (const auto* const raise = std::get_if<raise_action>(&a.what)) {
        begin("raise", markup);
        attribute("event", raise->event);
    } else if (const auto* const log = std::get_if<log_action>(&a.what)) {
        begin("log", markup);
        some("label", log->label);
        if (log->text.computed)
            attribute("expr", log->text.computed.text);
        else if (!log->text.text.empty())
            attribute("expr", quoted_text(log->text.text));
    } else if (const auto* const assign = std::get_if<assign_action>(&a.what)) {
        begin("assign", markup);
        attribute("location", assign->location.text);
        if (assign->e) attribute("expr", assign->e.text);
        if (!assign->e && !assign->content.empty()) write_content(assign->content);
    } else if (const auto* const script = std::get_if<script_action>(&a.what)) {
        begin("script", markup);
        raw(xml_text(script->script.text, xml_place::content));
    } else if (const auto* const send = std::get_if<send_action>(&a.what)) {
        begin("send", markup);
        write_text("event", "eventexpr", send->event);
        write_text("target", "targetexpr", send->target);
        write_text("type", "typeexpr", send->type);
        write_text("delay", "delayexpr", send->delay);
        some("id", send->id);
        if (send->id_location) attribute("idlocation", send->id_location.text);
        write_payload(send->data);
    } else if (const auto* const cancel = std::get_if<cancel_action>(&a.what)) {
        begin("cancel", markup);
        write_text("sendid", "sendidexpr", cancel->sendid);
    } else if (const auto* const choose = std::get_if<choose_action>(&a.what)) {
        begin("if", markup);
        for (const auto& branch : choose->branches) {
            const bool first = &branch == &choose->branches.front();
            if (!first) begin(branch.when ? "elseif" : "else", branch.extra);
            if (branch.when) attribute("cond", to_string(*branch.when));
            if (!first) end(branch.extra);
            write_block(branch.then);
        }
    } else if (const auto* const each = std::get_if<foreach_action>(&a.what)) {
        begin("foreach", markup);
        attribute("array", each->loop.array.text);
        attribute("item", each->loop.item);
        some("index", each->loop.index);
        write_block(each->body);
    } else {
        if (!markup.before.empty()) line(markup.before);
        return line(std::get<foreign_action>(a.what).markup);
    }
    end(markup);
}

} // namespace hsm::detail::scxml
