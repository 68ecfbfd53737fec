#include <hsm/observe/trace_writer.hpp>

#include <hsm/observe/detail/trace_definitions.hpp>
#include <hsm/observe/detail/trace_format.hpp>

#include <algorithm>
#include <bit>

namespace hsm {

using namespace detail;

namespace {
constexpr std::size_t text_per_record = 14;
constexpr std::size_t most_text = 64; ///< records
constexpr auto said_by_calls = record_kind::call | record_kind::call_end | record_kind::configuration;

bool begins_trace(const record& r) {
    return r.kind == record_kind::configuration && static_cast<configuration_reason>(r.what) == configuration_reason::attached;
}
} // namespace

trace_writer::trace_writer(byte_sink& to, trace_options options)
    : rare_(options.describe_events ? said_by_calls | record_kind::event : said_by_calls), buffer_(room), options_(std::move(options)), to_(to),
      definitions_(new trace_definitions) {
    next_ = stop_ = buffer_.data(); // the first record is looked at: it says which chart it is
    std::string head(trace_magic);
    const std::uint32_t numbers[] = {little_endian(trace_version), 0};
    head.append(reinterpret_cast<const char*>(numbers), sizeof(numbers));
    write(head.data(), head.size());
}

trace_writer::~trace_writer() {
    close();
    delete definitions_;
}

void trace_writer::on_record(const record& r, const moment& when) {
    if (next_ == stop_ || rare_.has(r.kind)) [[unlikely]]
        return on_rare_record(r, when);
    *next_++ = r;
}

void trace_writer::on_rare_record(const record& r, const moment& when) {
    if (closed_) return;
    const auto who = definitions_->whose.next(r);
    auto number = definitions_->find(who);
    if (number == record::no_number || begins_trace(r)) {
        std::string news;
        number = definitions_->track_of(who, when.chart(), options_.name, news);
        if (!news.empty() && flush()) write(news.data(), news.size());
    }
    go_on_with(number);
    put(r);
    if (r.kind == record_kind::event && options_.describe_events) put_text(when);
    if (r.kind == record_kind::call_end && definitions_->whose.is_nested()) stop_ = next_; // the next one may be another's
}

void trace_writer::on_track(std::uint32_t number, const record& r, const moment& when) {
    if (closed_) return;
    go_on_with(number);
    put(r);
    if (r.kind == record_kind::event && options_.describe_events) put_text(when);
}

void trace_writer::put(const record& r) {
    if (next_ == stop_) make_room(1);
    *next_++ = r;
}

void trace_writer::put_text(const moment& when) {
    const auto text = when.describe_event();
    const auto end = std::min(text.size(), most_text * text_per_record);
    if (end > 0 && static_cast<std::size_t>(stop_ - next_) < most_text + 1) { // behind its event, in the same chunk
        const auto event = *--next_;
        make_room(most_text + 1);
        *next_++ = event;
    }
    for (std::size_t at = 0; at < end; at += text_per_record) {
        record more;
        more.kind = record_kind::more;
        more.what = static_cast<std::uint8_t>(std::min(text_per_record, end - at));
        auto* const bytes = reinterpret_cast<char*>(&more) + 2;
        std::memset(bytes, 0, text_per_record);
        std::memcpy(bytes, text.data() + at, more.what);
        *next_++ = more;
    }
}

void trace_writer::make_room(std::size_t records) {
    if (static_cast<std::size_t>(stop_ - next_) >= records) return;
    const auto number = current_;
    flush();
    begin_chunk(number);
}

void trace_writer::go_on_with(std::uint32_t number) {
    stop_ = buffer_.data() + buffer_.size();
    if (head_ && current_ == number) return;
    end_chunk();
    if (stop_ - next_ < 2) flush();
    begin_chunk(number);
}

void trace_writer::begin_chunk(std::uint32_t number) {
    current_ = number;
    head_ = next_++;
    stop_ = buffer_.data() + buffer_.size();
}

void trace_writer::end_chunk() {
    if (!head_) return;
    const auto size = static_cast<std::uint32_t>(static_cast<std::size_t>(next_ - head_ - 1) * sizeof(record));
    if constexpr (std::endian::native == std::endian::big) {
        bool is_text = false;
        for (auto* r = head_ + 1; r != next_; ++r) {
            if (r->kind != record_kind::more) is_text = r->kind == record_kind::event;
            *r = little_endian(*r, is_text);
        }
    }
    if (size == 0)
        next_ = head_;
    else
        *head_ = std::bit_cast<record>(little_endian(chunk_head{static_cast<std::uint32_t>(chunk_kind::records), size, current_, 0}));
    head_ = nullptr;
}

bool trace_writer::flush() {
    end_chunk();
    write(buffer_.data(), static_cast<std::size_t>(next_ - buffer_.data()) * sizeof(record));
    next_ = buffer_.data();
    stop_ = next_;
    return !failed_;
}

bool trace_writer::close() {
    if (closed_) return !failed_;
    flush();
    const auto end = little_endian(chunk_head{static_cast<std::uint32_t>(chunk_kind::end), 0, 0, 0});
    write(&end, sizeof(end));
    closed_ = true;
    next_ = stop_;
    return !failed_;
}

void trace_writer::write(const void* bytes, std::size_t count) {
    if (!failed_ && count > 0) failed_ = !to_.write(bytes, count);
}

void trace_writer::track::on_record(const record& r, const moment& when) {
    const bool says_chart = number_ == no_track || begins_trace(r);
    if (says_chart && !to_.closed_ && (number_ == no_track || !to_.definitions_->is_of(number_, when.chart()))) {
        std::string news;
        auto& all = *to_.definitions_;
        number_ = all.add_track(all.chart(when.chart(), news), {}, name_, news);
        if (to_.flush()) to_.write(news.data(), news.size());
    }
    to_.on_track(number_, r, when);
}

} // namespace hsm
