#include <tests/support/scxml/document.hpp>

#include <pugixml.hpp>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

namespace scxml {

namespace {

std::vector<std::string> words(std::string_view text) {
    std::istringstream in{std::string(text)};
    std::vector<std::string> found;
    for (std::string word; in >> word;) found.push_back(word);
    return found;
}

/// Without the prefix of its namespace.
std::string_view name_of(pugi::xml_node element) {
    const std::string_view name = element.name();
    return name.substr(name.find(':') + 1);
}

class reader {
public:
    explicit reader(std::string name) : name_(std::move(name)) {}

    node run(const pugi::xml_document& xml, const pugi::xml_parse_result& parsed) {
        if (!parsed) fail(parsed.description());
        const auto root = xml.document_element();
        if (name_of(root) != "scxml") fail("it is no <scxml>");
        auto document = read_state(root, kind::state);
        document.id = "(scxml)";
        return document;
    }

private:
    [[noreturn]] void fail(const std::string& problem) const { throw document_error(name_ + ": " + problem); }
    [[noreturn]] void not_understood(pugi::xml_node element) const {
        fail("<" + std::string(element.name()) + "> in <" + element.parent().name() + "> is not understood here");
    }

    node read_state(pugi::xml_node element, kind k) {
        node n;
        n.kind = k;
        const auto id = element.attribute("id");
        n.id = id ? id.value() : "(" + std::to_string(++nameless_) + ")";
        if (const auto initial = element.attribute("initial")) {
            n.initial.emplace();
            n.initial->targets = words(initial.value());
        }
        for (const auto child : element.children())
            if (child.type() == pugi::node_element) read_child(n, child);
        return n;
    }

    void read_child(node& n, pugi::xml_node element) {
        const auto name = name_of(element);
        if (name == "state") return n.children.push_back(read_state(element, kind::state));
        if (name == "parallel") return n.children.push_back(read_state(element, kind::parallel));
        if (name == "final") return n.children.push_back(read_state(element, kind::final));
        if (name == "history") return n.children.push_back(read_state(element, history_kind(element)));
        if (name == "transition") return n.transitions.push_back(read_transition(element));
        if (name == "onentry") return read_content(element, n.entry);
        if (name == "onexit") return read_content(element, n.exit);
        if (name != "initial") not_understood(element);
        for (const auto child : element.children())
            if (name_of(child) == "transition") n.initial = read_transition(child);
    }

    kind history_kind(pugi::xml_node element) const {
        const std::string_view type = element.attribute("type").as_string("shallow");
        if (type != "shallow" && type != "deep") fail("there is no history of type \"" + std::string(type) + '"');
        return type == "deep" ? kind::deep_history : kind::history;
    }

    transition read_transition(pugi::xml_node element) const {
        transition t;
        t.events = words(element.attribute("event").value());
        t.targets = words(element.attribute("target").value());
        t.internal = element.attribute("type").value() == std::string_view("internal");
        if (const auto cond = element.attribute("cond")) t.cond = read_condition(cond.value());
        read_content(element, t.raised);
        return t;
    }

    void read_content(pugi::xml_node element, std::vector<std::string>& raised) const {
        for (const auto child : element.children()) {
            if (child.type() != pugi::node_element || name_of(child) == "log") continue;
            if (name_of(child) != "raise") not_understood(child);
            raised.push_back(child.attribute("event").value());
        }
    }

    condition read_condition(std::string_view text) const {
        if (text == "true") return {};
        if (text == "false") return {predicate::no, {}};
        if (text.size() > 2 && text.front() == '\'' && text.find('\'', 1) == text.size() - 1) return {}; // a string is true
        const bool negated = text.starts_with('!');
        auto call = text.substr(negated ? 1 : 0);
        if (!call.starts_with("In('") || !call.ends_with("')")) fail("the condition \"" + std::string(text) + "\" is not understood here");
        call.remove_prefix(4);
        call.remove_suffix(2);
        return {negated ? predicate::not_in : predicate::in, std::string(call)};
    }

    std::string name_;
    int nameless_ = 0;
};

} // namespace

node read(const std::filesystem::path& file) {
    pugi::xml_document xml;
    const auto parsed = xml.load_file(file.c_str());
    return reader(file.string()).run(xml, parsed);
}

node parse(const std::string& text) {
    pugi::xml_document xml;
    const auto parsed = xml.load_string(text.c_str());
    return reader("a document").run(xml, parsed);
}

bool is_compound(const node& n) {
    return n.kind == kind::state && std::ranges::any_of(n.children, [](const node& c) { return !is_history(c.kind); });
}

} // namespace scxml
