#include <hsm/save/hash.hpp>

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/json_archive.hpp>
#include <hsm/save/image.hpp>

#include <bit>

namespace hsm {

using namespace detail;

namespace {

/// FNV-1a with 64 bits. Numbers count as eight bytes, least significant first; texts are preceded by their length.
class json_hash {
public:
    void add(const json_value& d) {
        add_number(d.kind);
        add_number(static_cast<std::uint64_t>(d.kind == json_value::real ? std::bit_cast<std::int64_t>(d.fraction) : d.number));
        if (d.kind == json_value::text) add_text(d.string);
        add_number(d.items.size() + d.fields.size());
        for (const auto& each : d.items) add(each);
        for (const auto& [name, value] : d.fields) {
            add_text(name);
            add(value);
        }
    }
    std::uint64_t value() const { return at_; }

private:
    void add_text(std::string_view text) {
        add_number(text.size());
        for (const char c : text) add_byte(static_cast<std::uint8_t>(c));
    }
    void add_number(std::uint64_t number) {
        for (int i = 0; i < 8; ++i, number >>= 8) add_byte(static_cast<std::uint8_t>(number));
    }
    void add_byte(std::uint8_t byte) { at_ = (at_ ^ byte) * 0x100'0000'01b3; }

    std::uint64_t at_ = 0xcbf2'9ce4'8422'2325;
};

} // namespace

std::uint64_t detail::hash_of(const json_value& d) {
    json_hash h;
    h.add(d);
    return h.value();
}

std::uint64_t detail::hash_of_image(const chart_core& core, std::span<const std::byte> image) { return hash_of(describe_image(core, image)); }

json_value detail::describe_image(const chart_core& core, std::span<const std::byte> image) {
    require_saveable(core, saving::hash);
    return describe(core, decompose(core, image));
}

std::uint64_t hash(const instance_base& agent) {
    const auto image = save(agent);
    return image.empty() ? 0 : hash_of_image(core_of(instance_access::engine_of(agent)), image);
}

std::uint64_t hash(const chart_base& chart, std::span<const std::byte> image) { return hash_of_image(require_chart(chart), image); }

std::uint64_t detail::hash_of_value(void (*serialize)(archive& a, void* value), const void* value) {
    json_archive_writer to;
    serialize(to, const_cast<void*>(value));
    return hash_of(to.take());
}

} // namespace hsm
