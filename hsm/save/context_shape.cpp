#include <hsm/save/detail/context_shape.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/save/detail/check_image.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/tree_archive.hpp>
#include <hsm/save/detail/value_tree.hpp>

namespace hsm::detail {

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
