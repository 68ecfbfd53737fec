#include <hsm/save/detail/tree_archive.hpp>

#include <hsm/define/detail/type_name.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_shape.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace hsm::detail {

datum& tree_writer::put(datum value) {
    auto& to = *open_.back();
    return to.kind == datum::list ? to.add(std::move(value)) : to.add(std::exchange(name_, {}), std::move(value));
}

datum real_to_tree(double value, bool is_float) {
    if (std::isnan(value)) return datum::of("nan");
    if (std::isinf(value)) return datum::of(value > 0 ? "infinity" : "-infinity");
    return datum::of(is_float ? std::stod(fmt::format("{}", static_cast<float>(value))) : value);
}

bool tree_to_real(const datum& d, double& value) {
    constexpr auto infinite = std::numeric_limits<double>::infinity();
    switch (d.kind) {
    case datum::integer: value = static_cast<double>(d.number); return true;
    case datum::natural: value = static_cast<double>(static_cast<std::uint64_t>(d.number)); return true;
    case datum::real: value = d.fraction; return true;
    case datum::text:
        if (d.string != "nan" && d.string != "infinity" && d.string != "-infinity") return false;
        value = d.string == "nan" ? std::numeric_limits<double>::quiet_NaN() : d.string == "infinity" ? infinite : -infinite;
        return true;
    default: return false;
    }
}

tree_reader::tree_reader(const datum& from) : archive(true) { open_.push_back({&from, 0, {}}); }

std::string tree_reader::path() const {
    std::string path;
    for (const auto& each : names_) path += each + '/';
    return path + name_;
}

void tree_reader::refuse(std::string problem) { throw misfit{std::move(problem), path(), field_ ? field_->place : open_.back().at->place}; }

void tree_reader::begin_field(std::string_view name) {
    auto& in = open_.back();
    if (in.at->kind == datum::list) {
        name_ = std::to_string(in.next);
        field_ = in.next < in.at->items.size() ? &in.at->items[in.next] : nullptr;
        ++in.next;
        return;
    }
    name_ = name;
    field_ = in.at->find(name);
    if (field_) in.read.push_back(field_);
}

bool tree_reader::skips() {
    if (field_) return false;
    if (open_.back().at->kind == datum::list) refuse("it has too few elements");
    missing_.push_back({"it is missing, and its value is unchanged", path(), open_.back().at->place});
    return true;
}

const datum& tree_reader::require(datum::kind_of kind) {
    if (field_->kind != kind) refuse(fmt::format("it is {}, but must be {}", name_of(field_->kind), name_of(kind)));
    return *field_;
}

/// Returns the enumerator's value if the field is a text with its name.
std::optional<std::int64_t> tree_reader::enumerator() {
    if (!enumerators() || field_->kind != datum::text) return {};
    std::string known;
    for (std::int64_t value = 0; value < 64; ++value) {
        const auto name = enumerator_named(enumerators(), value);
        if (name.empty()) continue;
        if (name == unqualified(field_->string)) return value;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
    }
    refuse(known.empty() ? fmt::format("the names of this enumeration are unknown, so it cannot be {}", short_text(*field_))
                         : fmt::format("it is {}, but must be one of {}", short_text(*field_), known));
}

void tree_reader::boolean(bool& value) { value = require(datum::boolean).number != 0; }

void tree_reader::integer(std::int64_t& value, std::int64_t least, std::int64_t most) {
    const auto named = enumerator();
    const auto number = named ? *named : require(datum::integer).number;
    if (number < least || number > most) refuse(fmt::format("it is {}, but must be {} to {}", number, least, most));
    value = number;
}

void tree_reader::natural(std::uint64_t& value, std::uint64_t most) {
    if (const auto named = enumerator()) return value = static_cast<std::uint64_t>(*named), void();
    if (field_->kind != datum::natural) require(datum::integer);
    const bool negative = field_->kind == datum::integer && field_->number < 0;
    if (negative || static_cast<std::uint64_t>(field_->number) > most)
        refuse(fmt::format("it is {}, but must be 0 to {}", short_text(*field_), most));
    value = static_cast<std::uint64_t>(field_->number);
}

void tree_reader::real(double& value, bool is_float) {
    if (!tree_to_real(*field_, value)) require(datum::real);
    const bool too_large = is_float && std::isfinite(value) && std::abs(value) > static_cast<double>(std::numeric_limits<float>::max());
    if (too_large) refuse("it is too large for its type");
}

namespace {
/// Reads a text that is not UTF-8: { "hex": "c3a4" }.
bool read_hex(const datum& d, std::string& value) {
    if (d.kind != datum::object || d.fields.size() != 1 || d.fields[0].first != "hex" || d.fields[0].second.kind != datum::text) return false;
    const auto& digits = d.fields[0].second.string;
    if (digits.size() % 2 != 0 || digits.find_first_not_of("0123456789abcdef") != digits.npos) return false;
    value.clear();
    for (std::size_t i = 0; i < digits.size(); i += 2) value += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return true;
}
} // namespace

void tree_reader::text(std::string& value) {
    if (!read_hex(*field_, value)) value = require(datum::text).string;
}

void tree_reader::begin_object() {
    const auto& object = require(datum::object);
    names_.push_back(name_);
    open_.push_back({&object, 0, {}});
}

void tree_reader::end_object() {
    const auto done = std::move(open_.back());
    open_.pop_back();
    note_unread(done);
    names_.pop_back();
}

void tree_reader::begin_list(std::size_t& count) {
    const auto& list = require(datum::list);
    count = list.items.size();
    names_.push_back(name_);
    open_.push_back({&list, 0, {}});
}

void tree_reader::end_list() {
    open_.pop_back();
    names_.pop_back();
}

void tree_reader::note_unread(const level& l) {
    name_.clear();
    for (const auto& [name, value] : l.at->fields)
        if (std::ranges::find(l.read, &value) == l.read.end()) unread_.push_back({"it is unknown here", path() + name, value.place});
}

std::vector<misfit> tree_reader::unread() const {
    auto all = unread_;
    for (const auto& [name, value] : open_.front().at->fields)
        if (std::ranges::find(open_.front().read, &value) == open_.front().read.end()) all.push_back({"it is unknown here", name, value.place});
    return all;
}

namespace {

/// A temporary object for calls of `serialize`.
class scratch_value {
public:
    /// Copies `bytes` from an image; without bytes, creates an initial object.
    scratch_value(const value_shape& shape, const void* prototype, const std::byte* bytes)
        : codec_(shape.codec), memory_(static_cast<std::byte*>(::operator new(shape.size, std::align_val_t(shape.type->alignment))),
                                       free_aligned{std::align_val_t(shape.type->alignment)}) {
        if (bytes)
            std::memcpy(memory_.get(), bytes, shape.size);
        else if (prototype)
            codec_->local->copy(memory_.get(), prototype);
        else if (codec_->construct)
            codec_->construct(memory_.get());
        else
            std::memset(memory_.get(), 0, shape.size);
    }
    scratch_value(const scratch_value&) = delete;
    ~scratch_value() { codec_->destroy(memory_.get()); }

    void* object() const { return memory_.get(); }

private:
    const value_codec* codec_;
    std::unique_ptr<std::byte, free_aligned> memory_;
};

datum fields_of(const value_shape& shape, void* object) {
    tree_writer to;
    shape.codec->serialize(to, object);
    return to.take();
}

/// Converts an enumerator or a byte.
datum number_to_tree(const value_shape& shape, std::span<const std::byte> bytes) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < shape.size; ++i) {
        const auto at = std::endian::native == std::endian::little ? i : shape.size - 1 - i;
        bits |= static_cast<std::uint64_t>(bytes[at]) << (8 * i);
    }
    if (!(shape.type->traits & value_signed)) return datum::of(bits);
    const auto shift = 64 - 8 * shape.size;
    return datum::of(static_cast<std::int64_t>(bits << shift) >> shift);
}

value_bytes tree_to_number(const value_shape& shape, const datum& tree) {
    const auto bits = static_cast<std::uint64_t>(tree.number);
    const auto shift = 64 - 8 * shape.size;
    const bool is_signed = shape.type->traits & value_signed;
    const bool is_number = tree.kind == datum::integer || (tree.kind == datum::natural && !is_signed);
    const bool fits = is_signed ? static_cast<std::int64_t>(bits << shift) >> shift == tree.number : bits << shift >> shift == bits;
    if (!is_number || !fits || (!is_signed && tree.kind == datum::integer && tree.number < 0))
        throw misfit{"it is not a value of its type: " + short_text(tree), "", tree.place};
    value_bytes made(shape.size);
    for (std::size_t i = 0; i < shape.size; ++i)
        made[std::endian::native == std::endian::little ? i : shape.size - 1 - i] = static_cast<std::byte>(bits >> (8 * i));
    return made;
}

constexpr std::string_view digits = "0123456789abcdef";

datum bytes_to_tree(std::span<const std::byte> bytes) {
    std::string text;
    for (const auto b : bytes) {
        text += digits[static_cast<std::size_t>(b) >> 4];
        text += digits[static_cast<std::size_t>(b) & 15];
    }
    return datum::of(std::move(text));
}

value_bytes tree_to_bytes(const value_shape& shape, const datum& tree) {
    const auto refuse = [&] { throw misfit{fmt::format("it must be {} bytes as hexadecimal digits", shape.size), "", tree.place}; };
    if (tree.kind != datum::text || tree.string.size() != 2 * std::size_t(shape.size)) refuse();
    value_bytes made;
    for (std::size_t i = 0; i < tree.string.size(); i += 2) {
        const auto high = digits.find(tree.string[i]), low = digits.find(tree.string[i + 1]);
        if (high == digits.npos || low == digits.npos) refuse();
        made.push_back(static_cast<std::byte>(high << 4 | low));
    }
    return made;
}

/// Events without data and with a known name need no fields.
datum name_to_tree(const value_shape& shape, std::span<const std::byte> bytes) {
    if (bytes.empty()) return {};
    const built_value value(shape, nullptr, bytes);
    const auto& event = *static_cast<const named_event*>(value.object());
    return says_nothing(event) ? datum() : fields_of(shape, value.object());
}

bool is_number(const value_shape& shape) { return shape.type->traits & value_number; }

} // namespace

datum value_to_tree(const value_shape& shape, const void* prototype, std::span<const std::byte> bytes) {
    if (shape.form == value_shape::nothing) return {};
    if (shape.codec == &codec_of_names) return name_to_tree(shape, bytes);
    if (shape.form == value_shape::fields) return fields_of(shape, built_value(shape, prototype, bytes).object());
    if (shape.codec) return fields_of(shape, scratch_value(shape, nullptr, bytes.data()).object());
    return is_number(shape) ? number_to_tree(shape, bytes) : bytes_to_tree(bytes);
}

value_bytes prototype_bytes(const value_shape& shape, const void* prototype) {
    value_bytes made;
    if (shape.form == value_shape::bytes) {
        const auto* const bytes = static_cast<const std::byte*>(prototype);
        made.assign(bytes, bytes + shape.size);
    }
    if (shape.form == value_shape::fields) {
        byte_writer to(made);
        shape.codec->serialize(to, const_cast<void*>(prototype));
    }
    return made;
}

value_bytes tree_to_value(const value_shape& shape, const void* prototype, const datum& tree, std::vector<misfit>& notes) {
    if (shape.form == value_shape::nothing) return {};
    if (!shape.codec) return is_number(shape) ? tree_to_number(shape, tree) : tree_to_bytes(shape, tree);
    if (tree.kind != datum::object) throw misfit{"it must be an object with its fields", "", tree.place};
    const scratch_value value(shape, prototype, nullptr);
    tree_reader from(tree);
    shape.codec->serialize(from, value.object());
    notes.insert(notes.end(), from.missing().begin(), from.missing().end());
    const auto unread = from.unread();
    notes.insert(notes.end(), unread.begin(), unread.end());
    return prototype_bytes(shape, value.object());
}

} // namespace hsm::detail
