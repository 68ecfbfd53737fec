/// Documents: an instance as JSON text, for savegames. Other builds and versions of a program can read documents. Parts are identified by name, and
/// adapted to the current chart where possible.
///
///     std::string text = hsm::save_document(hero);
///     ...
///     auto [outcome, changes] = hsm::restore_document(hero, text);
///     for (const auto& c : changes) log(c.to_string());
///
/// A document contains everything that an image contains, and also the context if you pass it. Renamed states, conditions and events are found by
/// their former names (`.was`). If a state no longer exists, the innermost existing state that contained it replaces it. If the replacement is a
/// machine, it tries its entry choices in the next tick. Documents are untrusted: after restore_document, the instance is in a valid state of the
/// chart, or nothing has changed.
///
/// Classes need a `serialize` (serialize.hpp), unless their bytes determine their value. Documents leave out the same data as images.
/// docs/reference/document_format.md describes the format. Call these functions in the instance's thread. They allocate memory. This header is not
/// part of <hsm/hsm.hpp>; it is available only if hsm was built with nlohmann_json.
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
    bool strict = false;                ///< rejects a document that would have to be adapted
    std::size_t most_bytes = 64u << 20; ///< limits the size of the text
    std::size_t most_depth = 64;        ///< limits the nesting of objects and lists
};

struct restored {
    result outcome;               ///< taken; busy if a hook of the instance runs: then nothing has changed
    std::vector<finding> changes; ///< HSM-363: the parts that did not fit, and how they were adapted
};

/// Returns the document, or an empty text if the instance is busy. Throws save_error (HSM-351), and exceptions of `serialize`.
std::string save_document(const instance_base& agent);

/// Restores an instance, whether it was started or not. No hook runs. Throws save_error and changes nothing: HSM-351 if the fields of a class are not
/// known; HSM-356 if a queue or the mailbox has no room for waiting events; HSM-361 if the text is not a document; HSM-362 if it is invalid or too
/// large; HSM-363 if `strict` is set and the chart has changed.
restored restore_document(instance_base& agent, std::string_view text, const document_options& how = {});

namespace detail {
/// An object that is read from a document.
struct context_to_read {
    void (*serialize)(archive& from, void* object);
    void* object;
};
std::string save_document_with(const instance_base& agent, void (*serialize)(archive& to, void* object), const void* context);
restored restore_document_with(instance_base& agent, std::string_view text, const document_options& how, const context_to_read* context);
} // namespace detail

/// These two functions also save and restore the context, through its `serialize`. When the context is restored, fields that `serialize` does not
/// name, or that the document lacks, stay unchanged. `changes` lists fields that the document lacks. restore_document reads into a copy of the
/// context, and assigns this copy when everything else is restored. So the context must be copyable and move-assignable.
template <class Context>
requires detail::serializable<Context> std::string save_document(const instance_base& agent, const Context& context) {
    return detail::save_document_with(agent, &detail::serialize_value<Context>, std::addressof(context));
}
template <class Context>
requires detail::serializable<Context> restored restore_document(instance_base& agent, Context& context, std::string_view text,
                                                                 const document_options& how = {}) {
    static_assert(std::is_copy_constructible_v<Context> && std::is_move_assignable_v<Context>, "hsm: the context must be copyable and assignable to be restored");
    Context made(context);
    const detail::context_to_read to{&detail::serialize_value<Context>, std::addressof(made)};
    auto done = detail::restore_document_with(agent, text, how, std::addressof(to));
    if (done.outcome == result::taken) context = std::move(made);
    return done;
}

// These functions convert between documents and images without an instance.
std::string document_of(const chart_base& chart, std::span<const std::byte> image);
struct converted_image {
    std::vector<std::byte> image;
    std::vector<finding> changes;
};
converted_image image_of(const chart_base& chart, std::string_view text, const document_options& how = {});

} // namespace hsm
