#include <hsm/observe/trace_writer.hpp>

#include <hsm/observe/detail/trace_format.hpp>
#include <hsm/observe/detail/turns.hpp>

#include <algorithm>
#include <bit>
#include <span>

namespace hsm {

using namespace detail;

namespace {

constexpr std::size_t text_per_record = 14;
constexpr std::size_t most_text = 64;        ///< in records
constexpr std::size_t buffer_room = 1 << 14; ///< in records; writing 256 KB at a time costs half as much as 16

/// Writes the records that follow an event.
record* put_text_records(std::string_view text, record* to) {
    const auto end = std::min(text.size(), most_text * text_per_record);
    for (std::size_t at = 0; at < end; at += text_per_record) {
        record more;
        more.kind = record_kind::more;
        more.what = static_cast<std::uint8_t>(std::min(text_per_record, end - at));
        auto* const bytes = reinterpret_cast<char*>(&more) + 2;
        std::memset(bytes, 0, text_per_record);
        std::memcpy(bytes, text.data() + at, more.what);
        *to++ = more;
    }
    return to;
}

record head_of(std::uint32_t track, std::size_t records) {
    const auto bytes = static_cast<std::uint32_t>(records * sizeof(record));
    return std::bit_cast<record>(little_endian(chunk_head{static_cast<std::uint32_t>(chunk_kind::records), bytes, track, 0}));
}

} // namespace

trace_writer::trace_writer(byte_sink& to, trace_options options)
    : buffer_(1 + buffer_room), options_(std::move(options)), to_(to), definitions_(make_owned<trace_definitions>()) {
    room_ = {buffer_.data() + 1, buffer_.data() + 1}; // no room until it is attached
    sorted_.reserve(buffer_room + 1);
    std::string head(trace_magic);
    const std::uint32_t numbers[] = {little_endian(trace_version), 0};
    head.append(reinterpret_cast<const char*>(numbers), sizeof(numbers));
    write(head.data(), head.size());
}

trace_writer::~trace_writer() {
    try {
        close();
    } catch (...) { // of the sink; a program that wants to know it calls `close`
    }
}

void trace_writer::on_attached(const moment& when) {
    if (closed_) return;
    sort_out();
    write_definitions(definitions_->register_agent({when.agent(), when.generation()}, when.chart(), options_.name));
    room_.end = buffer_.data() + buffer_.size();
}

void trace_writer::on_record(const record& r, const moment& when) {
    if (closed_) return;
    if (begins_trace(r) || definitions_->has_no_agents()) on_attached(when); // an observer that forwards records may not forward on_attached
    const bool described = r.kind == record_kind::event && options_.describe_events;
    if (static_cast<std::size_t>(room_.end - room_.next) < (described ? most_text + 1 : 1)) sort_out();
    *room_.next++ = r;
    if (described) room_.next = put_text_records(when.describe_event(), room_.next);
}

/// Sorts the records by machine into chunks. The machine changes where a call begins and after its end.
void trace_writer::sort_out() {
    const record* first = buffer_.data() + 1;
    if (definitions_->knows_one()) {
        if (first != room_.next) write_or_append(definitions_->track_of(std::span(first, room_.next)));
        first = room_.next;
    }
    while (first != room_.next) {
        const auto whose = definitions_->track_of(*first);
        const auto* last = first + 1;
        if (first->kind != record_kind::call_end)
            while (last != room_.next && last->kind != record_kind::call && last->kind != record_kind::call_end) ++last;
        if (whose != no_track) append(whose, first, last);
        first = last;
    }
    room_.next = buffer_.data() + 1;
}

/// Writes records that all belong to one machine. Many records are written directly from the buffer.
void trace_writer::write_or_append(std::uint32_t number) {
    const auto count = static_cast<std::size_t>(room_.next - buffer_.data() - 1);
    if (std::endian::native == std::endian::big || count < buffer_room / 2) return append(number, buffer_.data() + 1, room_.next);
    write_sorted();
    buffer_[0] = head_of(number, count);
    write(buffer_.data(), (count + 1) * sizeof(record));
}

/// Appends to the latest chunk if it belongs to the same machine.
void trace_writer::append(std::uint32_t number, const record* first, const record* last) {
    if (sorted_.size() + static_cast<std::size_t>(last - first) + 1 > buffer_room) write_sorted();
    if (sorted_.empty() || number != track_) {
        head_ = sorted_.size();
        track_ = number;
        sorted_.emplace_back();
    }
    const auto old_size = sorted_.size();
    sorted_.insert(sorted_.end(), first, last);
    if constexpr (std::endian::native == std::endian::big) make_little_endian(std::span(sorted_).subspan(old_size));
    sorted_[head_] = head_of(number, sorted_.size() - head_ - 1);
}

void trace_writer::write_sorted() {
    write(sorted_.data(), sorted_.size() * sizeof(record));
    sorted_.clear();
}

void trace_writer::write_definitions(const std::string& news) {
    if (news.empty()) return;
    write_sorted();
    write(news.data(), news.size());
}

bool trace_writer::flush() {
    sort_out();
    write_sorted();
    return !failed_;
}

bool trace_writer::close() {
    if (closed_) return !failed_;
    flush();
    const auto end = little_endian(chunk_head{static_cast<std::uint32_t>(chunk_kind::end), 0, 0, 0});
    write(&end, sizeof(end));
    closed_ = true;
    room_.end = room_.next;
    return !failed_;
}

void trace_writer::write(const void* bytes, std::size_t count) {
    if (failed_ || count == 0) return;
    failed_ = true; // also if the sink throws: how much of it has been written is not known then
    failed_ = !to_.write(bytes, count);
}

void trace_writer::on_track(std::uint32_t number, const record& r, const moment& when) {
    record batch[most_text + 1] = {r};
    const auto* end = batch + 1;
    if (r.kind == record_kind::event && options_.describe_events) end = put_text_records(when.describe_event(), batch + 1);
    sort_out();
    append(number, batch, end);
}

void trace_writer::track::on_attached(const moment& when) {
    auto& all = *to_.definitions_;
    if (to_.closed_ || (number_ != no_track && all.is_of(number_, when.chart()))) return;
    to_.sort_out();
    to_.write_definitions(all.add_track(when.chart(), {}, name_, number_));
}

void trace_writer::track::on_record(const record& r, const moment& when) {
    if (to_.closed_) return;
    if (begins_trace(r) || number_ == no_track) on_attached(when);
    to_.on_track(number_, r, when);
}

} // namespace hsm
