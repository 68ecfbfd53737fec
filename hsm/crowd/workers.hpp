/// Threads that tick a crowd: `hsm::workers two(2);  crowd.tick(16ms, two);`
///
/// The threads belong to oneTBB and are shared with all its other users. At most the given number of threads run, including the caller's. This header
/// is installed if the library was built with oneTBB (meson: -Dtbb). Only one thread at a time may use a workers object.
#pragma once

#include <hsm/define/owned.hpp>

#include <cstddef>

namespace hsm {

class workers {
public:
    explicit workers(unsigned threads = 0); ///< 0: the number of hardware threads
    workers(const workers&) = delete;
    workers& operator=(const workers&) = delete;
    ~workers();

    /// Calls f(0) .. f(n - 1) and returns when all calls have returned. Rethrows an exception of f.
    template <class F> void operator()(std::size_t n, const F& f) {
        run(
            n, [](const void* data, std::size_t i) { (*static_cast<const F*>(data))(i); }, std::addressof(f));
    }

private:
    void run(std::size_t n, void (*f)(const void* data, std::size_t i), const void* data);

    struct arena;
    owned<arena> arena_;
};

} // namespace hsm
