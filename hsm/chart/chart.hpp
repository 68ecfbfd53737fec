/// A compiled definition: checked, flattened, immutable. A chart is a handle to shared tables and states. Copies of the handle share the chart. Any
/// number of instances and threads can use one chart. Instances do not keep their chart alive: the chart must outlive them.
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

/// The part of a chart that does not depend on the context.
class chart_base {
public:
    chart_base(const chart_base& other) noexcept : core_(other.core_) { detail::add_user(core_); }
    chart_base(chart_base&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}
    chart_base& operator=(chart_base other) noexcept {
        std::swap(core_, other.core_);
        return *this;
    }
    ~chart_base() { detail::remove_user(core_); }

    /// Returns false for a chart that could not be compiled, or was moved from. Such a chart is empty: it has no states, and cannot be used to create
    /// instances.
    explicit operator bool() const { return core_ != nullptr; }

    state_ref root() const; ///< empty if the chart is empty
    /// Finds a state by enumerator, class, reference or path. The path begins at the root ("attack/slash"), or it is the end of exactly one state's
    /// path. Returns an empty reference if no state, or more than one, matches.
    state_ref find(const state_key& key) const;
    /// Returns the condition with this name. If no state declares or uses the name, valid() of the returned handle returns false.
    hsm::condition condition(std::string_view name) const;
    /// Returns the name of the condition with this number; empty if the condition has no name or does not exist.
    std::string_view condition_name(std::size_t number) const;
    std::size_t condition_count() const; ///< the number of condition bits, including bit 0; 0 if the chart has no conditions
    std::size_t state_count() const;
    /// Returns the state with this number; empty if no state has it. The root has number 0, and the other states follow in preorder.
    state_ref state(std::size_t number) const;
    const std::vector<finding>& warnings() const;
    /// Returns the contents of the chart for output and tools. Include <hsm/chart/view.hpp>. Requires a chart that is not empty.
    chart_view view() const;
    /// Returns a fingerprint that covers the chart's structure, paths, conditions, timers, labels and events, but not the code of lambdas. Equal
    /// definitions have equal fingerprints with every compiler.
    hsm::fingerprint fingerprint() const;
    /// Returns a fingerprint that also covers sizes, offsets and options. Compare it only within one build of a program.
    hsm::fingerprint layout() const;
    /// Returns all tables as text.
    std::string dump() const;

    const detail::chart_core& core() const { return *core_; }

protected:
    explicit chart_base(const detail::chart_core* core) : core_(core) {} ///< takes ownership of one reference to the core

private:
    const detail::chart_core* core_ = nullptr;
};

template <class Context> class chart : public chart_base {
public:
    using context_type = Context;

    explicit chart(const detail::chart_core* core) : chart_base(core) {}
};

} // namespace hsm
