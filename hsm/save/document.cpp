#include <hsm/save/document.hpp>

#include <hsm/define/detail/shown.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/document_parts.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/json_archive.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/image.hpp>

namespace hsm {

using namespace detail;

namespace {

constexpr std::int64_t document_version = 1;

std::string document_of_image(const chart_core& core, std::span<const std::byte> image, const json_value* context = nullptr) {
    auto d = begin_document("instance");
    add_machine(d, core, image);
    if (context) d.add("context", *context);
    return write_json(d);
}

converted_image image_of_document(const chart_core& core, std::string_view text, const document_options& how,
                                  const context_to_read* context = nullptr) {
    require_saveable(core, saving::document);
    const auto d = read_json(text, how.most_bytes, how.most_depth);
    const document_node all(d, "");
    check_envelope(all, "instance", {"chart", "fingerprint", "clock", "machine", "context"});
    changes changed;
    auto image = read_machine(core, all, changed);
    if (context) read_context(all, *context, changed);
    changed.refuse_if(how.strict);
    return {std::move(image), std::move(changed.notes)};
}

} // namespace

json_value detail::begin_document(std::string_view of) {
    auto d = json_value::empty_object();
    d.add("hsm", json_value::of(of));
    d.add("version", json_value::of(document_version));
    return d;
}

void detail::check_envelope(const document_node& all, std::string_view of, std::initializer_list<std::string_view> fields) {
    const bool is_labeled = all.value().kind == json_value::object && all.has("hsm") && all.value().find("hsm")->kind == json_value::text;
    if (!is_labeled || all["hsm"].text() != of) {
        auto problem = "this is not a document of " + with_article(of);
        for (const std::string_view other : {"instance", "crowd", "manager", "session"})
            if (is_labeled && all["hsm"].text() == other) problem += ", but of " + with_article(other);
        throw save_error({code::not_a_document, "", std::move(problem), "restore a document that save_document wrote"});
    }
    std::vector<std::string_view> known{"hsm", "version"};
    known.insert(known.end(), fields.begin(), fields.end());
    all.only(known);
    if (const auto version = all["version"].integer(1); version > document_version)
        throw save_error({code::not_a_document, "",
                          fmt::format("the document has version {}, but this library reads up to version {}", version, document_version),
                          "use a later version of the library"});
}

void detail::add_chart(json_value& to, const chart_core& core) {
    to.add("chart", json_value::of(core.root->name()));
    to.add("fingerprint", json_value::of(image_layout_of(core).chart.to_string()));
}

void detail::check_chart(const document_node& from) {
    static_cast<void>(from["chart"].text());
    static_cast<void>(from["fingerprint"].text());
}

void detail::add_machine(json_value& to, const chart_core& core, std::span<const std::byte> image) {
    require_saveable(core, saving::document);
    const auto parts = decompose(core, image);
    add_chart(to, core);
    to.add("clock", json_value::of(parts.head.now));
    to.add("machine", describe(core, parts));
}

std::vector<std::byte> detail::read_machine(const chart_core& core, const document_node& from, changes& changed) {
    check_chart(from);
    auto image = compose(core, decode_snapshot(core, from["machine"].value(), from["clock"].integer(0), changed));
    check_image(core, image_layout_of(core), image); // checks that the parts are consistent
    return image;
}

void detail::read_context(const document_node& from, const context_to_read& to, changes& changed) {
    const auto root = from.path().empty() ? "context" : from.path() + "/context";
    const auto note = [&](const mismatch& m) { changed.add(m, root); };
    if (!from.has("context")) return note({"the document contains no context: the context is unchanged", "", from.value().place});
    const auto part = from["context"];
    static_cast<void>(part.object());
    try {
        json_archive_reader fields(part.value());
        to.serialize(fields, to.object);
        for (const auto& each : fields.missing()) note(each);
        for (const auto& each : fields.unread()) note(each);
    } catch (const mismatch& m) {
        refuse_mismatch(m, root);
    }
}

std::string save_document(const instance_base& agent) {
    const auto image = save(agent);
    return image.empty() ? std::string() : document_of_image(core_of(instance_access::engine_of(agent)), image);
}

std::string detail::save_document_with(const instance_base& agent, void (*serialize)(archive& to, void* object), const void* context) {
    const auto image = save(agent);
    if (image.empty()) return {};
    const auto json = fields_of_object(serialize, context);
    return document_of_image(core_of(instance_access::engine_of(agent)), image, &json);
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
