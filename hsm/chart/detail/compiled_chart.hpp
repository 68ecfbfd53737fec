/// The data that the handles of a chart share: its tables, and the tree of nodes from which they were built.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/chart/detail/chart_facts.hpp>
#include <hsm/chart/finding.hpp>
#include <hsm/define/detail/frozen_sink.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm::detail {

/// The latest few instances of a chart whose contexts are near them, with the distances to these contexts. Only builds with assertions use it, to
/// find errors of users: see run/memory.cpp. All threads may call it. Concurrent calls can store mixed entries; then an error is not found.
class neighbor_list {
public:
    void note(std::uintptr_t place, std::uintptr_t distance) {
        const auto i = atomic_view(next_).fetch_add<order::relaxed>(1) % length;
        atomic_view(places_[i]).store<order::relaxed>(place);
        atomic_view(distances_[i]).store<order::relaxed>(distance);
    }
    /// Returns whether `ask(place, distance)` is true for one of the entries.
    template <class Ask> bool any(const Ask& ask) const {
        for (std::size_t i = 0; i < length; ++i) {
            const auto place = atomic_load<order::relaxed>(places_[i]);
            if (place && ask(place, atomic_load<order::relaxed>(distances_[i]))) return true;
        }
        return false;
    }

private:
    static constexpr std::size_t length = 8;
    std::uintptr_t places_[length] = {};
    std::uintptr_t distances_[length] = {};
    std::uint32_t next_ = 0;
};

/// Data that later folders compute when it is first needed.
struct chart_addition {
    virtual ~chart_addition() = default;
};

struct compiled_chart : chart_core {
    compiled_chart() { owner = this; }
    compiled_chart(const compiled_chart&) = delete;
    ~compiled_chart() {
        delete traced_chart;
        delete facts;
        delete image;
    }

    std::uint32_t users = 1; ///< handles that share it; changed atomically, by add_user and remove_user only
    neighbor_list neighbors;
    frozen_sink frozen; ///< the states of the tree are frozen by it
    owned<state_base> tree;
    std::vector<finding> warnings;
    const chart_facts* facts = nullptr;       ///< for its view; built when it is first needed, by any thread
    const chart_core* traced_chart = nullptr; ///< built in the same way
    const chart_addition* image = nullptr;    ///< the same: save/detail/image_layout.hpp
};

} // namespace hsm::detail
