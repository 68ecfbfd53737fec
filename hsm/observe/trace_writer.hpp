/// An observer that writes a trace file: docs/reference/trace_format.md. The names are in the file, so that who reads it needs no program.
///
///     hsm::file_sink file("run.trace");
///     hsm::trace_writer trace(file);
///     auto attached = agent.attach(trace);
///
/// Attach it to one instance, one crowd or one manager; for several instances make a track for each. What comes first of a machine is what is
/// active then, if `state_records` are among the kinds: only then can a reader tell what is active later. It belongs to the thread of what it is
/// attached to, and takes memory for each machine that it is told of, none for records.
#pragma once

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
    bool describe_events = false; ///< their payloads, by the user's `std::string describe(const Event&)`: the first 896 bytes of it
    std::string name = {};        ///< of what it is attached to: for readers; empty: what the root is called
};

class trace_writer final : public observer {
public:
    /// The sink must outlive it.
    explicit trace_writer(byte_sink& to, trace_options options = {});
    trace_writer(const trace_writer&) = delete;
    trace_writer& operator=(const trace_writer&) = delete;
    /// Closes it.
    ~trace_writer() override;

    void on_attached(const moment& when) override;
    void on_record(const record& r, const moment& when) override;
    record_buffer* buffer() override { return options_.describe_events ? nullptr : std::addressof(room_); }

    /// Hands all that was told so far to the sink. False: something could not be written.
    bool flush();
    /// The file is complete then. What comes later is not written. False: something could not be written, and the file is not complete.
    bool close();
    bool failed() const { return failed_; }

    /// Attached in its place, for one of several machines. It must not outlive the writer.
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

    record_buffer room_;             ///< in told_
    std::vector<record> told_;       ///< in their order, of all machines; in front of them is room for a head
    std::vector<record> sorted_;     ///< heads of chunks, with records of one machine behind each: what will be written
    std::size_t head_ = 0;           ///< of the latest chunk
    std::uint32_t track_ = no_track; ///< of that
    trace_options options_;
    byte_sink& to_;
    bool failed_ = false, closed_ = false;
    detail::trace_definitions* definitions_;
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
