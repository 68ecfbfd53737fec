#include <hsm/save/document.hpp>

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/check_image.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/document_reader.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/json.hpp>
#include <hsm/save/image.hpp>

#include <fmt/format.h>

namespace hsm {

using namespace detail;

namespace {

constexpr std::int64_t document_version = 1;

std::string document_of_image(const chart_core& core, std::span<const std::byte> image) {
    require_saveable(core, saving::document);
    const auto parts = take_to_pieces(core, image);
    auto d = datum::empty_object();
    d.add("hsm", datum::of("instance"));
    d.add("version", datum::of(document_version));
    d.add("chart", datum::of(core.root->name()));
    d.add("fingerprint", datum::of(shape_of(core).chart.to_string()));
    d.add("clock", datum::of(parts.head.now));
    d.add("machine", describe(core, parts));
    return write_json(d);
}

void check_envelope(const document_part& all) {
    if (all.value().kind != datum::object || !all.has("hsm") || all.value().find("hsm")->kind != datum::text || all["hsm"].text() != "instance")
        throw save_error({code::not_a_document, "", "this is no document of an instance", "restore what save_document has written"});
    all.only({"hsm", "version", "chart", "fingerprint", "clock", "machine"});
    if (const auto version = all["version"].integer(1); version > document_version)
        throw save_error({code::not_a_document, "",
                          fmt::format("the document has version {}, and this library reads up to {}", version, document_version), "use a later one"});
    static_cast<void>(all["chart"].text());
    static_cast<void>(all["fingerprint"].text());
}

converted_image image_of_document(const chart_core& core, std::string_view text, const document_options& how) {
    require_saveable(core, saving::document);
    const auto d = read_json(text, how.most_bytes, how.most_depth);
    const document_part all(d, "");
    check_envelope(all);
    changes changed;
    const auto parts = understand(core, all["machine"].value(), all["clock"].integer(0), changed);
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

restored restore_document(instance_base& agent, std::string_view text, const document_options& how) {
    auto& m = instance_access::engine_of(agent);
    if (is_busy(m)) return {result::busy, {}};
    auto made = image_of_document(core_of(m), text, how);
    restore_machine(m, made.image);
    return {result::taken, std::move(made.changes)};
}

std::string document_of(const chart_base& chart, std::span<const std::byte> image) { return document_of_image(require_chart(chart), image); }

converted_image image_of(const chart_base& chart, std::string_view text, const document_options& how) {
    return image_of_document(require_chart(chart), text, how);
}

} // namespace hsm
