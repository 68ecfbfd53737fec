// Copies the parts of an XML file that do not belong to the machine: comments, processing instructions, attributes that loading ignores.

#include <hsm/load/xml.hpp>

#include <hsm/load/detail/xml_document.hpp>
#include <hsm/text/detail/escape.hpp>

#include <pugixml.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace hsm::detail {

namespace {

bool is_markup(const pugi::xml_node& node) { return node.type() == pugi::node_comment || node.type() == pugi::node_pi; }

std::string text_of(const pugi::xml_node& node) {
    if (node.type() == pugi::node_comment) return std::string("<!--") + node.value() + "-->";
    return std::string("<?") + node.name() + (*node.value() ? " " : "") + node.value() + "?>";
}

/// Returns whether the node is on the line on which the previous element ends.
bool is_on_line_before(pugi::xml_node node) {
    auto before = node.previous_sibling();
    while (before.type() == pugi::node_pcdata) {
        if (std::string_view(before.value()).find('\n') != std::string_view::npos) return false;
        before = before.previous_sibling();
    }
    return before.type() == pugi::node_element || (is_markup(before) && is_on_line_before(before));
}

/// Maps elements of the original to the corresponding written ones.
class correspondence {
public:
    /// Maps the children of two corresponding elements: first those with equal names and IDs, then those with equal names, each in their order.
    void match(pugi::xml_node original, pugi::xml_node saved) {
        std::vector<pugi::xml_node> left;
        for (const auto& child : saved.children())
            if (child.type() == pugi::node_element) left.push_back(child);
        for (const bool by_id : {true, false})
            for (const auto& child : original.children()) {
                if (child.type() != pugi::node_element || of(child)) continue;
                const auto found = std::find_if(left.begin(), left.end(), [&](const pugi::xml_node& s) { return is_like(child, s, by_id); });
                if (found == left.end()) continue;
                pairs_.emplace(child, *found);
                left.erase(found);
            }
    }
    void add(pugi::xml_node original, pugi::xml_node saved) { pairs_.emplace(original, saved); }
    pugi::xml_node of(pugi::xml_node original) const {
        const auto found = pairs_.find(original);
        return found == pairs_.end() ? pugi::xml_node() : found->second;
    }

private:
    static bool is_like(pugi::xml_node a, pugi::xml_node b, bool by_id) {
        return std::string_view(a.name()) == b.name() && (!by_id || std::string_view(a.attribute("ID").value()) == b.attribute("ID").value());
    }

    std::map<pugi::xml_node, pugi::xml_node> pairs_;
};

class transfer {
public:
    transfer(const pugi::xml_document& original, const pugi::xml_document& saved, std::string text)
        : original_(original), saved_(saved), text_(std::move(text)) {}

    std::string run() {
        const auto root = original_.document_element();
        const auto target = saved_.document_element();
        if (!root || !target) return std::move(text_);
        pairs_.add(root, target);
        for (const auto& node : original_.children()) // before and after the root
            if (is_markup(node)) insert(is_before(node, root) ? line_of(target) : text_.size(), text_of(node) + '\n');
        carry(root, target);
        return with_insertions();
    }

private:
    static bool is_before(pugi::xml_node node, pugi::xml_node root) {
        for (auto n = node; n; n = n.next_sibling())
            if (n == root) return true;
        return false;
    }

    /// Copies the markup inside an element into the corresponding one.
    void carry(pugi::xml_node from, pugi::xml_node to) {
        carry_attributes(from, to);
        pairs_.match(from, to);
        std::vector<std::string> waiting; // for the next element
        pugi::xml_node before;            ///< the previous element; a comment can be on its line
        for (const auto& node : from.children()) {
            if (is_markup(node) && before && waiting.empty() && is_on_line_before(node)) {
                insert(end_of_line(before), ' ' + text_of(node));
            } else if (is_markup(node)) {
                waiting.push_back(text_of(node));
            } else if (node.type() == pugi::node_element) {
                before = pairs_.of(node);
                if (!before) {
                    collect(node, waiting);
                    continue;
                }
                put_before(before, waiting);
                carry(node, before);
            }
        }
        put_at_end(to, waiting);
    }
    void carry_attributes(pugi::xml_node from, pugi::xml_node to) {
        for (const auto& a : from.attributes())
            if (is_of_xml(a.name()) && !to.attribute(a.name()))
                insert(start_tag_of(to).inside_end, std::string(" ") + a.name() + "=\"" + xml_text(a.value(), xml_place::attribute) + '"');
    }
    /// Collects the markup of an element that does not exist any more.
    static void collect(pugi::xml_node element, std::vector<std::string>& to) {
        for (const auto& node : element.children()) {
            if (is_markup(node)) to.push_back(text_of(node));
            if (node.type() == pugi::node_element) collect(node, to);
        }
    }

    // Positions in the written text, which has one element per line and is indented by depth.
    struct tag {
        std::size_t inside_end; ///< of its name and attributes
        std::size_t end;        ///< after its '>'
        bool is_empty;          ///< <a/>
    };
    std::size_t line_of(pugi::xml_node element) const {
        const auto at = static_cast<std::size_t>(element.offset_debug());
        return text_.rfind('\n', at) + 1;
    }
    std::string indentation_of(pugi::xml_node element) const {
        const auto begin = line_of(element);
        return text_.substr(begin, text_.find('<', begin) - begin);
    }
    tag start_tag_of(pugi::xml_node element) const {
        bool quoted = false;
        for (auto i = static_cast<std::size_t>(element.offset_debug()); i < text_.size(); ++i) {
            if (text_[i] == '"') quoted = !quoted;
            if (text_[i] != '>' || quoted) continue;
            const bool is_empty = text_[i - 1] == '/';
            return {is_empty ? i - 1 : i, i + 1, is_empty};
        }
        return {text_.size(), text_.size(), true};
    }
    /// Returns the end of the line on which the element ends.
    std::size_t end_of_line(pugi::xml_node element) const {
        const auto start = start_tag_of(element);
        if (start.is_empty) return start.end;
        return text_.find('\n', end_tag_of(element));
    }
    std::size_t end_tag_of(pugi::xml_node element) const {
        const auto wanted = '\n' + indentation_of(element) + "</" + element.name() + '>';
        return text_.find(wanted, start_tag_of(element).end - 1) + 1;
    }

    void put_before(pugi::xml_node element, std::vector<std::string>& what) {
        for (const auto& text : what) insert(line_of(element), indentation_of(element) + text + '\n');
        what.clear();
    }
    void put_at_end(pugi::xml_node element, std::vector<std::string>& what) {
        if (what.empty()) return;
        const auto indentation = indentation_of(element);
        std::string lines;
        for (const auto& text : what) lines += indentation + "  " + text + '\n';
        what.clear();
        const auto start = start_tag_of(element);
        if (!start.is_empty) return insert(end_tag_of(element), lines);
        opened_.push_back(start.inside_end); // <a/> becomes <a>...</a>
        insert(start.end, '\n' + lines + indentation + "</" + element.name() + '>');
    }

    void insert(std::size_t at, std::string what) { insertions_.emplace_back(at, std::move(what)); }
    std::string with_insertions() {
        std::stable_sort(insertions_.begin(), insertions_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::sort(opened_.begin(), opened_.end());
        std::string out;
        std::size_t at = 0;
        auto left_out = opened_.begin();
        const auto copy_to = [&](std::size_t end) {
            for (; left_out != opened_.end() && *left_out < end; at = *left_out++ + 1) out.append(text_, at, *left_out - at);
            out.append(text_, at, end - at);
            at = end;
        };
        for (const auto& [where, what] : insertions_) {
            copy_to(where);
            out += what;
        }
        copy_to(text_.size());
        return out;
    }

    const pugi::xml_document& original_;
    const pugi::xml_document& saved_;
    std::string text_; ///< not changed, so positions stay valid
    correspondence pairs_;
    std::vector<std::pair<std::size_t, std::string>> insertions_;
    std::vector<std::size_t> opened_; ///< positions of '/' characters to remove
};

constexpr unsigned flags = pugi::parse_default | pugi::parse_comments | pugi::parse_pi | pugi::parse_ws_pcdata;

/// Inserts these parts of the original into the output of xml_writer, at the corresponding places. A comment stays before the element that followed
/// it, or after the element on whose line it was. Markup of an element that does not exist any more goes to the next place. An original that is not
/// XML is ignored.
std::string with_markup_of(std::string_view original, std::string saved) {
    pugi::xml_document before, after;
    if (!before.load_buffer(original.data(), original.size(), flags)) return saved;
    if (!after.load_buffer(saved.data(), saved.size(), flags, pugi::encoding_utf8)) return saved;
    return transfer(before, after, std::move(saved)).run();
}

} // namespace

} // namespace hsm::detail

namespace hsm {

std::string save_xml(const state_base& root, std::string_view original) { return detail::with_markup_of(original, save_xml(root)); }

} // namespace hsm
