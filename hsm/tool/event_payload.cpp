#include <hsm/tool/detail/event_payload.hpp>

#include <hsm/define/detail/read_real.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/tree_archive.hpp>
#include <hsm/tool/detail/message.hpp>

#include <charconv>

namespace hsm::detail::tool {

namespace {

/// Parses true, false, a number or a text. A text can be quoted, as in JSON.
datum read(const std::string& value) {
    event_data quoted;
    if (value.starts_with('"') && read_json(value, quoted) && quoted.kind() == data_kind::text) return datum::of(std::string(quoted.text()));
    if (value == "true" || value == "false") return datum::of(value == "true");
    const auto* const end = value.data() + value.size();
    std::int64_t whole = 0;
    if (const auto r = std::from_chars(value.data(), end, whole); r.ec == std::errc() && r.ptr == end) return datum::of(whole);
    double real = 0;
    if (!value.empty() && read_real(value, real) == value.size()) return datum::of(real);
    return datum::of(value);
}

/// Adds a field. "at.x=3" is a member of the field "at".
void put(datum& object, std::string_view name, datum value) {
    const auto dot = name.find('.');
    if (dot == name.npos) {
        object.add(std::string(name), std::move(value));
        return;
    }
    const std::string outer(name.substr(0, dot));
    for (auto& [known, inner] : object.fields)
        if (known == outer) return put(inner, name.substr(dot + 1), std::move(value));
    put(object.add(outer, datum::empty_object()), name.substr(dot + 1), std::move(value));
}

[[noreturn]] void refuse_payload(event_view event, const std::string& problem, const std::string& hint) {
    throw command_error(fmt::format("the event \"{}\" {}", event.name(), problem), hint);
}

} // namespace

namespace {

event_data data_of(const datum& d) {
    switch (d.kind) {
    case datum::boolean: return event_data(d.number != 0);
    case datum::integer: return event_data(d.number);
    case datum::real: return event_data(d.fraction);
    case datum::text: return event_data(d.string);
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
    auto tree = datum::empty_object();
    for (const auto& f : fields) put(tree, f.name, read(f.value));
    return data_of(tree);
}

std::uint32_t column_of(event_view event, const chart_base& chart) {
    const auto& columns = chart.core().column_events;
    for (std::uint32_t c = 1; c < columns.size(); ++c)
        if (columns[c] == event.number()) return c;
    return 0;
}

std::vector<std::byte> payload_of(event_view event, const chart_base& chart, const std::vector<written_field>& fields) {
    const auto& shape = shape_of(chart.core()).events.at(event.number());
    if (shape.form == value_shape::unknown)
        refuse_payload(event, "carries data that cannot be created here", "register its serialization in the definition: hsm::serializes<…>(…)");
    const bool is_value = shape.type && (shape.type->traits & value_number);
    if (!shape.codec && !fields.empty())
        refuse_payload(event, shape.form == value_shape::nothing ? "carries no data" : "has fields that are not registered",
                       shape.form == value_shape::nothing ? "remove the field"
                                                          : "register its serialization in the definition: hsm::serializes<…>(…)");
    if (shape.form == value_shape::nothing || (event.is_name() && fields.empty())) return {};
    if (!shape.codec && !is_value) return std::vector<std::byte>(shape.size);
    auto tree = datum::empty_object();
    if (is_value && !shape.codec) tree = datum::of(event.values().empty() ? event.value() : event.values().front().first);
    for (const auto& f : fields) put(tree, f.name, read(f.value));
    std::vector<misfit> notes;
    std::vector<std::byte> made;
    try {
        const auto bytes = tree_to_value(shape, nullptr, tree, notes);
        const auto length = std::uint64_t(bytes.size()); // the format of logs
        const auto* const first = reinterpret_cast<const std::byte*>(&length);
        if (shape.form == value_shape::fields) made.assign(first, first + sizeof length);
        made.insert(made.end(), bytes.begin(), bytes.end());
    } catch (const misfit& m) {
        refuse_payload(event, fmt::format("cannot be created{}: {}", m.path.empty() ? "" : " with " + m.path, m.problem), "");
    }
    for (const auto& f : fields)
        for (const auto& n : notes)
            if (n.path == f.name) refuse_payload(event, fmt::format("has no field \"{}\"", f.name), "");
    return made;
}

} // namespace hsm::detail::tool
