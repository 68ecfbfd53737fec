#include <hsm/observe/trace_reader.hpp>

#include <hsm/observe/detail/trace_format.hpp>
#include <hsm/observe/record_text.hpp>
#include <hsm/observe/trace_error.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm {

using namespace detail;

namespace {

constexpr std::size_t buffer_size = 1 << 16;
constexpr const char* damaged = "the file is damaged, or not from a trace_writer";

/// Reads the payload of a chunk of names. Reading past the end sets `short_of`.
class payload_reader {
public:
    explicit payload_reader(std::string_view bytes) : left_(bytes) {}

    template <class Number> Number number() {
        Number n = 0;
        const auto bytes = take(sizeof(n));
        if (bytes.size() == sizeof(n)) std::memcpy(&n, bytes.data(), sizeof(n));
        return little_endian(n);
    }
    std::string text() { return std::string(take(number<std::uint32_t>())); }
    std::string_view take(std::size_t count) {
        if (count > left_.size()) {
            short_of_ = true;
            left_ = {};
            return {};
        }
        const auto taken = left_.substr(0, count);
        left_.remove_prefix(count);
        return taken;
    }
    /// Requires that each element has at least `least` bytes, so an invalid count is detected before memory is allocated.
    template <class List, class Take> void list(List& to, std::size_t least, Take take_one) {
        const auto count = number<std::uint32_t>();
        if (count > left_.size() / least) short_of_ = true;
        for (std::uint32_t i = 0; i < count && !short_of_; ++i) to.push_back(take_one());
    }
    bool short_of() const { return short_of_; }
    std::string_view rest() const { return left_; }

private:
    std::string_view left_;
    bool short_of_ = false;
};

chart_names::state take_state(payload_reader& in) {
    const auto superstate = in.number<std::uint16_t>();
    const auto flags = in.number<std::uint16_t>();
    return {in.text(), superstate, (flags & 1) != 0};
}

chart_names::transition take_transition(payload_reader& in) {
    const auto source = in.number<std::uint16_t>();
    const auto target = in.number<std::uint16_t>();
    const auto event = in.number<std::uint32_t>();
    return {in.text(), source, target, event};
}

chart_names take_names(payload_reader& in) {
    chart_names names;
    const auto print = in.take(names.fingerprint.size());
    std::ranges::copy(print, names.fingerprint.begin());
    in.list(names.states, 8, [&] { return take_state(in); });
    in.list(names.transitions, 12, [&] { return take_transition(in); });
    for (auto* list : {&names.events, &names.conditions, &names.guards, &names.hooks, &names.timers}) in.list(*list, 4, [&] { return in.text(); });
    return names;
}

/// Returns whether each state but the first follows its superstate.
bool is_tree(const std::vector<chart_names::state>& states) {
    for (std::size_t s = 0; s < states.size(); ++s)
        if (s == 0 ? states[s].superstate != record::no_state : states[s].superstate >= s) return false;
    return !states.empty() && states.size() < record::no_state;
}

/// Returns the memory in bytes that tracking a machine of this chart needs: the states, and a list for each region.
std::uint64_t weight_of(const chart_names& names) {
    std::uint64_t regions = 1;
    for (const auto& s : names.states)
        if (s.superstate != record::no_state) regions += names.states[s.superstate].parallel;
    return sizeof(trace_track) + names.states.size() / 4 + 64 * regions;
}

bool is_number_in(std::uint32_t number, std::size_t size) { return number < size || number == record::no_number; }

bool has_number(const record& r, const chart_names& names) {
    switch (r.kind) {
    case record_kind::event:
    case record_kind::deferred:
    case record_kind::recalled:
    case record_kind::dropped: return is_number_in(r.number, names.events.size());
    case record_kind::guard: return r.what > 1 || is_number_in(r.number, names.guards.size());
    case record_kind::transition:
    case record_kind::held:
    case record_kind::leave_requested:
    case record_kind::scored:
    case record_kind::refused: return is_number_in(r.number, names.transitions.size());
    case record_kind::action: return is_number_in(r.number, names.hooks.size());
    case record_kind::armed:
    case record_kind::due: return is_number_in(r.number, names.timers.size());
    case record_kind::condition: return is_number_in(r.number, names.conditions.size());
    case record_kind::configuration: return r.number <= names.states.size();
    default: return true;
    }
}

} // namespace

trace_reader::trace_reader(byte_source& from) : from_(from), buffer_(buffer_size) { read_file_head(); }

void trace_reader::complain(std::string problem) const { throw trace_error(code::broken_trace, offset_, std::move(problem), damaged); }

bool trace_reader::fill(std::size_t bytes) {
    if (available() >= bytes) return true;
    std::memmove(buffer_.data(), buffer_.data() + at_, available());
    end_ -= at_;
    at_ = 0;
    while (end_ < bytes) {
        const auto count = from_.read(buffer_.data() + end_, buffer_.size() - end_);
        if (count == 0) return false;
        end_ += count;
    }
    return true;
}

const char* trace_reader::take(std::size_t bytes) {
    const auto* const taken = buffer_.data() + at_;
    at_ += bytes;
    offset_ += bytes;
    return taken;
}

void trace_reader::read_file_head() {
    const bool is_trace = fill(16) && std::string_view(buffer_.data(), trace_magic.size()) == trace_magic;
    if (!is_trace) throw trace_error(code::not_a_trace, 0, "the file does not begin with \"HSMTRACE\"", "pass a file that a trace_writer wrote");
    std::uint32_t version = 0;
    std::memcpy(&version, buffer_.data() + trace_magic.size(), sizeof(version));
    version = little_endian(version);
    if (version != trace_version)
        throw trace_error(code::trace_version, 8, fmt::format("the file has version {}, but this library reads version {}", version, trace_version),
                          "read it with the version of the library that wrote it");
    take(16);
}

bool trace_reader::next_chunk() {
    while (left_ == 0) {
        if (!fill(sizeof(chunk_head))) {
            if (available() > 0) complain("the file ends within the head of a chunk");
            return false;
        }
        if (complete_) complain("the file has data after its end chunk");
        chunk_head in_file;
        std::memcpy(&in_file, buffer_.data() + at_, sizeof(in_file));
        in_file = little_endian(in_file);
        const head h{in_file.kind, in_file.size, in_file.number, in_file.other};
        switch (static_cast<chunk_kind>(h.kind)) {
        case chunk_kind::chart: read_chart(h); break;
        case chunk_kind::track: read_track(h); break;
        case chunk_kind::records: begin_records(h); break;
        case chunk_kind::end:
            if (h.size > 0) complain("the end chunk contains data");
            take(sizeof(chunk_head));
            complete_ = true;
            break;
        default: complain(fmt::format("a chunk has kind {}, which does not exist", h.kind));
        }
    }
    return true;
}

void trace_reader::begin_records(const head& h) {
    if (h.number >= tracks_.size()) complain(fmt::format("records belong to track {}, which the file does not define before them", h.number));
    if (h.size % sizeof(record) != 0) complain(fmt::format("records take {} bytes, which is not a multiple of 16", h.size));
    take(sizeof(chunk_head));
    left_ = h.size / sizeof(record);
    entry_.track = h.number;
    names_ = &names_of_track(h.number);
}

std::string trace_reader::read_payload(const head& h) {
    definitions_ += h.size;
    if (h.size > largest_names || definitions_ > largest_definitions)
        throw trace_error(code::large_trace, offset_, fmt::format("these names take {} bytes, and all names together {}", h.size, definitions_),
                          "write a separate trace for each chart; the limits are 64 MB for one chart and 256 MB in total");
    take(sizeof(chunk_head));
    std::string payload;
    while (payload.size() < h.size) {
        if (!fill(1)) complain("the file ends within a chunk of names");
        const auto count = std::min(available(), h.size - payload.size());
        payload.append(take(count), count);
    }
    return payload;
}

void trace_reader::read_chart(const head& h) {
    if (h.number != charts_.size()) complain(fmt::format("the file contains chart {} instead of chart {}", h.number, charts_.size()));
    const auto payload = read_payload(h);
    payload_reader in(payload);
    auto names = take_names(in);
    if (in.short_of() || !in.rest().empty()) complain(fmt::format("the names of chart {} do not fill their chunk exactly", h.number));
    if (!is_tree(names.states)) complain(fmt::format("the states of chart {} do not form a tree", h.number));
    weights_.push_back(weight_of(names));
    charts_.push_back(std::move(names));
}

void trace_reader::read_track(const head& h) {
    if (h.number != tracks_.size()) complain(fmt::format("the file contains track {} instead of track {}", h.number, tracks_.size()));
    if (h.other >= charts_.size()) complain(fmt::format("track {} belongs to chart {}, which the file does not define before it", h.number, h.other));
    definitions_ += weights_[h.other];
    const auto payload = read_payload(h);
    payload_reader in(payload);
    const auto agent = in.number<std::uint32_t>(), generation = in.number<std::uint32_t>();
    if (in.short_of()) complain(fmt::format("track {} has no agent", h.number));
    tracks_.push_back({h.other, agent, generation, std::string(in.rest())});
}

void trace_reader::check(const record& r) const {
    if (static_cast<std::size_t>(r.kind) >= record_kind_count) complain(fmt::format("a record has kind {}, which does not exist", int(r.kind)));
    if (r.kind == record_kind::more) {
        if (r.what > 14) complain("a record is continued beyond its maximum size");
        return;
    }
    const bool is_state = r.kind != record_kind::call && r.kind != record_kind::call_end && r.state != record::no_state;
    if (is_state && r.state >= names_->states.size()) complain(fmt::format("a record names state {}, which does not exist", r.state));
    if (!has_number(r, *names_)) complain(fmt::format("{} has number {}, which does not exist", to_string(r.kind), r.number));
}

record trace_reader::take_record(bool is_text) {
    if (!fill(sizeof(record))) complain("the file ends within records");
    record r;
    std::memcpy(&r, buffer_.data() + at_, sizeof(r));
    r = little_endian(r, is_text);
    check(r);
    take(sizeof(r));
    --left_;
    return r;
}

void trace_reader::take_text() {
    text_.clear();
    while (left_ > 0 && fill(1) && buffer_[at_] == static_cast<char>(record_kind::more)) text_ += further_text(take_record(true));
}

const trace_entry* trace_reader::next() {
    if (left_ == 0 && !next_chunk()) return nullptr;
    entry_.what = take_record(false);
    entry_.text = {};
    if (entry_.what.kind == record_kind::event) {
        take_text();
        entry_.text = text_;
    }
    return &entry_;
}

} // namespace hsm
