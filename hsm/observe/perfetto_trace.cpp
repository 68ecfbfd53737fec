// Perfetto's protobuf; these fields are used: https://perfetto.dev/docs/reference/trace-packet-proto
//
//     Trace            packet 1
//     TracePacket      timestamp 8, trusted_packet_sequence_id 10, track_event 11, sequence_flags 13, track_descriptor 60
//     TrackDescriptor  uuid 1, name 2, parent_uuid 5
//     TrackEvent       debug_annotations 4, type 9 (1 begins, 2 ends, 3 instant), track_uuid 11, categories 22, name 23
//     DebugAnnotation  string_value 6, name 10

#include <hsm/observe/convert.hpp>

#include <hsm/observe/detail/output.hpp>
#include <hsm/observe/detail/timeline.hpp>
#include <hsm/text/detail/utf8.hpp>

namespace hsm {

using namespace detail;

namespace {

void put_varint(std::string& out, std::uint64_t n) {
    for (; n > 0x7f; n >>= 7) out += static_cast<char>(n | 0x80);
    out += static_cast<char>(n);
}
void put_number(std::string& out, unsigned field, std::uint64_t n) {
    put_varint(out, field << 3);
    put_varint(out, n);
}
void put_bytes(std::string& out, unsigned field, std::string_view bytes) {
    put_varint(out, field << 3 | 2);
    put_varint(out, bytes.size());
    out += bytes;
}

enum slice_event : std::uint64_t { slice_begins = 1, slice_ends = 2, instant = 3 };

class perfetto_view final : public timeline_view {
public:
    explicit perfetto_view(byte_sink& to) : out_(to) {}

    void chart(std::uint32_t, const chart_names& names) override {
        auto& made = charts_.emplace_back();
        for (std::size_t s = 0; s < names.states.size(); ++s) {
            auto& begins = made.begins.emplace_back();
            put_number(begins, 9, slice_begins);
            put_bytes(begins, 22, "state");
            put_bytes(begins, 23, valid_utf8(names.name(s)));
            put_annotation(begins, "path", names.path(s));
        }
        for (const auto& s : names.states) made.names.push_back(valid_utf8(s.path));
    }
    void track(std::uint32_t number, const trace_track& track, const chart_names& names) override {
        chart_of_.push_back(track.chart);
        describe(uuid(number, 0), valid_utf8(name_of(track, names)), 0);
    }
    void region(std::uint32_t track, std::uint16_t region) override {
        describe(uuid(track, region), charts_[chart_of_[track]].names[region], uuid(track, 0));
    }
    void begins(std::uint32_t track, std::uint16_t region, std::uint16_t state, std::int64_t time) override {
        event_ = charts_[chart_of_[track]].begins[state];
        put_event(track, region, time);
    }
    void ends(std::uint32_t track, std::uint16_t region, std::uint16_t, std::int64_t time) override {
        event_.clear();
        put_number(event_, 9, slice_ends);
        put_event(track, region, time);
    }
    void transits(std::uint32_t track, std::uint16_t region, const shown_transition& t, std::int64_t time) override {
        const auto put = [&](std::string& to) { put_transition(t, to); };
        event_.clear();
        if (t.payload.empty())
            event_ = charts_[chart_of_[track]].recent.of(t.what, t.event_number, put);
        else
            put(event_);
        put_event(track, region, time);
    }
    void finish(const trace_reader& from) { finish_conversion(out_, from); }

private:
    struct chart_texts {
        std::vector<std::string> begins, names;
        recent_texts recent;
    };

    /// Never 0, which means no track.
    static std::uint64_t uuid(std::uint32_t track, std::uint16_t region) { return (std::uint64_t(track) + 1) << 16 | region; }

    static void put_transition(const shown_transition& t, std::string& to) {
        put_number(to, 9, instant);
        put_bytes(to, 22, "transition");
        put_bytes(to, 23, valid_utf8(t.text));
        put_annotation(to, "from", t.from);
        put_annotation(to, "to", t.to);
        put_annotation(to, "reason", t.reason);
        put_annotation(to, "event", t.payload.empty() ? t.event : t.payload);
    }
    static void put_annotation(std::string& to, std::string_view name, std::string_view value) {
        if (value.empty()) return;
        std::string annotation;
        put_bytes(annotation, 10, name);
        put_bytes(annotation, 6, valid_utf8(value));
        put_bytes(to, 4, annotation);
    }
    void describe(std::uint64_t id, std::string_view name, std::uint64_t parent) {
        std::string descriptor;
        put_number(descriptor, 1, id);
        put_bytes(descriptor, 2, name);
        if (parent != 0) put_number(descriptor, 5, parent);
        packet_.clear();
        put_bytes(packet_, 60, descriptor);
        put_packet();
    }
    void put_event(std::uint32_t track, std::uint16_t region, std::int64_t time) {
        put_number(event_, 11, uuid(track, region));
        packet_.clear();
        put_number(packet_, 8, static_cast<std::uint64_t>(time));
        put_bytes(packet_, 11, event_);
        put_packet();
    }
    void put_packet() {
        put_number(packet_, 10, 1);
        if (first_) put_number(packet_, 13, 1); // clears incremental state
        first_ = false;
        head_.clear();
        put_varint(head_, 1 << 3 | 2);
        put_varint(head_, packet_.size());
        out_.put(head_);
        out_.put(packet_);
    }

    output out_;
    std::deque<chart_texts> charts_;
    std::vector<std::uint32_t> chart_of_;
    std::string event_, packet_, head_;
    bool first_ = true;
};

} // namespace

void write_perfetto_trace(trace_reader& from, byte_sink& to) {
    perfetto_view view(to);
    play(from, view);
    view.finish(from);
}

} // namespace hsm
