/// Documents: what an instance is, as JSON text, for savegames. They are read by other builds and other versions of a program: parts have their
/// names, and what a chart has been changed since is fitted in as far as it goes.
///
///     std::string text = hsm::save_document(hero);
///     ...
///     auto [outcome, changes] = hsm::restore_document(hero, text);
///     for (const auto& c : changes) log(c.to_string());
///
/// Everything that images hold is in it, and the context if it is given; a state, a condition or an event that was renamed is found by what it
/// `.was`. A state that is gone is replaced by the innermost one around it that there still is: if that is a machine it chooses where to go in the
/// next tick. A document is not trusted: whatever it says, the instance is afterwards something that the chart can be, or nothing has changed.
///
/// Classes need a `serialize` (serialize.hpp), unless their bytes are their value. What an image does not hold is not in it, either.
/// docs/reference/document_format.md describes the format. Call these functions in the thread of the instance. They allocate. They are not part of
/// <hsm/hsm.hpp>, and exist only if hsm was built with nlohmann_json.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/run/instance_base.hpp>
#include <hsm/save/save_error.hpp>
#include <hsm/save/serialize.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hsm {

struct document_options {
    bool strict = false;                ///< a document into which a change of the chart would have to be fitted is refused
    std::size_t most_bytes = 64u << 20; ///< of a text
    std::size_t most_depth = 64;        ///< of objects and lists in each other
};

struct restored {
    result outcome;               ///< taken; busy: a hook of the instance runs, and nothing has changed
    std::vector<finding> changes; ///< HSM-363: what did not fit any more, and what became of it
};

/// Empty if the instance is busy. Throws save_error (HSM-351), and what serialize throws.
std::string save_document(const instance_base& agent);

/// Into a started instance or one that is not. No hook runs. Throws save_error, and nothing has changed: HSM-351; HSM-356, it has no room; HSM-361 it
/// is no document; HSM-362 it is broken, or too large; HSM-363 strict, and the chart has changed.
restored restore_document(instance_base& agent, std::string_view text, const document_options& how = {});

namespace detail {
/// An object that a document is read into.
struct context_to_read {
    void (*serialize)(archive& from, void* object);
    void* object;
};
std::string save_document_with(const instance_base& agent, void (*serialize)(archive& to, void* object), const void* context);
restored restore_document_with(instance_base& agent, std::string_view text, const document_options& how, const context_to_read* context);
} // namespace detail

/// With the context in it, by its `serialize`. When it is restored what that does not name stays as it is; fields that are not in the document, too,
/// and the report says so. The context is a copy of itself until everything else is restored: so it can be copied.
template <class Context>
    requires detail::serializable<Context>
std::string save_document(const instance_base& agent, const Context& context) {
    return detail::save_document_with(agent, &detail::serialize_value<Context>, std::addressof(context));
}
template <class Context>
    requires detail::serializable<Context>
restored restore_document(instance_base& agent, Context& context, std::string_view text, const document_options& how = {}) {
    static_assert(std::is_copy_constructible_v<Context> && std::is_move_assignable_v<Context>, "hsm: a context is restored by way of a copy");
    Context made(context);
    const detail::context_to_read to{&detail::serialize_value<Context>, std::addressof(made)};
    auto done = detail::restore_document_with(agent, text, how, std::addressof(to));
    if (done.outcome == result::taken) context = std::move(made);
    return done;
}

// Between the two forms, without an instance.
std::string document_of(const chart_base& chart, std::span<const std::byte> image);
struct converted_image {
    std::vector<std::byte> image;
    std::vector<finding> changes;
};
converted_image image_of(const chart_base& chart, std::string_view text, const document_options& how = {});

} // namespace hsm
