#include <hsm/save/image.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/save/archive.hpp>
#include <hsm/save/check_saveable.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_format.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/machine_source.hpp>

#include <new>
#include <string>

namespace hsm::detail {

namespace {

/// Returns whether the machine is not observed and nothing waits in its queues.
bool is_quiet(const machine& m, const chart_core& core) {
    if (core.observed || (m.state & state_scaled)) return false;
    const auto* const queues = queues_of(m, core);
    return !queues || (queues->internal.size() + queues->posted.size() == 0 && !queues->mail);
}

std::size_t times_size(const chart_core& core, index leaf) { return core.options.entry_times ? path_length(core, leaf) * sizeof(std::int64_t) : 0; }
std::size_t records_size(const chart_core& core) { return core.history_owners.size() * sizeof(index); }

bool is_record(const chart_core& core, std::size_t owner, index recorded) {
    return recorded == 0 || may_be_recorded(core, core.history_owners[owner], recorded);
}

/// The words of the head that are equal in all images of quiet machines of a chart.
constexpr std::size_t word = sizeof(std::uint64_t);
constexpr std::size_t equal_words[] = {0, 1, 2, 3, 4, 5, 6, 8, 10}; // prefix, counts, checksum, time scale
constexpr std::size_t size_at = 7 * word, now_at = 9 * word, leaf_at = 11 * word;
static_assert(sizeof(image_prefix) + sizeof(image_counts) == size_at && sizeof(image_head) == leaf_at + word);

/// The last word of a head.
struct head_end {
    std::uint16_t leaf;
    std::uint8_t work;
    std::uint8_t state;
    std::uint32_t reserved;
};
static_assert(sizeof(head_end) == word);

template <class T> T read(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}
template <class T> void write(std::byte* to, const T& value) { std::memcpy(to, &value, sizeof value); }

bool has_equal_words(const std::byte* a, const std::byte* b) {
    std::uint64_t differs = 0;
    for (const auto i : equal_words) differs |= read<std::uint64_t>(a + i * word) ^ read<std::uint64_t>(b + i * word);
    return differs == 0;
}

} // namespace

std::size_t save_plain(machine& m, const chart_core& core, const image_layout& layout, std::span<std::byte> to) {
    if (!is_quiet(m, core)) return 0;
    if (m.leaf != no_index && m.shallowest_change != no_index) stamp(m, core);
    const auto times = times_size(core, m.leaf), records = records_size(core);
    const std::uint64_t size = sizeof(image_head) + times + records;
    if (size > to.size()) return size;
    auto* const at = to.data();
    std::memcpy(at, layout.plain_head.data(), sizeof(image_head));
    write(at + size_at, size);
    write(at + now_at, m.now);
    write(at + leaf_at, head_end{m.leaf, static_cast<std::uint8_t>(m.work & lasting_work), static_cast<std::uint8_t>(m.state & lasting_state), 0});
    if (times > 0) std::memcpy(at + sizeof(image_head), m.block + core.layout.times, times);
    if (records > 0) std::memcpy(at + sizeof(image_head) + times, &record_of(m, core, 0), records);
    return size;
}

bool restore_plain(machine& m, const chart_core& core, const image_layout& layout, std::span<const std::byte> from) {
    if (from.size() < sizeof(image_head) || !is_quiet(m, core)) return false;
    const auto* const at = from.data();
    if (!has_equal_words(at, layout.plain_head.data())) return false;
    const auto size = read<std::uint64_t>(at + size_at);
    const auto now = read<std::int64_t>(at + now_at);
    const auto end = read<head_end>(at + leaf_at);
    if (now < 0 || end.reserved != 0 || (end.work & ~lasting_work) || (end.state & ~(state_paused | state_ready))) return false;
    if (end.leaf == no_index ? end.work != 0 : !can_be_active(core, end.leaf)) return false;
    const auto times = times_size(core, end.leaf), records = records_size(core);
    if (size != sizeof(image_head) + times + records || size > from.size()) return false;
    const auto* const parts = at + sizeof(image_head);
    for (std::size_t i = 0; i < core.history_owners.size(); ++i)
        if (!is_record(core, i, read<index>(parts + times + i * sizeof(index)))) return false;
    if (times > 0) std::memcpy(m.block + core.layout.times, parts, times);
    if (records > 0) std::memcpy(&record_of(m, core, 0), parts + times, records);
    m.leaf = end.leaf;
    m.now = now;
    m.work = end.work;
    m.shallowest_change = m.leaf == no_index ? 0 : no_index;
    m.state = static_cast<std::uint8_t>((m.state & ~(lasting_state | state_watched | state_fired | state_posted)) | end.state);
    end_call(m, core);
    return true;
}

namespace {

/// The name, unless it is in the chart, and the data as JSON.
struct written_name {
    std::string name;
    std::string data;
};

void serialize_name(archive& a, void* value) {
    auto& event = *static_cast<named_event*>(value);
    written_name written{std::string(event.name()), to_string(event.data())};
    a("name", written.name)("data", written.data);
    if (!a.reading()) return;
    event_data data;
    if (!read_json(written.data, data)) a.reject("the data of an event is not JSON");
    const name_node read{written.name, std::move(data)};
    const named_event view(read);
    event = read.name.empty() && !read.data ? named_event() : view; // a copy with its own memory
}

void move_name(void* to, void* from) noexcept { *new (to) named_event() = static_cast<named_event&&>(*static_cast<named_event*>(from)); }

} // namespace

const value_codec codec_of_names{&local_type_of<named_event>,
                                 &event_type_of<named_event>,
                                 &serialize_name,
                                 [](void* memory) { new (memory) named_event(); },
                                 &move_name,
                                 [](void* value) noexcept { static_cast<named_event*>(value)->~named_event(); }};

} // namespace hsm::detail

namespace hsm {

using namespace detail;

namespace detail {

namespace {
std::uint64_t add_bytes(std::uint64_t hash, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        std::uint64_t part = 0;
        const auto count = bytes.size() < sizeof part ? bytes.size() : sizeof part;
        std::memcpy(&part, bytes.data(), count);
        hash = (hash ^ part) * 0x100'0000'01b3;
        hash ^= hash >> 29;
        bytes = bytes.subspan(count);
    }
    return hash;
}
} // namespace

std::uint64_t checksum_of_bytes(std::span<const std::byte> head, std::span<const std::byte> parts) {
    return add_bytes(add_bytes(0xcbf2'9ce4'8422'2325, head), parts);
}

void image_writer::put_fields(const value_layout& layout, const void* object) {
    if (layout.codec == &codec_of_names && is_blank(*static_cast<const named_event*>(object))) return put(std::uint64_t(0));
    std::vector<std::byte> fields;
    byte_writer to(fields);
    layout.codec->serialize(to, const_cast<void*>(object));
    put(static_cast<std::uint64_t>(fields.size()));
    put_bytes(fields.data(), fields.size());
}

namespace {
HSM_NOINLINE std::size_t save_by_sections(machine& m, const chart_core& core, const image_layout& layout, std::span<std::byte> to, bool checksum) {
    if (!layout.is_saveable) [[unlikely]]
        require_saveable(core, saving::image);
    if (m.leaf != no_index) stamp(m, core);
    machine_source source(m, core);
    auto head = source.head();
    static_cast<image_prefix&>(head) = {image_magic, image_version, 0, layout.chart, layout.layout};
    image_writer out(to);
    out.skip(sizeof head); // the head is written last
    write_sections(out, core, layout, head, source);
    if (out.size() > to.size()) return out.size();
    head.size = out.size();
    if (checksum) {
        head.flags = image_has_checksum;
        head.checksum = checksum_of(head, to.subspan(sizeof head, out.size() - sizeof head));
    }
    std::memcpy(to.data(), &head, sizeof head);
    return out.size();
}
} // namespace

void gather_mail(machine& m) {
    auto* const queues = queues_of(m, core_of(m));
    if (queues && queues->mail) queues->mail->gather();
}

std::size_t save_machine(machine& m, std::span<std::byte> to, bool checksum) {
    const auto& core = core_of(m);
    const auto& layout = image_layout_of(core);
    if (layout.is_plain && !checksum)
        if (const auto size = save_plain(m, core, layout, to); size > 0) return size;
    return save_by_sections(m, core, layout, to, checksum);
}

} // namespace detail

std::size_t image_size(const instance_base& agent) {
    auto& m = instance_access::engine_of(agent);
    if (is_busy(m)) return 0;
    gather_mail(m);
    return save_machine(m, {}, false);
}

namespace {

/// Assumes that every state is active, and the largest events.
std::size_t most_sections_size(const chart_core& core, const image_layout& layout) {
    const auto states = core.states.size();
    std::size_t size = core.regions.size() * sizeof(index) + layout.condition_words * sizeof(condition_word);
    size += states * (sizeof(std::int64_t) + sizeof(std::uint32_t) + 1) + core.timers.size() * 2 * sizeof(std::int64_t);
    for (const auto& local : layout.locals) size += local.form == value_layout::bytes ? local.size : sizeof(std::uint64_t);
    size += states * sizeof(index) + (core.history_owners.size() + core.region_records) * sizeof(index);
    return size;
}

std::size_t most_waiting_size(const machine& m, const chart_core& core) {
    const std::size_t payload = core.event_size + sizeof(std::uint64_t);
    std::size_t size = core.has_holds ? slot_count(core) * (sizeof(waiting_entry) + sizeof(pending_entry) + payload) : 0;
    if (core.has_defers) size += deferral_of(m, core).capacity * (sizeof(std::uint16_t) + payload);
    if (!(m.state & state_queues)) return size;
    const auto* const queues = queues_of(m, core);
    const auto usual = at_creation({});
    auto events = queues ? queues->internal.capacity() + queues->posted.capacity() : std::size_t(usual.internal_queue) + usual.posted_queue;
    if (queues && queues->mail) events += queues->mail->capacity();
    return size + events * (sizeof(queue_entry) + payload);
}

} // namespace

std::size_t most_image_size(const instance_base& agent) {
    const auto& m = instance_access::engine_of(agent);
    const auto& core = core_of(m);
    return sizeof(image_head) + most_sections_size(core, image_layout_of(core)) + most_waiting_size(m, core);
}

saved save(const instance_base& agent, std::span<std::byte> to, image_options how) {
    auto& m = instance_access::engine_of(agent);
    if (is_busy(m)) return {result::busy, 0};
    gather_mail(m);
    const auto size = save_machine(m, to, how.checksum);
    if (size <= to.size()) [[likely]]
        return {result::taken, size};
    throw save_error({code::small_image, calls::root_path(m),
                      "the image takes " + std::to_string(size) + " bytes, but the buffer has " + std::to_string(to.size()),
                      "call image_size() for the size"});
}

std::vector<std::byte> save(const instance_base& agent, image_options how) {
    auto& m = instance_access::engine_of(agent);
    std::vector<std::byte> image(image_size(agent));
    if (!image.empty()) save_machine(m, image, how.checksum);
    return image;
}

} // namespace hsm
