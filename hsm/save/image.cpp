#include <hsm/save/image.hpp>

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/save/check_saveable.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/machine_source.hpp>

namespace hsm {

using namespace detail;

namespace detail {

namespace {
std::uint64_t add_bytes(std::uint64_t hash, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        std::uint64_t word = 0;
        const auto count = bytes.size() < sizeof word ? bytes.size() : sizeof word;
        std::memcpy(&word, bytes.data(), count);
        hash = (hash ^ word) * 0x100'0000'01b3;
        hash ^= hash >> 29;
        bytes = bytes.subspan(count);
    }
    return hash;
}
} // namespace

std::uint64_t checksum_of(image_head head, std::span<const std::byte> parts) {
    head.checksum = 0;
    return add_bytes(add_bytes(0xcbf2'9ce4'8422'2325, std::as_bytes(std::span(&head, 1))), parts);
}

void image_writer::put_fields(const value_shape& shape, const void* object) {
    std::vector<std::byte> fields;
    byte_writer to(fields);
    shape.codec->serialize(to, const_cast<void*>(object));
    put(static_cast<std::uint64_t>(fields.size()));
    put_bytes(fields.data(), fields.size());
}

std::size_t save_machine(machine& m, std::span<std::byte> to, bool checksum) {
    const auto& core = core_of(m);
    const auto& shape = shape_of(core);
    if (!shape.is_saveable) [[unlikely]]
        refuse_unsaveable(core);
    if (m.leaf != no_index) stamp(m, core);
    machine_source source(m, core);
    auto head = source.head();
    head.chart = shape.chart;
    head.layout = shape.layout;
    image_writer out(to);
    out.put(head);
    write_parts(out, core, shape, head, source);
    if (out.size() > to.size()) return out.size();
    head.size = out.size();
    if (checksum) {
        head.flags = image_has_checksum;
        head.checksum = checksum_of(head, to.subspan(sizeof head, out.size() - sizeof head));
    }
    std::memcpy(to.data(), &head, sizeof head);
    return out.size();
}

} // namespace detail

std::size_t image_size(const instance_base& agent) {
    auto& m = instance_access::engine_of(agent);
    return is_busy(m) ? 0 : save_machine(m, {}, false);
}

saved save(const instance_base& agent, std::span<std::byte> to, image_options how) {
    auto& m = instance_access::engine_of(agent);
    if (is_busy(m)) return {result::busy, 0};
    const auto size = save_machine(m, to, how.checksum);
    if (size <= to.size()) [[likely]]
        return {result::taken, size};
    throw save_error({code::small_image, calls::root_path(m),
                      "the image takes " + std::to_string(size) + " bytes, and there is room for " + std::to_string(to.size()), "ask image_size()"});
}

std::vector<std::byte> save(const instance_base& agent, image_options how) {
    std::vector<std::byte> image(image_size(agent));
    if (!image.empty()) save(agent, image, how);
    return image;
}

} // namespace hsm
