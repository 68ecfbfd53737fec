/// Up to 4096 agents of one page that are in a given state. A batch hook processes all of them in one call.
///
///     herd.on_update("graze", [](hsm::batch<sheep>& some, float dt) {
///         for (sheep& s : some) s.hunger -= dt;
///     });
#pragma once

#include <hsm/crowd/agent_id.hpp>
#include <hsm/define/condition.hpp>
#include <hsm/define/detail/assert.hpp>
#include <hsm/define/time_span.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace hsm {

namespace detail {
class crowd_core;
}

/// The part of a batch that does not depend on the context's type. A batch is valid only during the call of the hook. If the hook removes agents,
/// they are destroyed immediately, with their contexts.
class batch_base {
public:
    batch_base(detail::crowd_core& of, std::byte* contexts, std::uint32_t first, const std::uint32_t* generations, const std::uint16_t* slots,
               std::size_t size)
        : crowd_(of), contexts_(contexts), first_(first), generations_(generations), slots_(slots), size_(size) {}

    std::size_t size() const { return size_; } ///< at least 1
    // Requires i < size().
    agent_id id(std::size_t i) const { return HSM_ASSERT(i < size_), agent_id{first_ + slots_[i], generations_[slots_[i]]}; }
    /// These functions set and read a condition of the i-th agent, by number (crowd::number_of), or more slowly by name or reference. The change
    /// already counts in the current tick. The functions throw condition_error for an unknown condition; `set` also throws for bit 0.
    void set(std::size_t i, std::uint32_t condition, bool on = true) const;
    void set(std::size_t i, const condition_key& c, bool on = true) const { set(i, number_of(c), on); }
    bool get(std::size_t i, std::uint32_t condition) const;
    bool get(std::size_t i, const condition_key& c) const { return get(i, number_of(c)); }

protected:
    std::uint32_t number_of(const condition_key& c) const;

    detail::crowd_core& crowd_;
    std::byte* contexts_;
    std::uint32_t first_;
    const std::uint32_t* generations_;
    const std::uint16_t* slots_;
    std::size_t size_;
};

template <class Context> class batch : public batch_base {
public:
    explicit batch(const batch_base& b) : batch_base(b) {}

    Context& operator[](std::size_t i) const { return HSM_ASSERT(i < size_), reinterpret_cast<Context*>(contexts_)[slots_[i]]; }

    class iterator {
    public:
        iterator(Context* contexts, const std::uint16_t* at) : contexts_(contexts), at_(at) {}
        Context& operator*() const { return contexts_[*at_]; }
        iterator& operator++() { return ++at_, *this; }
        friend bool operator==(const iterator& a, const iterator& b) { return a.at_ == b.at_; }

    private:
        Context* contexts_;
        const std::uint16_t* at_;
    };
    iterator begin() const { return {reinterpret_cast<Context*>(contexts_), slots_}; }
    iterator end() const { return {reinterpret_cast<Context*>(contexts_), slots_ + size_}; }
};

class batch_hook {
public:
    batch_hook() = default;
    batch_hook(const batch_hook&) = delete;
    virtual ~batch_hook() = default;
    virtual void call(const batch_base& some, time_span elapsed) const = 0;
};

template <class Context, class F> class batch_hook_of final : public batch_hook {
public:
    explicit batch_hook_of(F f) : f_(std::move(f)) {}

private:
    void call(const batch_base& some, time_span elapsed) const override {
        batch<Context> of(some);
        if constexpr (std::is_invocable_v<const F&, batch<Context>&>)
            f_(of);
        else if constexpr (std::is_invocable_v<const F&, batch<Context>&, float>)
            f_(of, static_cast<float>(static_cast<double>(elapsed.nanoseconds()) / 1e9));
        else
            f_(of, elapsed);
    }
    F f_;
};

} // namespace hsm
