#include <hsm/scxml/detail/session_json.hpp>

#include <hsm/define/event_data.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/save/save_error.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace hsm::detail::scxml {

namespace {

constexpr std::int64_t most_exact = std::int64_t(1) << 53;
constexpr auto integer_mark = "#integer";

event_data data_of_integer(std::int64_t n) {
    if (n <= most_exact && n >= -most_exact) return event_data(n);
    return event_data::object({{integer_mark, event_data(std::to_string(n))}});
}

event_data to_data(const json_value& d) {
    switch (d.kind) {
    case json_value::nothing: return nullptr;
    case json_value::boolean: return event_data(d.number != 0);
    case json_value::integer: return data_of_integer(d.number);
    case json_value::natural: return event_data::object({{integer_mark, event_data(std::to_string(static_cast<std::uint64_t>(d.number)))}});
    case json_value::real: return event_data(d.fraction);
    case json_value::text: return event_data(d.string);
    case json_value::list: {
        std::vector<event_data> items;
        for (const auto& one : d.items) items.push_back(to_data(one));
        return event_data::list(std::move(items));
    }
    case json_value::object: break;
    }
    std::vector<data_member> members;
    for (const auto& [name, one] : d.fields) members.push_back({name, to_data(one)});
    return event_data::object(std::move(members));
}

/// Reads {"#integer":"…"}.
bool read_integer(const event_data& from, json_value& to) {
    if (from.members().size() != 1 || from.members()[0].name != integer_mark) return false;
    const auto text = from.members()[0].value.text();
    const auto all = [&](auto& number) {
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        return !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
    };
    std::int64_t number = 0;
    std::uint64_t natural = 0;
    if (all(number))
        to = json_value::of(number);
    else if (all(natural))
        to = json_value::of(natural);
    else
        return false;
    return true;
}

json_value of_data(const event_data& from) {
    switch (from.kind()) {
    case data_kind::nothing:
    case data_kind::null: return {};
    case data_kind::boolean: return json_value::of(from.boolean());
    case data_kind::number: {
        const auto n = from.number();
        const bool whole = std::floor(n) == n && std::fabs(n) <= static_cast<double>(most_exact) && !(n == 0 && std::signbit(n));
        return whole ? json_value::of(static_cast<std::int64_t>(n)) : json_value::of(n);
    }
    case data_kind::text: return json_value::of(from.text());
    case data_kind::list: {
        auto made = json_value::empty_list();
        for (const auto& one : from.items()) made.add(of_data(one));
        return made;
    }
    case data_kind::object: break;
    }
    json_value made;
    if (read_integer(from, made)) return made;
    made = json_value::empty_object();
    for (const auto& [name, one] : from.members()) {
        if (made.find(name))
            throw save_error({code::broken_document, "", fmt::format("\"{}\" appears twice", name), "restore a document that was saved"});
        made.add(name, of_data(one));
    }
    return made;
}

} // namespace

std::string write_session_json(const json_value& d) { return to_string(to_data(d)); }

json_value read_session_json(std::string_view text, std::size_t most_bytes) {
    if (text.size() > most_bytes)
        throw save_error({code::broken_document, "", fmt::format("it has more than {} bytes", most_bytes), "raise the limit"});
    event_data data;
    if (!read_json(text, data) || data.kind() != data_kind::object)
        throw save_error({code::not_a_document, "", "this is not a document of a session", "restore a document that save_session wrote"});
    return of_data(data);
}

} // namespace hsm::detail::scxml
