/// The ranks over which a crowd is distributed: all processes of the MPI job, or those of an MPI communicator of your program.
///
///     hsm::distributed_crowd crowd{hsm::world(), chart};      // or {MPI_COMM_WORLD, chart}
///
/// This header does not include the header of MPI. The library must be built with the MPI that your program uses.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace hsm {

/// Refers to a communicator, which must exist until the crowd is constructed.
class communicator {
public:
    /// Takes an MPI_Comm, which is an integer or a pointer. MPI must be initialized, with MPI_THREAD_FUNNELED if workers tick the crowd.
    template <class Comm>
        requires(std::is_integral_v<Comm> || std::is_pointer_v<Comm>)
    communicator(Comm of_mpi) : communicator(std::addressof(of_mpi), sizeof of_mpi) {} // implicit: a crowd accepts MPI_COMM_WORLD

    const void* handle() const { return memory_; } ///< the address of an MPI_Comm

private:
    friend communicator world();
    communicator(const void* handle, std::size_t size);

    alignas(void*) unsigned char memory_[sizeof(void*)];
};

/// Returns all processes of the job. A program started without mpirun has one rank. If your program has not initialized MPI, this function
/// initializes it, and MPI is finalized when the program exits.
communicator world();

} // namespace hsm
