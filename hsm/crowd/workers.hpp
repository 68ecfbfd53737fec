/// Threads that tick a crowd: `hsm::workers two(2);  herd.tick(16ms, two);`
///
/// oneTBB's, as many as were asked for at most, the caller's with them; they are shared by everything that uses oneTBB. The header is
/// installed if the library was built with oneTBB (meson: -Dtbb). May be used by one thread at a time.
#pragma once

#include <hsm/define/owned.hpp>

#include <cstddef>

namespace hsm {

class workers {
public:
    explicit workers(unsigned threads = 0); ///< 0: as many as the machine runs at once
    workers(const workers&) = delete;
    workers& operator=(const workers&) = delete;
    ~workers();

    /// Calls f(0) .. f(n - 1) and comes back when all are done. What one of them throws goes on.
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
