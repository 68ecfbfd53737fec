/// What the images of a chart's machines consist of: worked out once, when it is first asked for.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/chart/fingerprint.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/save/detail/saved_names.hpp>
#include <hsm/save/serialize.hpp>

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace hsm::detail {

/// Gives back memory of that alignment.
struct free_aligned {
    std::align_val_t alignment;
    void operator()(std::byte* memory) const { ::operator delete(memory, alignment); }
};

/// How the objects of a type stand in an image.
struct value_shape {
    enum form_of : std::uint8_t {
        nothing, ///< it has no data
        bytes,   ///< as they are in memory
        fields,  ///< as its serialize writes them, behind their length
        unknown, ///< that it cannot be saved is an error
    };
    form_of form = nothing;
    std::uint32_t size = 0;
    const type_identity* type = nullptr;
    const value_codec* codec = nullptr; ///< null: it has no serialize
};

struct image_shape : chart_addition {
    explicit image_shape(const chart_core& core);

    fingerprint chart;
    fingerprint layout;
    std::vector<value_shape> locals;      ///< by their rows
    std::vector<value_shape> events;      ///< by their numbers
    bool is_plain = false;                ///< images are a head, entry times and records, as long as nothing waits: see plain_image.cpp
    std::array<std::byte, 96> plain_head; ///< of one that is not active
    std::size_t condition_words = 0;
    bool has_times = false;
    bool has_state_marks = false; ///< some state but the root is marked when it is over, or holds
    bool is_saveable = true;      ///< there is no type of unknown form
    bool is_bytes = true;         ///< and none with fields: nothing has to be built

    mutable std::once_flag named;
    mutable std::unique_ptr<const saved_names> names; ///< null until somebody asks: names_of
};

const image_shape& make_shape(const chart_core& core); ///< unless another thread has done it by now

inline const image_shape& shape_of(const chart_core& core) {
    const auto* const known = atomic_load<order::acquire>(core.owner->image);
    if (!known) [[unlikely]]
        return make_shape(core);
    return static_cast<const image_shape&>(*known);
}

} // namespace hsm::detail
