#include <hsm/save/detail/value_tree.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/named_event_codec.hpp>

#include <bit>
#include <cstring>
#include <new>

namespace hsm::detail {

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
