#include <hsm/save/difference.hpp>

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/json_archive.hpp>
#include <hsm/save/detail/savable.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>

#include <algorithm>
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
    return hash_of(fields_of_object(serialize, value));
}

namespace detail {

void comparing::compare(const std::string& path, const json_value& a, const json_value& b) {
    if (is_full() || a == b) return;
    if (a.kind == json_value::object && b.kind == json_value::object) return compare_objects(path, a, b);
    if (a.kind == json_value::list && b.kind == json_value::list) return compare_lists(path, a, b);
    found_.push_back({path, short_text(a), short_text(b)});
}

void comparing::add(std::string path, std::string first, std::string second) {
    if (!is_full()) found_.push_back({std::move(path), std::move(first), std::move(second)});
}

void comparing::compare_objects(const std::string& path, const json_value& a, const json_value& b) {
    for (const auto& [name, value] : a.fields) {
        const auto* const other = b.find(name);
        if (other)
            compare(path_inside(path, name), value, *other);
        else
            add(path_inside(path, name), short_text(value), "");
    }
    for (const auto& [name, value] : b.fields)
        if (!a.find(name)) add(path_inside(path, name), "", short_text(value));
}

void comparing::compare_lists(const std::string& path, const json_value& a, const json_value& b) {
    const auto both = std::min(a.items.size(), b.items.size());
    for (std::size_t i = 0; i < both; ++i) compare(path_inside(path, std::to_string(i)), a.items[i], b.items[i]);
    for (auto i = both; i < a.items.size(); ++i) add(path_inside(path, std::to_string(i)), short_text(a.items[i]), "");
    for (auto i = both; i < b.items.size(); ++i) add(path_inside(path, std::to_string(i)), "", short_text(b.items[i]));
}

} // namespace detail

std::vector<field_difference> detail::difference_of(const json_value& a, const json_value& b, std::size_t most) {
    comparing all(most);
    all.compare("", a, b);
    return all.take();
}

std::vector<field_difference> detail::difference_of_images(const chart_core& core, std::span<const std::byte> a, std::span<const std::byte> b,
                                                           std::size_t most) {
    return difference_of(describe_image(core, a), describe_image(core, b), most);
}

std::vector<field_difference> savable_instance::difference(std::span<const std::byte> a, std::span<const std::byte> b) const {
    return difference_of_images(core_of(machine_), a, b);
}

std::string field_difference::to_string() const {
    const auto shown = [](const std::string& value) { return value.empty() ? "nothing" : value; };
    return path + ": " + shown(first) + ", and " + shown(second);
}

std::vector<field_difference> difference(const instance_base& a, const instance_base& b, std::size_t most) {
    const auto first = save(a), second = save(b);
    if (first.empty() || second.empty()) return {};
    return difference_of_images(core_of(instance_access::engine_of(a)), first, second, most);
}

std::vector<field_difference> difference(const chart_base& chart, std::span<const std::byte> a, std::span<const std::byte> b, std::size_t most) {
    return difference_of_images(require_chart(chart), a, b, most);
}

std::vector<field_difference> detail::difference_of_values(serialize_function serialize, const void* a, const void* b, std::size_t most) {
    return difference_of(fields_of_object(serialize, a), fields_of_object(serialize, b), most);
}

} // namespace hsm
