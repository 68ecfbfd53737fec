/// An observer that writes a trace file: docs/reference/trace_format.md. The file contains the names, so reading it does not require the program.
///
///     hsm::file_sink file("run.trace");
///     hsm::trace_writer trace(file);
///     auto attached = agent.attach(trace);
///
/// Attach a writer to one instance, one crowd or one manager. For several instances, create a track for each instance. If `state_records` are among
/// the kinds, the records of each machine begin with the machine's active states; otherwise a reader cannot know the active states. A writer belongs
/// to the thread of the observed machine. It allocates for each machine, but not for records.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/observe/byte_stream.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/run/attachment.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm {

class chart_view;

namespace detail {
class trace_definitions;
}

struct trace_options {
    bool describe_events = false; ///< writes payloads, as your `std::string describe(const Event&)` returns them; at most 896 bytes each
    std::string name = {};        ///< name of the observed object, for readers; empty: the name of the root
};

class trace_writer final : public observer {
public:
    /// The sink must outlive the writer.
    explicit trace_writer(byte_sink& to, trace_options options = {});
    trace_writer(const trace_writer&) = delete;
    trace_writer& operator=(const trace_writer&) = delete;
    /// Calls close().
    ~trace_writer() override;

    void on_attached(const moment& when) override;
    void on_record(const record& r, const moment& when) override;
    record_buffer* buffer() override { return options_.describe_events ? nullptr : std::addressof(room_); }

    /// Writes all records so far to the sink. Returns false if a write failed.
    bool flush();
    /// Completes the file; later records are ignored. Returns false if a write failed and the file is incomplete.
    bool close();
    bool failed() const { return failed_; }

    /// An observer for one of several machines. Attach the track instead of the writer. A track must not outlive the writer.
    class track;

private:
    static constexpr std::uint32_t no_track = 0xffff'ffff;

    void sort_out();
    void write_or_append(std::uint32_t number);
    void append(std::uint32_t number, const record* first, const record* last);
    void write_sorted();
    void write_definitions(const std::string& news);
    void write(const void* bytes, std::size_t count);
    void on_track(std::uint32_t number, const record& r, const moment& when);

    record_buffer room_;             ///< the free part of buffer_
    std::vector<record> buffer_;     ///< room for a head, then the records of all machines in their order
    std::vector<record> sorted_;     ///< chunks to be written: heads, each followed by the records of one machine
    std::size_t head_ = 0;           ///< of the latest chunk
    std::uint32_t track_ = no_track; ///< the track of that chunk
    trace_options options_;
    byte_sink& to_;
    bool failed_ = false, closed_ = false;
    owned<detail::trace_definitions> definitions_;
};

class trace_writer::track final : public observer {
public:
    explicit track(trace_writer& to, std::string name = {}) : to_(to), name_(std::move(name)) {}
    void on_attached(const moment& when) override;
    void on_record(const record& r, const moment& when) override;

private:
    trace_writer& to_;
    std::string name_;
    std::uint32_t number_ = no_track;
};

} // namespace hsm
