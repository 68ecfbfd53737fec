#include <hsm/save/document.hpp>

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/check_image.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/document_reader.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/json.hpp>
#include <hsm/save/detail/tree_archive.hpp>
#include <hsm/save/image.hpp>

#include <fmt/format.h>

namespace hsm {

using namespace detail;

namespace {

constexpr std::int64_t document_version = 1;

std::string document_of_image(const chart_core& core, std::span<const std::byte> image, const datum* context = nullptr) {
    require_saveable(core, saving::document);
    const auto parts = take_to_pieces(core, image);
    auto d = datum::empty_object();
    d.add("hsm", datum::of("instance"));
    d.add("version", datum::of(document_version));
    d.add("chart", datum::of(core.root->name()));
    d.add("fingerprint", datum::of(shape_of(core).chart.to_string()));
    d.add("clock", datum::of(parts.head.now));
    d.add("machine", describe(core, parts));
    if (context) d.add("context", *context);
    return write_json(d);
}

void check_envelope(const document_part& all) {
    if (all.value().kind != datum::object || !all.has("hsm") || all.value().find("hsm")->kind != datum::text || all["hsm"].text() != "instance")
        throw save_error({code::not_a_document, "", "this is no document of an instance", "restore what save_document has written"});
    all.only({"hsm", "version", "chart", "fingerprint", "clock", "machine", "context"});
    if (const auto version = all["version"].integer(1); version > document_version)
        throw save_error({code::not_a_document, "",
                          fmt::format("the document has version {}, and this library reads up to {}", version, document_version), "use a later one"});
    static_cast<void>(all["chart"].text());
    static_cast<void>(all["fingerprint"].text());
}

/// Of a class of the user's: what of it stands in the document.
void read_context(const document_part& all, const context_to_read& to, changes& changed) {
    const auto note = [&](const misfit& m) {
        changed.add(code::changed_chart, m.place, m.path.empty() ? "context" : "context/" + m.path, m.problem);
    };
    if (!all.has("context")) return note({"there is none in the document: it stays as it is", "", all.value().place});
    const auto part = all["context"];
    static_cast<void>(part.object());
    try {
        tree_reader from(part.value());
        to.serialize(from, to.object);
        for (const auto& each : from.missing()) note(each);
        for (const auto& each : from.unread()) note(each);
    } catch (const misfit& m) {
        datum place;
        place.place = m.place;
        refuse_document(place, m.path.empty() ? "context" : "context/" + m.path, m.problem);
    }
}

converted_image image_of_document(const chart_core& core, std::string_view text, const document_options& how,
                                  const context_to_read* context = nullptr) {
    require_saveable(core, saving::document);
    const auto d = read_json(text, how.most_bytes, how.most_depth);
    const document_part all(d, "");
    check_envelope(all);
    changes changed;
    const auto parts = understand(core, all["machine"].value(), all["clock"].integer(0), changed);
    if (context) read_context(all, *context, changed);
    if (how.strict && !changed.notes.empty()) throw save_error(std::move(changed.notes));
    converted_image made{put_together(core, parts), std::move(changed.notes)};
    check_image(core, shape_of(core), made.image); // that nothing contradicts anything else
    return made;
}

} // namespace

std::string save_document(const instance_base& agent) {
    const auto image = save(agent);
    return image.empty() ? std::string() : document_of_image(core_of(instance_access::engine_of(agent)), image);
}

std::string detail::save_document_with(const instance_base& agent, void (*serialize)(archive& to, void* object), const void* context) {
    const auto image = save(agent);
    if (image.empty()) return {};
    tree_writer fields;
    serialize(fields, const_cast<void*>(context));
    const auto tree = fields.take();
    return document_of_image(core_of(instance_access::engine_of(agent)), image, &tree);
}

restored detail::restore_document_with(instance_base& agent, std::string_view text, const document_options& how, const context_to_read* context) {
    auto& m = instance_access::engine_of(agent);
    if (is_busy(m)) return {result::busy, {}};
    auto made = image_of_document(core_of(m), text, how, context);
    restore_machine(m, made.image);
    return {result::taken, std::move(made.changes)};
}

restored restore_document(instance_base& agent, std::string_view text, const document_options& how) {
    return restore_document_with(agent, text, how, nullptr);
}

std::string document_of(const chart_base& chart, std::span<const std::byte> image) { return document_of_image(require_chart(chart), image); }

converted_image image_of(const chart_base& chart, std::string_view text, const document_options& how) {
    return image_of_document(require_chart(chart), text, how);
}

} // namespace hsm
