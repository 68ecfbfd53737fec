#include <hsm/save/image.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/save/check_saveable.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_format.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/savable.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/leave_requests.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <array>
#include <new>
#include <string>

namespace hsm::detail {

namespace {

/// Returns whether the machine is not observed and nothing waits in its queues.
bool is_quiet(const machine& m, const chart_core& core) {
    if (core.observed || (m.state & lasting_state & ~plain_state)) return false;
    const auto* const queues = queues_of(m, core);
    return !queues || (queues->internal.empty() && queues->posted.empty() && !queues->mail);
}

std::size_t times_size(const chart_core& core, index leaf) { return core.options.entry_times ? path_length(core, leaf) * sizeof(std::int64_t) : 0; }
std::size_t records_size(const chart_core& core) { return core.history_owners.size() * sizeof(index); }

bool is_record(const chart_core& core, std::size_t owner, index recorded) {
    return recorded == 0 || may_be_recorded(core, core.history_owners[owner], recorded);
}

constexpr std::size_t word = sizeof(std::uint64_t);
constexpr std::size_t size_at = 7 * word, now_at = 9 * word, leaf_at = 11 * word;
static_assert(sizeof(image_prefix) + sizeof(image_counts) == size_at && sizeof(image_head) == leaf_at + word);
/// The other words of the head, which are equal in all images of quiet machines of a chart.
constexpr auto equal_words = [] {
    std::array<std::size_t, sizeof(image_head) / word - 3> offsets{};
    std::size_t count = 0;
    for (std::size_t at = 0; at < sizeof(image_head); at += word)
        if (at != size_at && at != now_at && at != leaf_at) offsets[count++] = at;
    return offsets;
}();

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
    for (const auto at : equal_words) differs |= read<std::uint64_t>(a + at) ^ read<std::uint64_t>(b + at);
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
    if (now < 0 || end.reserved != 0 || (end.work & ~lasting_work) || (end.state & ~plain_state)) return false;
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

/// The parts of an image, read from a machine that is not in a call. Requires that entry times were stored.
class machine_source {
public:
    machine_source(const machine& m, const chart_core& core) : m_(m), core_(core) {}

    image_head head() const {
        auto h = head_of(m_, core_);
        if (core_.by_regions && core_.has_marks) h.due = static_cast<std::uint16_t>(due_list_of(m_, core_).count);
        if (m_.work & work_waiting) each_waiting([&](const waiting_entry&) { ++h.waiting; });
        if (m_.work & work_pending) each_pending([&](const pending_entry&, const void*) { ++h.pending; });
        if (core_.has_defers) h.deferred = deferral_of(m_, core_).count;
        if (auto* const queues = queues_of(m_, core_)) {
            h.internal = static_cast<std::uint16_t>(queues->internal.size());
            h.posted = static_cast<std::uint16_t>(queues->posted.size());
            if (queues->mail) queues->mail->each_with_payload([&](const queued_entry&, const void*) { ++h.mailed; });
        }
        return h;
    }

    index leaf(std::size_t region) const { return region_leaf_of(m_, core_, region); }
    /// Clears bit 0, which duplicates the leaf.
    hsm::detail::condition_word condition_word(std::size_t w) const {
        const condition_bits bits(m_, core_);
        return {w == 0 ? bits.word(0) & ~std::uint64_t(1) : bits.word(w), bits.pulsed(w)};
    }
    void put_path_times(image_writer& out, std::size_t length) const { out.put_bytes(entry_times(m_, core_), length * sizeof(std::int64_t)); }
    std::int64_t entered(index s) const { return entry_times(m_, core_)[entry_slot(core_, s)]; }
    std::uint32_t entered_by(index s) const { return entered_by_of(m_, core_).slots()[core_.states[s].time_slot]; }
    std::uint8_t marks(index s) const {
        const auto& row = core_.states[s];
        int marks = 0;
        if (row.marked && s != 0) marks |= (marks_of(m_, core_)[s] ? mark_over_bit : 0) | (due_of(m_, core_)[s] ? mark_due_bit : 0);
        if (row.holds && released_of(m_, core_)[s]) marks |= mark_released_bit;
        return static_cast<std::uint8_t>(marks);
    }
    std::int64_t due(std::uint32_t timer) const { return due_at(m_, core_, timer); }
    std::int64_t period(std::uint32_t timer) const { return period_of(m_, core_, timer); }
    void put_local(image_writer& out, const value_layout& layout, std::uint32_t local) const {
        out.put_value(layout, m_.block + core_.layout.locals + core_.locals[local].offset);
    }
    index due_state(std::size_t i) const { return due_list_of(m_, core_).states[i]; }
    index record(std::size_t owner) const { return record_of(m_, core_, owner); }
    index region_record(std::size_t owner, std::uint32_t region) const { return region_records_of(m_, core_, owner)[region]; }
    const chance_head& chance() const { return chance_of(m_, core_); }
    std::int64_t cooldown(std::size_t i) const { return cool_until(m_, core_, i); }

    template <class Visit> void each_waiting(const Visit& visit) const {
        if (!(m_.work & work_waiting)) return;
        for (std::size_t i = 0; i < slot_count(core_); ++i)
            if (const auto& w = waiting_at(m_, core_, i); w.transition) visit({static_cast<std::uint16_t>(i), w.holder, w.transition});
    }
    template <class Visit> void each_pending(const Visit& visit) const {
        if (!(m_.work & work_pending)) return;
        for (std::size_t i = 0; i < slot_count(core_); ++i) {
            const auto& p = pending_at(m_, core_, i);
            if (p.kind == pending_slot::request) visit({static_cast<std::uint16_t>(i), p.source, p.target, 1, 0}, &any_named_event);
            if (p.kind == pending_slot::event) visit({static_cast<std::uint16_t>(i), 0, 0, 0, p.transition}, payload_at(m_, core_, i));
        }
    }
    std::uint64_t leave_request_word(std::size_t w) const { return made_requests(m_, core_).word(w); }
    template <class Visit> void each_deferred(const Visit& visit) const {
        const std::size_t count = core_.has_defers ? deferral_of(m_, core_).count : 0;
        for (std::size_t i = 0; i < count; ++i) visit(deferred_event(m_, core_, i), deferred_payload(m_, core_, i));
    }
    template <class Visit> void each_queued(const Visit& visit) const {
        const auto one = [&](const queued_entry& e, const void* payload) {
            visit({e.column, e.is_request() ? e.target : no_index, e.has_payload, e.is_request() && e.force}, payload);
        };
        auto* const queues = queues_of(m_, core_);
        if (!queues) return;
        queues->internal.each_with_payload(one);
        queues->posted.each_with_payload(one);
        if (queues->mail) queues->mail->each_with_payload(one);
    }
    void put_payload(image_writer& out, const value_layout& layout, const void* payload) const { out.put_value(layout, payload); }

private:
    const machine& m_;
    const chart_core& core_;
};

} // namespace

HSM_NOINLINE std::size_t save_machine(machine& m, const image_layout& layout, std::span<std::byte> to, bool checksum) {
    const auto& core = core_of(m);
    if (!layout.is_saveable) [[unlikely]]
        require_saveable(core, saving::image);
    if (m.leaf != no_index) stamp(m, core);
    machine_source source(m, core);
    auto head = source.head();
    static_cast<image_prefix&>(head) = {image_magic, image_version, 0, layout.chart, layout.layout};
    image_writer out(to);
    out.skip(sizeof head); // the head is written last
    write_sections(out, core, layout, head, source);
    return finish_image(out, to, head, checksum);
}

void append_value(std::vector<std::byte>& to, const value_layout& layout, const void* object) {
    image_writer counting({});
    counting.put_value(layout, object);
    const auto at = to.size();
    to.resize(at + counting.size());
    image_writer(std::span(to).subspan(at)).put_value(layout, object);
}

void gather_mail(machine& m) {
    auto* const queues = queues_of(m, core_of(m));
    if (queues && queues->mail) queues->mail->gather();
}

std::size_t save_machine(machine& m, std::span<std::byte> to, bool checksum) {
    const auto& core = core_of(m);
    const auto& layout = image_layout_of(core);
    if (layout.is_plain && !checksum)
        if (const auto size = save_plain(m, core, layout, to); size > 0) return size;
    return save_machine(m, layout, to, checksum);
}

std::span<const std::byte> save_machine(machine& m, std::vector<std::byte>& scratch) {
    std::size_t size = 0;
    while ((size = save_machine(m, scratch, false)) > scratch.size()) scratch.resize(size);
    return std::span(scratch).first(size);
}

namespace {

/// Assumes that every state is active, and the largest events.
std::size_t most_sections_size(const chart_core& core, const image_layout& layout) {
    const auto states = core.states.size();
    std::size_t size = core.regions.size() * sizeof(index) + layout.condition_words * sizeof(condition_word);
    size += states * (sizeof(std::int64_t) + sizeof(std::uint32_t) + 1) + core.timers.size() * 2 * sizeof(std::int64_t);
    for (const auto& local : layout.locals) size += local.form == value_layout::bytes ? local.size : sizeof(std::uint64_t);
    size += words_for(core.leave_requests.size()) * sizeof(std::uint64_t);
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

savable_instance::savable_instance(const instance_base& agent) : agent_(agent), machine_(instance_access::engine_of(agent)) {}
std::string savable_instance::path() const { return calls::root_path(machine_); }
bool savable_instance::is_busy() const { return detail::is_busy(machine_); }
void savable_instance::gather_mail() const { detail::gather_mail(machine_); }
std::size_t savable_instance::most_image_size() const {
    image_size_of(*this); // throws if the instance cannot be saved
    return hsm::most_image_size(agent_);
}
std::size_t savable_instance::save(std::span<std::byte> to, bool checksum) const { return save_machine(machine_, to, checksum); }

owned<savable> make_savable(instance_base& agent) { return make_owned<savable_instance>(agent); }

void refuse_small_buffer(std::string path, std::size_t needed, std::size_t there) {
    throw save_error({code::small_image, std::move(path),
                      "the image takes " + std::to_string(needed) + " bytes, but the buffer has " + std::to_string(there),
                      "call image_size() for the size"});
}

} // namespace hsm::detail

namespace hsm {

using namespace detail;

std::size_t most_image_size(const instance_base& agent) {
    const auto& m = instance_access::engine_of(agent);
    const auto& core = core_of(m);
    return sizeof(image_head) + most_sections_size(core, image_layout_of(core)) + most_waiting_size(m, core);
}

std::size_t image_size(const instance_base& agent) { return image_size_of(savable_instance(agent)); }
saved save(const instance_base& agent, std::span<std::byte> to, image_options how) { return save_into(savable_instance(agent), to, how); }
std::vector<std::byte> save(const instance_base& agent, image_options how) { return image_of(savable_instance(agent), how); }

} // namespace hsm
