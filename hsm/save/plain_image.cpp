#include <hsm/save/detail/image_machine.hpp>

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/save/detail/image_format.hpp>
#include <hsm/save/detail/legal_states.hpp>
#include <hsm/save/detail/machine_source.hpp>

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

} // namespace hsm::detail
