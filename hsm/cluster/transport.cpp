#include <hsm/cluster/detail/transport.hpp>

#include <hsm/cluster/cluster_error.hpp>

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

namespace hsm::detail {

struct transport::parts {
    MPI_Comm ranks;
    std::vector<std::uint64_t> sent, received; ///< sizes, by rank
    std::vector<MPI_Request> requests;
};

transport::transport(const communicator& ranks) : parts_(new parts), exceptions_(std::uncaught_exceptions()) {
    MPI_Comm_dup(*static_cast<const MPI_Comm*>(ranks.handle()), &parts_->ranks);
    MPI_Comm_set_errhandler(parts_->ranks, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_rank(parts_->ranks, &rank_);
    MPI_Comm_size(parts_->ranks, &ranks_);
}

transport::~transport() {
    int is_finalized = 0;
    MPI_Finalized(&is_finalized);
    if (is_finalized) return;
    if (ranks_ > 1 && !agreed && std::uncaught_exceptions() > exceptions_) {
        fmt::print(stderr, "hsm: an exception on rank {} has destroyed this rank's part of the crowd; the job ends\n", rank_);
        MPI_Abort(parts_->ranks, 1);
    }
    MPI_Comm_free(&parts_->ranks);
}

namespace {
constexpr std::size_t most_at_once = std::size_t(1) << 30; ///< the sizes of MPI are int

template <class Byte, class Call> void by_pieces(Byte* bytes, std::size_t size, const Call& call) {
    for (std::size_t at = 0; at < size; at += most_at_once) call(bytes + at, static_cast<int>(std::min(most_at_once, size - at)));
}
} // namespace

/// Ends the job if `call` throws: the other ranks are waiting in calls of MPI, so they cannot throw.
template <class Call> void transport::with_others(const Call& call) const {
    try {
        call();
    } catch (...) {
        if (ranks_ == 1) throw;
        fmt::print(stderr, "hsm: rank {} threw an exception during an exchange between ranks; the job ends\n", rank_);
        MPI_Abort(parts_->ranks, 1);
    }
}

void transport::exchange(buffers& out, buffers& in) {
    with_others([&] {
        auto& sent = parts_->sent;
        auto& received = parts_->received;
        auto& requests = parts_->requests;
        const auto count = static_cast<std::size_t>(ranks_);
        const auto own = static_cast<std::size_t>(rank_);
        in.resize(count);
        sent.resize(count);
        received.resize(count);
        std::ranges::transform(out, sent.begin(), [](const auto& bytes) { return bytes.size(); });
        MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, parts_->ranks);
        requests.clear();
        // Begins with different ranks, so that not all ranks send to the same one at first.
        for (std::size_t n = 1; n < count; ++n) {
            const auto from = (own + count - n) % count;
            in[from].resize(received[from]);
            by_pieces(in[from].data(), in[from].size(), [&](std::byte* bytes, int size) {
                MPI_Irecv(bytes, size, MPI_BYTE, static_cast<int>(from), 0, parts_->ranks, &requests.emplace_back());
            });
        }
        for (std::size_t n = 1; n < count; ++n) {
            const auto to = (own + n) % count;
            by_pieces(out[to].data(), out[to].size(), [&](const std::byte* bytes, int size) {
                MPI_Isend(bytes, size, MPI_BYTE, static_cast<int>(to), 0, parts_->ranks, &requests.emplace_back());
            });
        }
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        std::swap(in[own], out[own]);
        for (auto& bytes : out) bytes.clear();
    });
}

void transport::sum(std::span<std::uint64_t> values) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM, parts_->ranks);
}
void transport::most(std::span<std::int64_t> values) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_MAX, parts_->ranks);
}
std::uint64_t transport::sum_before(std::uint64_t value) {
    std::uint64_t before = 0;
    MPI_Exscan(&value, &before, 1, MPI_UINT64_T, MPI_SUM, parts_->ranks);
    return rank_ == 0 ? 0 : before;
}

std::vector<std::string> transport::all(const std::string& mine) {
    std::vector<std::string> texts;
    with_others([&] {
        for (int rank = 0; rank < ranks_; ++rank) {
            auto text = mine;
            std::uint64_t size = text.size();
            MPI_Bcast(&size, 1, MPI_UINT64_T, rank, parts_->ranks);
            text.resize(size);
            by_pieces(text.data(), text.size(), [&](char* part, int count) { MPI_Bcast(part, count, MPI_CHAR, rank, parts_->ranks); });
            texts.push_back(std::move(text));
        }
    });
    return texts;
}

namespace {
/// Returns false if there is no exception. Allocates nothing, since the other ranks wait.
bool describe_exception(const first_exception& first, std::span<char> text) {
    const auto write = [&](std::string_view from) { from.copy(text.data(), text.size() - 1); };
    try {
        first.rethrow();
        return false;
    } catch (const std::exception& e) {
        write(*e.what() ? e.what() : "an exception without a message");
    } catch (...) {
        write("an exception that is not a std::exception");
    }
    return true;
}
} // namespace

void transport::agree(const first_exception& first, const std::string& path, std::int64_t same, const char* what) {
    char text[2000] = {};
    const bool failed = describe_exception(first, text);
    std::int64_t all[] = {failed ? ranks_ - rank_ : 0, same, -same};
    most(all);
    agreed = all[0] > 0 || all[1] != -all[2];
    if (all[0] > 0) {
        const auto lowest = ranks_ - static_cast<int>(all[0]);
        MPI_Bcast(text, sizeof text, MPI_CHAR, lowest, parts_->ranks);
        first.rethrow();
        throw cluster_error({code::failed_rank, path, fmt::format("rank {} has failed: {}", lowest, text), ""});
    }
    if (all[1] != -all[2])
        throw cluster_error({code::ranks_differ, path,
                             fmt::format("{} differs between ranks: the lowest is {}, the highest is {}", what, -all[2], all[1]),
                             "make the same calls on all ranks"});
}

struct shared_file::parts {
    MPI_File file = MPI_FILE_NULL;
};

void shared_file::fail(const std::string& what, int error) const {
    char text[MPI_MAX_ERROR_STRING + 1] = {};
    int size = 0;
    MPI_Error_string(error, text, &size);
    throw cluster_error({code::failed_checkpoint, path_, fmt::format("cannot {}: {}", what, text), "use a folder that all ranks can write"});
}

shared_file::shared_file(transport& ranks, std::string path) : ranks_(ranks), path_(std::move(path)), parts_(new parts) {}
void shared_file::open(bool writes) {
    MPI_File file = MPI_FILE_NULL;
    ranks_.together(path_, [&] { // if only some ranks have opened the file, they cannot close it
        const auto error =
            MPI_File_open(ranks_.mpi().ranks, path_.c_str(), writes ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
        if (error != MPI_SUCCESS) fail(writes ? "create the file" : "open the file", error);
    });
    parts_->file = file;
    ranks_.together(path_, [&] {
        if (const auto error = writes ? MPI_File_set_size(file, 0) : MPI_SUCCESS; error != MPI_SUCCESS) fail("write the file", error);
    });
}
shared_file::~shared_file() {
    if (parts_->file != MPI_FILE_NULL) MPI_File_close(&parts_->file);
}

void shared_file::write(std::uint64_t offset, std::span<const std::byte> bytes) {
    std::int64_t pieces[] = {static_cast<std::int64_t>((bytes.size() + most_at_once - 1) / most_at_once)};
    ranks_.most(pieces);
    first_exception first;
    for (std::int64_t n = 0; n < pieces[0]; ++n) {
        const auto begin = std::min(bytes.size(), static_cast<std::size_t>(n) * most_at_once);
        const auto piece = bytes.subspan(begin, std::min(most_at_once, bytes.size() - begin));
        MPI_Status status;
        const auto error = MPI_File_write_at_all(parts_->file, static_cast<MPI_Offset>(offset + begin), piece.data(), static_cast<int>(piece.size()),
                                                 MPI_BYTE, &status);
        int count = 0;
        if (error == MPI_SUCCESS) MPI_Get_count(&status, MPI_BYTE, &count);
        first.of([&] {
            if (error != MPI_SUCCESS || count != static_cast<int>(piece.size())) fail("write the file", error != MPI_SUCCESS ? error : MPI_ERR_IO);
        });
    }
    ranks_.agree(first, path_);
}
void shared_file::close() {
    ranks_.together(path_, [&] {
        if (const auto error = MPI_File_sync(parts_->file); error != MPI_SUCCESS) fail("write the file", error);
    });
    ranks_.together(path_, [&] {
        if (const auto error = MPI_File_close(&parts_->file); error != MPI_SUCCESS) fail("close the file", error);
    });
}
void shared_file::read(std::uint64_t offset, std::span<std::byte> to) {
    by_pieces(to.data(), to.size(), [&](std::byte* bytes, int size) {
        MPI_Status status;
        const auto error = MPI_File_read_at(parts_->file, static_cast<MPI_Offset>(offset) + (bytes - to.data()), bytes, size, MPI_BYTE, &status);
        if (error != MPI_SUCCESS) fail("read the file", error);
        int count = 0;
        MPI_Get_count(&status, MPI_BYTE, &count);
        if (count != size) throw cluster_error({code::broken_checkpoint, path_, "the file is cut off", "use an earlier checkpoint"});
    });
}
std::uint64_t shared_file::size() const {
    MPI_Offset size = 0;
    MPI_File_get_size(parts_->file, &size);
    return static_cast<std::uint64_t>(size);
}

} // namespace hsm::detail
