/// An observer that writes a trace file: docs/trace_format.md. The names are in the file, so that who reads it needs no program.
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

#include <cstdint>
#include <string>
#include <vector>

namespace hsm {

class chart_view;

namespace detail {
class trace_definitions;
}

struct trace_options {
    bool describe_events = false; ///< their payloads, by the user's `std::string describe(const Event&)`: the first 896 bytes of it
    std::string name;             ///< of what it is attached to: for readers; empty: what the root is called
};

class trace_writer final : public observer {
public:
    /// The sink must outlive it.
    explicit trace_writer(byte_sink& to, trace_options options = {});
    trace_writer(const trace_writer&) = delete;
    trace_writer& operator=(const trace_writer&) = delete;
    /// Closes it.
    ~trace_writer() override;

    void on_record(const record& r, const moment& when) override;

    /// Hands all that was told so far to the sink. False: something could not be written.
    bool flush();
    /// The file is complete then. What comes later is not written. False: something could not be written, and the file is not complete.
    bool close();
    bool failed() const { return failed_; }

    /// Attached in its place, for one of several machines. It must not outlive the writer.
    class track;

private:
    static constexpr std::size_t room = 4096; ///< records

    void on_rare_record(const record& r, const moment& when);
    void put(const record& r);
    void put_text(const moment& when);
    void make_room(std::size_t records);
    void end_chunk();
    void begin_chunk(std::uint32_t number);
    void go_on_with(std::uint32_t number);
    void write(const void* bytes, std::size_t count);
    void on_track(std::uint32_t number, const record& r, const moment& when);

    record* next_;
    record* stop_;
    record_kinds rare_; ///< are looked at
    std::uint32_t current_ = no_track;
    record* head_ = nullptr; ///< of the chunk that is being written; null: there is none
    std::vector<record> buffer_;
    trace_options options_;
    byte_sink& to_;
    bool failed_ = false, closed_ = false;
    detail::trace_definitions* definitions_;

    static constexpr std::uint32_t no_track = 0xffff'ffff;
};

class trace_writer::track final : public observer {
public:
    explicit track(trace_writer& to, std::string name = {}) : to_(to), name_(std::move(name)) {}
    void on_record(const record& r, const moment& when) override;

private:
    trace_writer& to_;
    std::string name_;
    std::uint32_t number_ = no_track; ///< given by its first record
};

} // namespace hsm
