#include <hsm/crowd/workers.hpp>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace hsm {

struct workers::arena {
    tbb::task_arena threads;
};

workers::workers(unsigned threads) : arena_(new arena{tbb::task_arena(threads > 0 ? static_cast<int>(threads) : tbb::task_arena::automatic)}) {}
workers::~workers() = default;

void workers::run(std::size_t n, void (*f)(const void* data, std::size_t i), const void* data) {
    arena_->threads.execute([&] { tbb::parallel_for(std::size_t(0), n, [&](std::size_t i) { f(data, i); }); });
}

} // namespace hsm
