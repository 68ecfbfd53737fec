/// A compiled definition: checked, flattened, immutable. A chart is a handle to a core that owns the nodes and is shared
/// by all copies of the handle, by any number of instances, and by any number of threads. Instances do not keep it alive:
/// a chart must outlive them.
#pragma once

#include <hsm/chart/finding.hpp>
#include <hsm/define/condition.hpp>
#include <hsm/define/state_key.hpp>
#include <hsm/define/state_ref.hpp>

#include <string>
#include <utility>
#include <vector>

namespace hsm {

class chart_view;
struct fingerprint;

namespace detail {
struct chart_core;
void add_user(const chart_core* core) noexcept;
void remove_user(const chart_core* core) noexcept;
} // namespace detail

/// What does not depend on the context.
class chart_base {
public:
    chart_base(const chart_base& other) noexcept : core_(other.core_) { detail::add_user(core_); }
    chart_base(chart_base&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}
    chart_base& operator=(chart_base other) noexcept {
        std::swap(core_, other.core_);
        return *this;
    }
    ~chart_base() { detail::remove_user(core_); }

    /// False for a chart that could not be compiled, or was moved from. It is empty then: it has no states, and no instance can be made of it.
    explicit operator bool() const { return core_ != nullptr; }

    state_ref root() const; ///< empty if the chart is
    /// By path ("attack/slash" from the root, or the end of exactly one state's path), enumerator, class or reference. Empty if
    /// there is none, or if several are meant.
    state_ref find(const state_key& key) const;
    /// The condition of that name; not valid() if no state declares or asks for it.
    hsm::condition condition(std::string_view name) const;
    /// Empty if it has none.
    std::string_view condition_name(std::size_t number) const;
    std::size_t condition_count() const; ///< bits, bit 0 with them; 0 if there are no conditions
    std::size_t state_count() const;
    /// The state with that number, in preorder from 0 for the root; empty if there is none.
    state_ref state(std::size_t number) const;
    const std::vector<finding>& warnings() const;
    /// All of it, for people and tools: include <hsm/chart/view.hpp>. Not of an empty chart.
    chart_view view() const;
    /// Over structure, paths, conditions, timers, labels and events: equal for equal definitions on every compiler. It does not see inside lambdas.
    hsm::fingerprint fingerprint() const;
    /// The same over sizes, offsets and options besides: of one program, as it is built now.
    hsm::fingerprint layout() const;
    /// All tables, for people.
    std::string dump() const;

    const detail::chart_core& core() const { return *core_; }

protected:
    explicit chart_base(const detail::chart_core* core) : core_(core) {} ///< takes over one use

private:
    const detail::chart_core* core_ = nullptr;
};

template <class Context> class chart : public chart_base {
public:
    using context_type = Context;

    explicit chart(const detail::chart_core* core) : chart_base(core) {}
};

} // namespace hsm
