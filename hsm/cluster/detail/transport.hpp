/// The calls of MPI that a distributed crowd needs. All ranks call each function together, except for rank and ranks.
#pragma once

#include <hsm/cluster/communicator.hpp>
#include <hsm/cluster/detail/message.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/run/detail/first_exception.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hsm::detail {

class transport {
public:
    explicit transport(const communicator& ranks);
    transport(const transport&) = delete;
    /// If an exception that other ranks do not know ends the use of the crowd, aborts the job. Otherwise the others would wait forever.
    ~transport();

    int rank() const { return rank_; }
    int ranks() const { return ranks_; }

    using buffers = std::vector<byte_buffer>;
    /// Sends out[r] to rank r. Afterwards in[r] contains the bytes from rank r, and the buffers in `out` are empty. An exception ends the job, unless
    /// there is only one rank.
    void exchange(buffers& out, buffers& in);
    void sum(std::span<std::uint64_t> values);
    void most(std::span<std::int64_t> values);
    std::uint64_t sum_before(std::uint64_t value);         ///< of all lower ranks
    std::vector<std::string> all(const std::string& mine); ///< by rank
    /// If a rank has an exception, throws on all ranks: there the exception itself, elsewhere cluster_error (HSM-462). `path` is for messages. With
    /// `same`, also throws (HSM-460) if the values differ between ranks.
    void agree(const first_exception& first, const std::string& path, std::int64_t same = 0, const char* what = "");

    /// Calls f. If it throws on a rank, throws on all ranks, as agree does.
    template <class F> void together(const std::string& path, const F& f) {
        first_exception first;
        first.of(f);
        agree(first, path);
    }

    bool agreed = true; ///< all ranks know the latest exception, or the crowd is not in use yet

    struct parts;
    parts& mpi() const { return *parts_; }

private:
    template <class Call> void with_others(const Call& call) const;

    owned<parts> parts_;
    int rank_ = 0, ranks_ = 1;
    int exceptions_;
};

/// A file that all ranks write or read together.
class shared_file {
public:
    shared_file(transport& ranks, std::string path);
    shared_file(const shared_file&) = delete;
    ~shared_file();

    void open(bool writes);                                             ///< throws cluster_error (HSM-464) on all ranks
    void write(std::uint64_t offset, std::span<const std::byte> bytes); ///< throws on all ranks
    void close();                                                       ///< after writing: all bytes are then on the disk
    void read(std::uint64_t offset, std::span<std::byte> to);           ///< only this rank reads, and throws
    std::uint64_t size() const;

private:
    [[noreturn]] void fail(const std::string& what, int code) const;

    transport& ranks_;
    const std::string path_;
    struct parts;
    owned<parts> parts_;
};

} // namespace hsm::detail
