#include <hsm/load/detail/xml_writer.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/load/detail/time_text.hpp>
#include <hsm/load/xml.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

bool is_named_event(const event_key& e) { return e.type && e.type->is_name; }

/// Returns the former names of an event that the states of a definition declare.
std::vector<std::string> names_before(const state_base& s, std::string_view event) {
    std::vector<std::string> names;
    for (const auto& former : s.former_events())
        if (former.event.name == event) names.push_back(former.name);
    for (const auto& sub : s.substates())
        for (auto& name : names_before(*sub, event)) names.push_back(std::move(name));
    return names;
}

void add_former_locals(std::vector<former_local>& to, const state_base& s) {
    to.insert(to.end(), s.former_locals().begin(), s.former_locals().end());
    for (const auto& sub : s.substates()) add_former_locals(to, *sub);
}

} // namespace

xml_writer::xml_writer(const state_base& root, problem_list& problems) : xml_output(problems), root_(root), names_(root) {
    add_former_locals(former_locals_, root);
}

void xml_writer::element(std::string_view name, std::string_view id) {
    begin(name);
    attribute("ID", id);
    end();
}

void xml_writer::unnamed(const state_base& s, std::string_view what) {
    problems_.add(code::unnamed_behaviour, s.origin(), fmt::format("{} of {} has no name in a registry", what, in_quotes(s.path())),
                  "register it and name it in the file; parts that code adds cannot be saved");
}

std::string xml_writer::name_of(std::string_view name, const state_base& s, std::string_view what) {
    if (name.empty()) unnamed(s, what);
    return std::string(name);
}

std::string xml_writer::text_of(const delay& d, const state_base& s, std::string_view what) {
    return d.find() ? name_of(d.find().name(), s, what) : to_string(time_span::from_nanoseconds(d.nanoseconds()));
}

/// Returns the shortest path from one state to another. It must not lead to a nearer state with the same name.
std::string xml_writer::path_to(const state_base& target, const state_base& from) {
    std::string path(target.name());
    for (const auto* s = &target;; s = s->superstate(), path = fmt::format("{}/{}", s->name(), path)) {
        if (names_.find(from, path) == &target) return path;
        if (!s->superstate()) break;
    }
    problems_.add(
        code::unknown_state, from.origin(),
        fmt::format("in {}, each path to {} would name a nearer state with the same name", in_quotes(from.path()), in_quotes(target.path())),
        "give the states different names");
    return path;
}

std::string xml_writer::path_to(const target_spec& target, const state_base& from) {
    const auto found = names_.look_up(from, target);
    if (found.found) return path_to(*found.found, from);
    problems_.add(code::unknown_state, from.origin(),
                  fmt::format("{} names {}, but this state does not exist", in_quotes(from.path()), in_quotes(target.written())),
                  "fix the errors that hsm::check reports, then save");
    return target.written();
}

void xml_writer::declare_events(const state_base& s, std::set<std::string_view>& seen) {
    for (const auto& former : s.former_events())
        if (seen.insert(former.event.name).second) declare("event", former.event.name, names_before(root_, former.event.name));
    for (const auto& t : s.transitions()) {
        if (t->of_class || !is_named_event(t->event)) continue;
        for (const auto& n : t->event.names)
            if (!n.prefix && seen.insert(n.text).second) declare("event", n.text, names_before(root_, n.text));
        if (!t->event.names.empty() || !seen.insert(t->event.name).second) continue;
        declare("event", t->event.name, names_before(root_, t->event.name));
    }
    for (const auto& sub : s.substates()) declare_events(*sub, seen);
}

void xml_writer::declare(std::string_view element, std::string_view id, const std::vector<std::string>& former_names) {
    begin(element);
    attribute("ID", id);
    write_former_names(former_names);
    end();
}

std::vector<std::string> xml_writer::former_names_of(const local_type& type) const {
    std::vector<std::string> names;
    for (const auto& former : former_locals_)
        if (same_type(type, *former.of) && std::ranges::find(names, former.name) == names.end()) names.push_back(former.name);
    return names;
}

/// Writes the first name into the attribute, and further ones as elements.
void xml_writer::write_former_names(const std::vector<std::string>& names) {
    if (!names.empty()) attribute("was", names.front());
    write_further_names(names);
}

void xml_writer::write_further_names(const std::vector<std::string>& names) {
    for (std::size_t i = 1; i < names.size(); ++i) element("was", names[i]);
}

/// Declares the bits in the order in which a chart numbers them.
void xml_writer::declare_bits(const state_base& s, std::set<std::string_view>& seen) {
    for (const auto& c : s.conditions()) {
        const bool indexed = c->index != condition_spec::any_index;
        if (c->name.empty() || c->name == "!" || (!seen.insert(c->name).second && !indexed)) continue;
        begin("bit");
        attribute("ID", c->name);
        if (indexed) attribute("index", std::to_string(c->index));
        if (c->trigger) attribute("trigger", "true");
        write_former_names(c->former_names);
        end();
    }
    for (const auto& sub : s.substates()) declare_bits(*sub, seen);
}

std::string xml_writer::run() {
    out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    begin("Project");
    attribute("name", root_.name());
    write_attributes(root_);
    opened();
    std::set<std::string_view> events, bits;
    declare_events(root_, events);
    declare_bits(root_, bits);
    write_details(root_);
    end();
    return std::move(out_);
}

} // namespace hsm::detail

namespace hsm {

std::string save_xml(const state_base& root) {
    detail::problem_list problems(root.notes() ? root.notes()->file : std::string());
    auto text = detail::xml_writer(root, problems).run();
    if (!problems.empty()) detail::throw_problems(problems.take());
    return text;
}

} // namespace hsm
