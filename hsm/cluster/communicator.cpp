#include <hsm/cluster/communicator.hpp>

#include <hsm/cluster/cluster_error.hpp>

#include <mpi.h>

#include <cstring>

namespace hsm {

communicator::communicator(const void* handle, std::size_t size) {
    static_assert(sizeof(MPI_Comm) <= sizeof memory_);
    if (size != sizeof(MPI_Comm))
        throw cluster_error(
            {code::ranks_differ, "", "the library and the program were built with different MPI libraries", "build both with the same MPI library"});
    std::memcpy(memory_, handle, size);
}

namespace {
/// Finalizes MPI at the end of the program.
struct mpi_session {
    mpi_session() { MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level); }
    ~mpi_session() {
        int is_finalized = 0;
        MPI_Finalized(&is_finalized);
        if (!is_finalized) MPI_Finalize();
    }
    int level = MPI_THREAD_SINGLE;
};
} // namespace

communicator world() {
    int is_initialized = 0;
    MPI_Initialized(&is_initialized);
    if (!is_initialized) {
        static const mpi_session session;
    }
    const MPI_Comm all = MPI_COMM_WORLD;
    return {&all, sizeof all};
}

} // namespace hsm
