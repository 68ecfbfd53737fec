#include <hsm/replay/detail/kept_scope.hpp>

#include <hsm/replay/replay_error.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/check_image.hpp>
#include <hsm/save/detail/comparing.hpp>
#include <hsm/save/detail/context_shape.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/value_tree.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {
template <class Step> void unless_broken(const Step& step) {
    try {
        step();
    } catch (const broken_bytes& e) {
        throw replay_error({code::broken_log, "", "a context of the log is broken: " + std::string(e.what()), "replay what input_log has written"});
    }
}

/// Do its bytes say whether it is the same? Those between the fields of a class do not.
bool is_compared(const value_shape& context) {
    return context.form == value_shape::fields || (context.form == value_shape::bytes && (context.type->traits & value_is_bytes));
}
} // namespace

bool kept_scope::has_equal_contexts(std::size_t i, std::span<const std::byte> a, std::span<const std::byte> b) const {
    return !is_compared(members_[i].context_shape) || std::ranges::equal(a, b);
}

machine& kept_scope::engine(std::size_t i) const { return instance_access::engine_of(*members_[i].agent); }

void kept_scope::add(instance_base& agent, void* context, const saved_context* kind) {
    member m{&agent, keep_machine(agent), context, {}, {}, false};
    static_cast<void>(m.images.most_size(m.images.self)); // or it cannot be saved
    const auto& core = core_of(instance_access::engine_of(agent));
    if (kind) {
        m.context_shape = shape_of_users_context(*kind);
        require_saveable_context(core, m.context_shape);
    }
    const auto& shape = shape_of(core);
    m.made_as = {shape.chart, shape.layout, m.context_shape.form, m.context_shape.size};
    const auto is_value = [](const value_shape& v) { return v.form != value_shape::bytes || (v.type->traits & value_is_bytes); };
    m.bytes_are_value = std::ranges::all_of(shape.locals, is_value) && std::ranges::all_of(shape.events, is_value);
    members_.push_back(m);
}

void kept_scope::save(std::vector<std::byte>& to) const {
    to.clear();
    for (const auto& m : members_) {
        const auto begin = to.size();
        std::uint64_t size = m.images.save(m.images.self, {});
        to.resize(begin + sizeof size + size);
        std::memcpy(to.data() + begin, &size, sizeof size);
        m.images.save(m.images.self, std::span(to).subspan(begin + sizeof size));
        if (m.context_shape.form == value_shape::nothing) continue;
        image_writer counting({});
        counting.put_value(m.context_shape, m.context);
        const auto at = to.size();
        to.resize(at + counting.size());
        image_writer(std::span(to).subspan(at)).put_value(m.context_shape, m.context);
    }
}

std::vector<kept_scope::part> kept_scope::parts_of(std::span<const std::byte> state) const {
    std::vector<part> parts;
    image_reader in(state);
    for (const auto& m : members_) {
        const auto size = in.take<std::uint64_t>();
        const auto* const image = in.take_bytes(static_cast<std::size_t>(size));
        parts.push_back({{image, image ? static_cast<std::size_t>(size) : 0}, in.take_value(m.context_shape)});
    }
    if (in.ends_early() || in.left() > 0)
        throw replay_error({code::broken_log, "", "a keyframe of the log is broken", "replay what input_log has written"});
    return parts;
}

void kept_scope::restore(std::span<const std::byte> from) const {
    const auto parts = parts_of(from);
    for (std::size_t i = 0; i < members_.size(); ++i) // as far as that can be tried beforehand
        if (const auto& shape = members_[i].context_shape; shape.form == value_shape::fields && shape.codec->construct)
            unless_broken([&] { built_value(shape, nullptr, parts[i].context); });
    for (std::size_t i = 0; i < members_.size(); ++i) members_[i].images.restore(members_[i].images.self, parts[i].image);
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const auto& m = members_[i];
        if (m.context_shape.form == value_shape::bytes) std::memcpy(m.context, parts[i].context.data(), parts[i].context.size());
        if (m.context_shape.form != value_shape::fields) continue;
        unless_broken([&] {
            byte_reader fields(parts[i].context);
            m.context_shape.codec->serialize(fields, m.context);
        });
    }
}

std::uint32_t kept_scope::check(std::vector<std::byte>& scratch) const {
    save(scratch);
    std::uint64_t whole = 0;
    const auto parts = parts_of(scratch);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto& m = members_[i];
        const auto& core = core_of(instance_access::engine_of(*m.agent));
        const auto of_image = m.bytes_are_value ? checksum_of_bytes({}, parts[i].image) : hash_of_image(core, parts[i].image);
        whole = whole * 31 + of_image;
        if (is_compared(m.context_shape)) whole = whole * 31 + checksum_of_bytes({}, parts[i].context);
    }
    return static_cast<std::uint32_t>(whole ^ whole >> 32) | 1;
}

std::vector<field_difference> kept_scope::context_difference(std::size_t i, std::span<const std::byte> a, std::span<const std::byte> b) const {
    const auto& shape = members_[i].context_shape;
    if (shape.codec && !shape.codec->construct) return {};
    comparing all(100);
    unless_broken([&] { all.compare("", value_to_tree(shape, nullptr, a), value_to_tree(shape, nullptr, b)); });
    return all.take();
}

} // namespace hsm::detail
