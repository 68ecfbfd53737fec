#include <hsm/tool/detail/player.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/json_archive.hpp>
#include <hsm/text/detail/read_real.hpp>
#include <hsm/tool/detail/message.hpp>

#include <charconv>

namespace hsm::detail::tool {

namespace {

/// Parses true, false, a number or a text. A text can be quoted, as in JSON.
json_value read(const std::string& value) {
    event_data quoted;
    if (value.starts_with('"') && read_json(value, quoted) && quoted.kind() == data_kind::text) return json_value::of(std::string(quoted.text()));
    if (value == "true" || value == "false") return json_value::of(value == "true");
    const auto* const end = value.data() + value.size();
    std::int64_t whole = 0;
    if (const auto r = std::from_chars(value.data(), end, whole); r.ec == std::errc() && r.ptr == end) return json_value::of(whole);
    double real = 0;
    if (!value.empty() && read_real(value, real) == value.size()) return json_value::of(real);
    return json_value::of(value);
}

/// Adds a field. "at.x=3" is a member of the field "at".
void put(json_value& object, std::string_view name, json_value value) {
    const auto dot = name.find('.');
    if (dot == name.npos) {
        object.add(std::string(name), std::move(value));
        return;
    }
    const std::string outer(name.substr(0, dot));
    for (auto& [known, inner] : object.fields)
        if (known == outer) return put(inner, name.substr(dot + 1), std::move(value));
    put(object.add(outer, json_value::empty_object()), name.substr(dot + 1), std::move(value));
}

[[noreturn]] void refuse_payload(event_view event, const std::string& problem, const std::string& hint) {
    throw command_error(fmt::format("the event \"{}\" {}", event.name(), problem), hint);
}

event_data data_of(const json_value& d) {
    switch (d.kind) {
    case json_value::boolean: return event_data(d.number != 0);
    case json_value::integer: return event_data(d.number);
    case json_value::real: return event_data(d.fraction);
    case json_value::text: return event_data(d.string);
    default: break; // the only other kind in fields is an object
    }
    std::vector<data_member> members;
    for (const auto& [name, inside] : d.fields) members.push_back({name, data_of(inside)});
    return event_data::object(std::move(members));
}

} // namespace

event_data data_of(const std::vector<written_field>& fields) {
    if (fields.empty()) return {};
    event_data whole;
    if (fields.size() == 1 && fields.front().name == "data" && read_json(fields.front().value, whole)) return whole;
    auto json = json_value::empty_object();
    for (const auto& f : fields) put(json, f.name, read(f.value));
    return data_of(json);
}

std::vector<std::byte> payload_of(event_view event, const chart_base& chart, const std::vector<written_field>& fields) {
    const auto& layout = image_layout_of(chart.core()).events.at(event.number());
    if (layout.form == value_layout::unknown)
        refuse_payload(event, "carries data that cannot be created from text", "register its serialization in the definition: hsm::serializes<…>(…)");
    const bool is_value = layout.type && (layout.type->traits & value_number);
    if (!layout.codec && !fields.empty())
        refuse_payload(event, layout.form == value_layout::nothing ? "carries no data" : "has fields that are not registered",
                       layout.form == value_layout::nothing ? "remove the field"
                                                            : "register its serialization in the definition: hsm::serializes<…>(…)");
    if (layout.form == value_layout::nothing || (event.is_name() && fields.empty())) return {};
    if (!layout.codec && !is_value) return std::vector<std::byte>(layout.size);
    auto json = default_payload(event, layout);
    for (const auto& f : fields) put(json, f.name, read(f.value));
    std::vector<mismatch> notes;
    std::vector<std::byte> made;
    try {
        made = json_to_payload(layout, json, notes);
    } catch (const mismatch& m) {
        refuse_payload(event, fmt::format("cannot be created{}: {}", m.path.empty() ? "" : " with " + m.path, m.problem), "");
    }
    for (const auto& f : fields)
        for (const auto& n : notes)
            if (n.path == f.name) refuse_payload(event, fmt::format("has no field \"{}\"", f.name), "");
    return made;
}

} // namespace hsm::detail::tool
