/// The parameter of a score function that computes the scores of many agents of a crowd in one call.
///
///     attack.dispatch(bite).score([](hsm::scores<boss>& some) {
///         for (std::size_t i = 0; i < some.size(); ++i) some.set(i, some[i].distance < 2 ? 0.6 : 0);
///     });
#pragma once

#include <hsm/define/detail/assert.hpp>
#include <hsm/define/detail/erased.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm {

/// The contexts of several agents, and the scores of one candidate for these agents. Valid only during the call. A score is 0 unless the function
/// sets it.
template <class Context> class scores {
public:
    explicit scores(const detail::agent_run& of) : of_(of) {}

    std::size_t size() const { return of_.end; } ///< from 1 to 4096; 1 outside crowds
    // These functions require i < size().
    const Context& operator[](std::size_t i) const { return static_cast<const Context*>(of_.contexts)[position(i)]; }
    void set(std::size_t i, double score) const { of_.scores[position(i)] = score; }

private:
    std::size_t position(std::size_t i) const { return HSM_ASSERT(i < of_.end), of_.listed[i]; }

    const detail::agent_run& of_;
};

namespace detail {

/// The largest number of agents in one call. Memory contains this many scores of one candidate, followed by those of the next candidate.
inline constexpr std::size_t most_scores = 4096;

template <class P> inline constexpr bool is_scores = false;
template <class C> inline constexpr bool is_scores<scores<C>> = true;

/// The score of one context, as the parameter of one call.
template <class Context> struct scores_of_call {
    static constexpr std::uint16_t only[] = {0};
    agent_run one;
    scores<Context> here{one};

    scores_of_call(void* context, double& score) : one{context, {}, 0, 1, 0, only, std::addressof(score)} { score = 0; }
    scores_of_call(const scores_of_call&) = delete;
    operator scores<Context>&() { return here; }
};

} // namespace detail

} // namespace hsm
