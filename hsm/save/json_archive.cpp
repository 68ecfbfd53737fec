#include <hsm/save/detail/json_archive.hpp>

#include <hsm/define/detail/type_name.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_layout.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace hsm::detail {

json_value& json_archive_writer::put(json_value value) {
    auto& to = *open_.back();
    return to.kind == json_value::list ? to.add(std::move(value)) : to.add(std::exchange(name_, {}), std::move(value));
}

json_value real_to_json(double value, bool is_float) {
    if (std::isnan(value)) return json_value::of("nan");
    if (std::isinf(value)) return json_value::of(value > 0 ? "infinity" : "-infinity");
    return json_value::of(is_float ? std::stod(fmt::format("{}", static_cast<float>(value))) : value);
}

bool json_to_real(const json_value& d, double& value) {
    constexpr auto infinite = std::numeric_limits<double>::infinity();
    switch (d.kind) {
    case json_value::integer: value = static_cast<double>(d.number); return true;
    case json_value::natural: value = static_cast<double>(static_cast<std::uint64_t>(d.number)); return true;
    case json_value::real: value = d.fraction; return true;
    case json_value::text:
        if (d.string != "nan" && d.string != "infinity" && d.string != "-infinity") return false;
        value = d.string == "nan" ? std::numeric_limits<double>::quiet_NaN() : d.string == "infinity" ? infinite : -infinite;
        return true;
    default: return false;
    }
}

json_archive_reader::json_archive_reader(const json_value& from) : archive(true) { open_.push_back({&from, 0, {}}); }

std::string json_archive_reader::path() const {
    std::string path;
    for (const auto& each : names_) path += each + '/';
    return path + name_;
}

void json_archive_reader::refuse(std::string problem) { throw mismatch{std::move(problem), path(), field_ ? field_->place : open_.back().at->place}; }

void json_archive_reader::begin_field(std::string_view name) {
    auto& in = open_.back();
    if (in.at->kind == json_value::list) {
        name_ = std::to_string(in.next);
        field_ = in.next < in.at->items.size() ? &in.at->items[in.next] : nullptr;
        ++in.next;
        return;
    }
    name_ = name;
    field_ = in.at->find(name);
    if (field_) in.read.push_back(field_);
}

bool json_archive_reader::skips() {
    if (field_) return false;
    if (open_.back().at->kind == json_value::list) refuse("it has too few elements");
    missing_.push_back({"it is missing, and its value is unchanged", path(), open_.back().at->place});
    return true;
}

const json_value& json_archive_reader::require(json_value::kind_of kind) {
    if (field_->kind != kind) refuse(fmt::format("it is {}, but must be {}", name_of(field_->kind), name_of(kind)));
    return *field_;
}

/// Returns the enumerator's value if the field is a text with its name.
std::optional<std::int64_t> json_archive_reader::enumerator() {
    if (!enumerators() || field_->kind != json_value::text) return {};
    std::string known;
    for (std::int64_t value = 0; value < 64; ++value) {
        const auto name = enumerator_named(enumerators(), value);
        if (name.empty()) continue;
        if (name == unqualified(field_->string)) return value;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
    }
    refuse(known.empty() ? fmt::format("the names of this enumeration are unknown, so the value cannot be {}", short_text(*field_))
                         : fmt::format("it is {}, but must be one of {}", short_text(*field_), known));
}

void json_archive_reader::boolean(bool& value) { value = require(json_value::boolean).number != 0; }

void json_archive_reader::integer(std::int64_t& value, std::int64_t least, std::int64_t most) {
    const auto named = enumerator();
    const auto number = named ? *named : require(json_value::integer).number;
    if (number < least || number > most) refuse(fmt::format("it is {}, but must be {} to {}", number, least, most));
    value = number;
}

void json_archive_reader::natural(std::uint64_t& value, std::uint64_t most) {
    if (const auto named = enumerator()) return value = static_cast<std::uint64_t>(*named), void();
    if (field_->kind != json_value::natural) require(json_value::integer);
    const bool negative = field_->kind == json_value::integer && field_->number < 0;
    if (negative || static_cast<std::uint64_t>(field_->number) > most)
        refuse(fmt::format("it is {}, but must be 0 to {}", short_text(*field_), most));
    value = static_cast<std::uint64_t>(field_->number);
}

void json_archive_reader::real(double& value, bool is_float) {
    if (!json_to_real(*field_, value)) require(json_value::real);
    const bool too_large = is_float && std::isfinite(value) && std::abs(value) > static_cast<double>(std::numeric_limits<float>::max());
    if (too_large) refuse("it is too large for its type");
}

namespace {
/// Reads a text that is not UTF-8: { "hex": "c3a4" }.
bool read_hex(const json_value& d, std::string& value) {
    if (d.kind != json_value::object || d.fields.size() != 1 || d.fields[0].first != "hex" || d.fields[0].second.kind != json_value::text)
        return false;
    const auto& digits = d.fields[0].second.string;
    if (digits.size() % 2 != 0 || digits.find_first_not_of("0123456789abcdef") != digits.npos) return false;
    value.clear();
    for (std::size_t i = 0; i < digits.size(); i += 2) value += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return true;
}
} // namespace

void json_archive_reader::text(std::string& value) {
    if (!read_hex(*field_, value)) value = require(json_value::text).string;
}

void json_archive_reader::begin_object() {
    const auto& object = require(json_value::object);
    names_.push_back(name_);
    open_.push_back({&object, 0, {}});
}

void json_archive_reader::end_object() {
    const auto done = std::move(open_.back());
    open_.pop_back();
    add_unread(done);
    names_.pop_back();
}

void json_archive_reader::begin_list(std::size_t& count) {
    const auto& list = require(json_value::list);
    count = list.items.size();
    names_.push_back(name_);
    open_.push_back({&list, 0, {}});
}

void json_archive_reader::end_list() {
    open_.pop_back();
    names_.pop_back();
}

void json_archive_reader::add_unread(const level& l) {
    name_.clear();
    for (const auto& [name, value] : l.at->fields)
        if (std::ranges::find(l.read, &value) == l.read.end()) unread_.push_back({"it is unknown here", path() + name, value.place});
}

std::vector<mismatch> json_archive_reader::unread() const {
    auto all = unread_;
    for (const auto& [name, value] : open_.front().at->fields)
        if (std::ranges::find(open_.front().read, &value) == open_.front().read.end()) all.push_back({"it is unknown here", name, value.place});
    return all;
}

namespace {

json_value fields_of(const value_layout& layout, const void* object) { return fields_of_object(layout.codec->serialize, object); }

/// Converts an enumerator or a byte.
json_value number_to_json(const value_layout& layout, std::span<const std::byte> bytes) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < layout.size; ++i) {
        const auto at = std::endian::native == std::endian::little ? i : layout.size - 1 - i;
        bits |= static_cast<std::uint64_t>(bytes[at]) << (8 * i);
    }
    if (!(layout.type->traits & value_signed)) return json_value::of(bits);
    const auto shift = 64 - 8 * layout.size;
    return json_value::of(static_cast<std::int64_t>(bits << shift) >> shift);
}

value_bytes json_to_number(const value_layout& layout, const json_value& json) {
    const auto bits = static_cast<std::uint64_t>(json.number);
    const auto shift = 64 - 8 * layout.size;
    const bool is_signed = layout.type->traits & value_signed;
    const bool is_number = json.kind == json_value::integer || (json.kind == json_value::natural && !is_signed);
    const bool fits = is_signed ? static_cast<std::int64_t>(bits << shift) >> shift == json.number : bits << shift >> shift == bits;
    if (!is_number || !fits || (!is_signed && json.kind == json_value::integer && json.number < 0))
        throw mismatch{"it is not a value of its type: " + short_text(json), "", json.place};
    value_bytes made(layout.size);
    for (std::size_t i = 0; i < layout.size; ++i)
        made[std::endian::native == std::endian::little ? i : layout.size - 1 - i] = static_cast<std::byte>(bits >> (8 * i));
    return made;
}

constexpr std::string_view digits = "0123456789abcdef";

json_value bytes_to_json(std::span<const std::byte> bytes) {
    std::string text;
    for (const auto b : bytes) {
        text += digits[static_cast<std::size_t>(b) >> 4];
        text += digits[static_cast<std::size_t>(b) & 15];
    }
    return json_value::of(std::move(text));
}

value_bytes json_to_bytes(const value_layout& layout, const json_value& json) {
    const auto refuse = [&] { throw mismatch{fmt::format("it must be {} bytes as hexadecimal digits", layout.size), "", json.place}; };
    if (json.kind != json_value::text || json.string.size() != 2 * std::size_t(layout.size)) refuse();
    value_bytes made;
    for (std::size_t i = 0; i < json.string.size(); i += 2) {
        const auto high = digits.find(json.string[i]), low = digits.find(json.string[i + 1]);
        if (high == digits.npos || low == digits.npos) refuse();
        made.push_back(static_cast<std::byte>(high << 4 | low));
    }
    return made;
}

/// Events without data and with a known name need no fields.
json_value name_to_json(const value_layout& layout, std::span<const std::byte> bytes) {
    if (bytes.empty()) return {};
    const built_value value(layout, nullptr, bytes);
    const auto& event = *static_cast<const named_event*>(value.object());
    return is_blank(event) ? json_value() : fields_of(layout, value.object());
}

bool is_number(const value_layout& layout) { return layout.type->traits & value_number; }

} // namespace

json_value fields_of_object(void (*serialize)(archive& to, void* object), const void* object) {
    json_archive_writer to;
    serialize(to, const_cast<void*>(object));
    return to.take();
}

json_value value_to_json(const value_layout& layout, const void* prototype, std::span<const std::byte> bytes) {
    if (layout.form == value_layout::nothing || (layout.form == value_layout::object && bytes.empty())) return {};
    if (layout.form == value_layout::object) return json_value::of(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(object_in(bytes))));
    if (layout.codec == &codec_of_names) return name_to_json(layout, bytes);
    if (layout.codec) return fields_of(layout, built_value(layout, prototype, bytes).object());
    return is_number(layout) ? number_to_json(layout, bytes) : bytes_to_json(bytes);
}

value_bytes prototype_bytes(const value_layout& layout, const void* prototype) {
    value_bytes made;
    if (layout.form == value_layout::bytes) {
        const auto* const bytes = static_cast<const std::byte*>(prototype);
        made.assign(bytes, bytes + layout.size);
    }
    if (layout.form == value_layout::fields) {
        byte_writer to(made);
        layout.codec->serialize(to, const_cast<void*>(prototype));
    }
    if (layout.form == value_layout::object) {
        const auto* const address = reinterpret_cast<const std::byte*>(&prototype);
        made.assign(address, address + sizeof prototype);
    }
    return made;
}

value_bytes json_to_value(const value_layout& layout, const void* prototype, const json_value& json, std::vector<mismatch>& notes) {
    if (layout.form == value_layout::nothing) return {};
    if (layout.form == value_layout::object) return prototype_bytes(layout, reinterpret_cast<const void*>(static_cast<std::intptr_t>(json.number)));
    if (!layout.codec) return is_number(layout) ? json_to_number(layout, json) : json_to_bytes(layout, json);
    if (json.kind != json_value::object) throw mismatch{"it must be an object with its fields", "", json.place};
    const built_value value(layout, prototype);
    json_archive_reader from(json);
    layout.codec->serialize(from, value.object());
    notes.insert(notes.end(), from.missing().begin(), from.missing().end());
    const auto unread = from.unread();
    notes.insert(notes.end(), unread.begin(), unread.end());
    return prototype_bytes(layout, value.object());
}

value_bytes json_to_payload(const value_layout& layout, const json_value& json, std::vector<mismatch>& notes) {
    auto bytes = json_to_value(layout, nullptr, json, notes);
    if (layout.form != value_layout::fields) return bytes;
    const auto length = std::uint64_t(bytes.size());
    const auto* const first = reinterpret_cast<const std::byte*>(&length);
    bytes.insert(bytes.begin(), first, first + sizeof length);
    return bytes;
}

json_value default_payload(const event_view& event, const value_layout& layout) {
    if (layout.codec || !layout.type || !is_number(layout)) return json_value::empty_object();
    return json_value::of(event.values().empty() ? event.value() : event.values().front().first);
}

} // namespace hsm::detail
