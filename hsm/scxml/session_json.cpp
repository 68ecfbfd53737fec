#include <hsm/scxml/detail/session_json.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/save/save_error.hpp>
#include <hsm/text/detail/escape.hpp>
#include <hsm/text/detail/json_parser.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace hsm::detail::scxml {

namespace {

constexpr std::int64_t most_exact = std::int64_t(1) << 53;
constexpr auto integer_mark = "#integer";

void write(std::string& to, const json_value& d) {
    std::string_view between;
    const auto quoted = [&](std::string_view text) { append_json(to, text, json_escapes::names); };
    const auto large = [&](auto n) { to += fmt::format("{{\"{}\":\"{}\"}}", integer_mark, n); };
    switch (d.kind) {
    case json_value::nothing: to += "null"; break;
    case json_value::boolean: to += d.number != 0 ? "true" : "false"; break;
    case json_value::integer: d.number <= most_exact&& d.number >= -most_exact ? void(to += std::to_string(d.number)) : large(d.number); break;
    case json_value::natural: large(static_cast<std::uint64_t>(d.number)); break;
    case json_value::real: to += std::isfinite(d.fraction) ? fmt::format("{}", d.fraction) : "null"; break;
    case json_value::text: quoted(d.string); break;
    case json_value::list:
        to += '[';
        for (const auto& one : d.items) write(to += std::exchange(between, ","), one);
        to += ']';
        break;
    case json_value::object:
        to += '{';
        for (const auto& [name, one] : d.fields) {
            to += std::exchange(between, ",");
            quoted(name);
            write(to += ':', one);
        }
        to += '}';
        break;
    }
}

struct build_tree {
    using value = json_value;
    using member = json_value::field;

    static json_value of(std::nullptr_t) { return {}; }
    static json_value of(bool b) { return json_value::of(b); }
    static json_value of(std::string text) { return json_value::of(std::move(text)); }
    static json_value of(double n) {
        const bool whole = std::floor(n) == n && std::fabs(n) <= static_cast<double>(most_exact) && !(n == 0 && std::signbit(n));
        return whole ? json_value::of(static_cast<std::int64_t>(n)) : json_value::of(n);
    }
    static json_value list(std::vector<json_value> items) {
        auto made = json_value::empty_list();
        made.items = std::move(items);
        return made;
    }
    static json_value object(std::vector<json_value::field> fields) {
        auto made = json_value::empty_object();
        if (fields.size() == 1 && fields[0].first == integer_mark && read_integer(fields[0].second.string, made)) return made;
        for (auto& [name, one] : fields) {
            if (made.find(name))
                throw save_error({code::broken_document, "", fmt::format("\"{}\" appears twice", name), "restore a document that was saved"});
            made.add(std::move(name), std::move(one));
        }
        return made;
    }

private:
    static bool read_integer(std::string_view text, json_value& to) {
        const auto all = [&](auto number) {
            const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
            if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return false;
            return to = json_value::of(number), true;
        };
        return all(std::int64_t()) || all(std::uint64_t());
    }
};

} // namespace

std::string write_session_json(const json_value& d) {
    std::string text;
    write(text, d);
    return text;
}

json_value read_session_json(std::string_view text, std::size_t most_bytes) {
    if (text.size() > most_bytes)
        throw save_error({code::broken_document, "", fmt::format("the text has more than {} bytes", most_bytes), "raise most_bytes in the options"});
    json_value read;
    if (!json_parser<build_tree>(text).read_all(read) || read.kind != json_value::object)
        throw save_error({code::not_a_document, "", "this is not a document of a session", "restore a document that save_session wrote"});
    return read;
}

} // namespace hsm::detail::scxml
