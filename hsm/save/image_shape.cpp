#include <hsm/save/detail/image_shape.hpp>

#include <hsm/chart/chart.hpp>
#include <hsm/chart/view.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_format.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/tree_archive.hpp>

#include <memory>

namespace hsm::detail {

namespace {

const value_codec* find_codec(const chart_core& core, const type_identity& type, bool is_local) {
    for (const auto& row : core.states)
        for (const auto* codec : row.node->codecs()) {
            if (is_local && same_type(*codec->local, type)) return codec;
            if (!is_local && codec->event && same_type(*codec->event, type)) return codec;
        }
    return nullptr;
}

value_shape shape_of_value(const chart_core& core, const type_identity& type, bool is_local) {
    value_shape shape{value_shape::unknown, type.size, &type, find_codec(core, type, is_local)};
    const bool copied = type.traits & value_copied;
    if (copied && (type.traits & value_empty))
        shape.form = value_shape::nothing;
    else if (copied)
        shape.form = value_shape::bytes;
    else if (shape.codec && shape.codec->move && (is_local || shape.codec->construct))
        shape.form = value_shape::fields;
    return shape;
}

} // namespace

image_shape::image_shape(const chart_core& core) {
    for (const auto& local : core.locals) locals.push_back(shape_of_value(core, *local.type, true));
    for (const auto& event : core.events) {
        auto shape = shape_of_value(core, *event.type, false);
        if (event.type->is_name) shape.form = value_shape::fields, shape.codec = &codec_of_names;
        events.push_back(shape);
    }
    for (const auto* list : {&locals, &events})
        for (const auto& each : *list) {
            is_saveable &= each.form != value_shape::unknown;
            is_bytes &= each.form != value_shape::fields;
        }
    condition_words = words_for(core.conditions.size());
    has_times = core.options.entry_times;
    for (index s = 0; s < row_count(core.states); ++s) has_state_marks |= has_mark_byte(core, s);
    is_plain = !core.driven && !core.has_over && !has_state_marks && !core.has_holds && !core.has_defers && core.conditions.empty() &&
               core.timers.empty() && core.locals.empty() && is_saveable;
    add_user(core.owner);
    const hsm::chart<int> handle(core.owner);
    chart = handle.fingerprint();
    layout = handle.layout();
    for (const auto* list : {&locals, &events})
        for (const auto& each : *list) layout.low = (layout.low ^ each.form) * 0x100'0000'01b3; // a step of FNV
    image_head head;
    static_cast<image_prefix&>(head) = {image_magic, image_version, 0, chart, layout};
    static_assert(sizeof head == sizeof plain_head);
    std::memcpy(plain_head.data(), &head, sizeof head);
}

const image_shape& make_shape(const chart_core& core) {
    const atomic_view there(core.owner->image);
    auto made = std::make_unique<image_shape>(core);
    const chart_addition* none = nullptr; // another thread may be first
    if (there.compare_exchange_strong<order::acquire_release, order::acquire>(none, made.get())) return *made.release();
    return static_cast<const image_shape&>(*none);
}

value_shape shape_of_context(const saved_context& kind) {
    value_shape shape{value_shape::unknown, kind.type.size, &kind.type, kind.codec};
    if (kind.type.traits & value_copied)
        shape.form = kind.type.traits & value_empty ? value_shape::nothing : value_shape::bytes;
    else if (kind.codec && kind.codec->move && kind.codec->construct)
        shape.form = value_shape::fields;
    return shape;
}

value_shape shape_of_users_context(const saved_context& kind) {
    auto shape = shape_of_context(kind);
    if (kind.codec) shape.form = value_shape::fields;
    return shape;
}

void require_saveable_context(const chart_core& core, const value_shape& context, const char* alternative) {
    if (context.form != value_shape::unknown) return;
    const auto* const why = !context.codec         ? "it is not trivially copyable and has no serialize"
                            : !context.codec->move ? "it is not trivially copyable, and its move constructor can throw"
                                                   : "it is not trivially copyable and has no default constructor";
    refuse_image(core, code::unsaveable, "the context " + std::string(context.type->name) + " cannot be saved: " + why,
                 std::string("write serialize(archive, value) for it").append(alternative));
}

void require_known_context(const chart_core& core, const value_shape& context, saving purpose) {
    if (context.codec || context.form == value_shape::nothing || (context.type->traits & value_is_bytes)) return;
    refuse_image(core, code::unsaveable, fmt::format("the context {} {}: {}", context.type->name, impossible(purpose), unknown_fields),
                 "write serialize(archive, value) for it");
}

datum context_tree(const value_shape& shape, void* context) {
    if (shape.codec) {
        tree_writer to;
        shape.codec->serialize(to, context);
        return to.take();
    }
    if (shape.form == value_shape::nothing) return {};
    const auto* const bytes = static_cast<const std::byte*>(context);
    return value_to_tree(shape, nullptr, {bytes, bytes + shape.size});
}

} // namespace hsm::detail
