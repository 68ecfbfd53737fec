#include <hsm/save/detail/image_layout.hpp>

#include <hsm/chart/chart.hpp>
#include <hsm/chart/view.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/save/archive.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_format.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/json_archive.hpp>

#include <memory>
#include <new>
#include <string>

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

value_layout layout_of_value(const chart_core& core, const type_identity& type, bool is_local) {
    value_layout value{value_layout::unknown, type.size, &type, find_codec(core, type, is_local)};
    const bool copied = type.traits & value_copied;
    if (copied && (type.traits & value_empty))
        value.form = value_layout::nothing;
    else if (copied)
        value.form = value_layout::bytes;
    else if (value.codec && value.codec->move && (is_local || value.codec->construct))
        value.form = value_layout::fields;
    return value;
}

} // namespace

image_layout::image_layout(const chart_core& core) {
    for (const auto& local : core.locals) locals.push_back(layout_of_value(core, *local.type, true));
    for (const auto& event : core.events) {
        auto value = layout_of_value(core, *event.type, false);
        if (event.type->is_name) value.form = value_layout::fields, value.codec = &codec_of_names;
        events.push_back(value);
    }
    for (const auto* list : {&locals, &events})
        for (const auto& each : *list) {
            is_saveable &= each.form != value_layout::unknown;
            is_bytes &= each.form != value_layout::fields;
        }
    condition_words = words_for(core.conditions.size());
    has_times = core.options.entry_times;
    for (index s = 0; s < row_count(core.states); ++s) has_state_marks |= has_mark_byte(core, s);
    is_plain = !core.by_regions && !core.has_over && !has_state_marks && !core.has_holds && !core.has_defers && !core.has_chance &&
               core.cooldowns.empty() && core.conditions.empty() && core.timers.empty() && core.locals.empty() && is_saveable;
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

void image_layout::refer_to_objects() {
    for (auto* const list : {&locals, &events})
        for (auto& each : *list) each = {value_layout::object, sizeof(void*), each.type, nullptr};
    is_plain = false;
    is_saveable = is_bytes = true;
}

namespace {

/// The name, unless it is in the chart, and the data as JSON.
struct written_name {
    std::string name;
    std::string data;
};

void serialize_name(archive& a, void* value) {
    auto& event = *static_cast<named_event*>(value);
    written_name written{std::string(event.name()), to_string(event.data())};
    a("name", written.name)("data", written.data);
    if (!a.reading()) return;
    event_data data;
    if (!read_json(written.data, data)) a.reject("the data of an event is not JSON");
    const name_node read{written.name, std::move(data)};
    const named_event view(read);
    event = read.name.empty() && !read.data ? named_event() : view; // a copy with its own memory
}

void move_name(void* to, void* from) noexcept { *new (to) named_event() = static_cast<named_event&&>(*static_cast<named_event*>(from)); }

} // namespace

const value_codec codec_of_names{&local_type_of<named_event>,
                                 &event_type_of<named_event>,
                                 &serialize_name,
                                 [](void* memory) { new (memory) named_event(); },
                                 &move_name,
                                 [](void* value) noexcept { static_cast<named_event*>(value)->~named_event(); }};

const image_layout& make_image_layout(const chart_core& core) {
    const atomic_view there(core.owner->image);
    auto made = std::make_unique<image_layout>(core);
    const chart_addition* none = nullptr; // another thread may be first
    if (there.compare_exchange_strong<order::acquire_release, order::acquire>(none, made.get())) return *made.release();
    return static_cast<const image_layout&>(*none);
}

value_layout layout_of_context(const saved_context& kind) {
    value_layout value{value_layout::unknown, kind.type.size, &kind.type, kind.codec};
    if (kind.type.traits & value_copied)
        value.form = kind.type.traits & value_empty ? value_layout::nothing : value_layout::bytes;
    else if (kind.codec && kind.codec->move && kind.codec->construct)
        value.form = value_layout::fields;
    return value;
}

value_layout layout_of_users_context(const saved_context& kind) {
    auto value = layout_of_context(kind);
    if (kind.codec) value.form = value_layout::fields;
    return value;
}

void require_saveable_context(const chart_core& core, const value_layout& context, const char* alternative) {
    if (context.form != value_layout::unknown) return;
    const auto* const why = !context.codec         ? "it is not trivially copyable and has no serialize"
                            : !context.codec->move ? "it is not trivially copyable, and its move constructor can throw"
                                                   : "it is not trivially copyable and has no default constructor";
    refuse_image(core, code::unsaveable, "the context " + std::string(context.type->name) + " cannot be saved: " + why,
                 std::string("write serialize(archive, value) for it").append(alternative));
}

void require_known_context(const chart_core& core, const value_layout& context, saving purpose) {
    if (context.codec || context.form == value_layout::nothing || (context.type->traits & value_is_bytes)) return;
    refuse_image(core, code::unsaveable, fmt::format("the context {} {}: {}", context.type->name, impossible(purpose), unknown_fields),
                 "write serialize(archive, value) for it");
}

json_value context_json(const value_layout& value, void* context) {
    if (value.codec) return fields_of_object(value.codec->serialize, context);
    if (value.form == value_layout::nothing) return {};
    const auto* const bytes = static_cast<const std::byte*>(context);
    return value_to_json(value, nullptr, {bytes, bytes + value.size});
}

} // namespace hsm::detail
