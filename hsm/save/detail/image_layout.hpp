/// The structure of images: how each type is stored in images and documents, and the images of a chart's machines, computed on first use.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/chart/fingerprint.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/save/check_saveable.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/detail/saved_names.hpp>
#include <hsm/save/serialize.hpp>

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace hsm::detail {

/// Frees memory of this alignment.
struct free_aligned {
    std::align_val_t alignment;
    void operator()(std::byte* memory) const { ::operator delete(memory, alignment); }
};

/// How objects of a type are stored in an image.
struct value_layout {
    enum form_of : std::uint8_t {
        nothing, ///< the type has no data
        bytes,   ///< as in memory
        fields,  ///< as written by its serialize, after their length
        unknown, ///< saving it is an error
        object,  ///< as its address: see image_layout::refer_to_objects
    };
    form_of form = nothing;
    std::uint32_t size = 0;
    const type_identity* type = nullptr;
    const value_codec* codec = nullptr; ///< null if there is no serialize
};

struct image_layout : chart_addition {
    explicit image_layout(const chart_core& core);
    /// Lets images contain the addresses of locals and events, so that these can have any class. Such an image is valid until the machine changes.
    void refer_to_objects();

    fingerprint chart;
    fingerprint layout;
    std::vector<value_layout> locals;     ///< by row
    std::vector<value_layout> events;     ///< by number
    bool is_plain = false;                ///< images consist of a head, entry times and records unless something waits: see image.cpp
    std::array<std::byte, 96> plain_head; ///< the head of a machine that is not active
    std::size_t condition_words = 0;
    bool has_times = false;
    bool has_state_marks = false; ///< whether a state other than the root is marked when it is finished, or holds
    bool is_saveable = true;      ///< whether no type has an unknown form
    bool is_bytes = true;         ///< whether no type has fields, so nothing has to be built

    mutable std::once_flag named;
    mutable std::unique_ptr<const saved_names> names; ///< null until the first call of saved_names_of
};

const image_layout& make_image_layout(const chart_core& core); ///< another thread may have created it first

inline const image_layout& image_layout_of(const chart_core& core) {
    const auto* const known = atomic_load<order::acquire>(core.owner->image);
    if (!known) [[unlikely]]
        return make_image_layout(core);
    return static_cast<const image_layout&>(*known);
}

/// The form of waiting named events and their data in images and documents.
extern const value_codec codec_of_names;

/// Returns whether the event has no data and its name is in the chart. It then has no fields in an image.
inline bool is_blank(const named_event& event) { return event.name().empty() && !event.data(); }

/// For contexts that are created when they are restored.
value_layout layout_of_context(const saved_context& kind);
/// For contexts that stay in place: fields that `serialize` does not name stay unchanged.
value_layout layout_of_users_context(const saved_context& kind);
/// Why a trivially copyable class needs a `serialize`.
inline constexpr const char* unknown_fields = "it contains floating-point numbers or padding and has no serialize";

/// These throw save_error (HSM-351). `alternative` is added to the hint.
void require_saveable_context(const chart_core& core, const value_layout& context, const char* alternative = "");
void require_known_context(const chart_core& core, const value_layout& context, saving purpose);
inline constexpr const char* or_own_contexts = ", or store the contexts in your own array"; ///< for crowds

json_value context_json(const value_layout& layout, void* context);

} // namespace hsm::detail
