#include <hsm/save/crowd_image.hpp>

#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/check_image.hpp>
#include <hsm/save/detail/comparing.hpp>
#include <hsm/save/detail/crowd_format.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/tree_archive.hpp>
#include <hsm/save/detail/value_tree.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

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

void require_known(const chart_core& core, const crowd_image_shape& shape) {
    require_saveable(core, saving::document);
    const auto& context = shape.context;
    if (context.codec || context.form == value_shape::nothing || (context.type->traits & value_is_bytes)) return;
    refuse_image(core, code::unsaveable,
                 "the context " + std::string(context.type->name) + " has no hash: its bytes are not its value, and its fields are not known",
                 "write serialize(archive, value) beside it");
}

} // namespace

namespace {

/// Looks at one agent after the other.
class crowd_reader {
public:
    crowd_reader(const crowd_access& herd, const crowd_image_shape& shape) : herd_(herd), shape_(shape), slot_(herd.core) {}

    /// Null: nobody is there.
    page* page_of(std::uint64_t place) const {
        if (place / page_agents >= herd_.pages().size()) return nullptr;
        auto& p = *herd_.pages()[place / page_agents];
        const auto slot = static_cast<std::uint32_t>(place % page_agents);
        return slot < p.used && p.has_agent(slot) ? &p : nullptr;
    }
    std::span<const std::byte> image_of(page& p, std::uint32_t slot) {
        slot_->load(p, slot, herd_.now());
        std::size_t size = 0;
        try {
            while ((size = save_machine(instance_access::engine_of(slot_->machine()), image_, false)) > image_.size()) image_.resize(size);
        } catch (...) { // of a serialize
            slot_->store(herd_.now());
            throw;
        }
        slot_->store(herd_.now());
        return std::span(image_).first(size);
    }
    datum describe(page& p, std::uint32_t slot) {
        auto d = datum::empty_object();
        d.add("machine", describe_image(herd_.core.shape().core, image_of(p, slot)));
        if (shape_.keeps_contexts) d.add("context", context_tree(shape_.context, p.context(slot)));
        return d;
    }

private:
    const crowd_access& herd_;
    const crowd_image_shape& shape_;
    crowd_access::slot_in_use slot_;
    std::vector<std::byte> image_;
};

std::vector<field_difference> compare(const crowd_access& a, const crowd_access& b, const saved_context& kind, std::size_t most) {
    const crowd_image_shape shape(a, kind);
    require_known(a.core.shape().core, shape);
    crowd_reader first(a, shape), second(b, shape);
    comparing all(most);
    const auto places = std::max(a.pages().size(), b.pages().size()) * page_agents;
    for (std::uint64_t place = 0; place < places && !all.is_full(); ++place) {
        auto *const of_a = first.page_of(place), *const of_b = second.page_of(place);
        if (!of_a && !of_b) continue;
        const auto slot = static_cast<std::uint32_t>(place % page_agents);
        const auto none = datum::empty_object();
        all.compare("agent " + std::to_string(place), of_a ? first.describe(*of_a, slot) : none, of_b ? second.describe(*of_b, slot) : none);
    }
    return all.take();
}

} // namespace

std::uint64_t hash_of_crowd(const crowd_base& herd, const saved_context& kind) {
    const crowd_access all(crowd_access::core_of(herd));
    if (all.is_busy()) return 0;
    const auto& core = all.core.shape().core;
    const crowd_image_shape shape(all, kind);
    require_known(core, shape);
    crowd_reader agents(all, shape);
    auto list = datum::empty_list();
    for (std::uint64_t place = 0; place < all.pages().size() * page_agents; ++place) {
        auto* const p = agents.page_of(place);
        if (!p) continue;
        const auto slot = static_cast<std::uint32_t>(place % page_agents);
        list.add(datum::of(place));
        list.add(datum::of(hash_of_image(core, agents.image_of(*p, slot))));
        if (shape.keeps_contexts) list.add(datum::of(hash_of(context_tree(shape.context, p->context(slot)))));
    }
    return hash_of(list);
}

std::vector<field_difference> difference_of_crowds(const crowd_base& a, const crowd_base& b, const saved_context& kind, std::size_t most) {
    const crowd_access first(crowd_access::core_of(a)), second(crowd_access::core_of(b));
    if (first.is_busy() || second.is_busy()) return {};
    const auto& charts = {shape_of(first.core.shape().core).chart, shape_of(second.core.shape().core).chart};
    if (*charts.begin() != *(charts.end() - 1) || first.keeps_contexts() != second.keeps_contexts())
        refuse_image(first.core.shape().core, code::other_image, "the other crowd is one of another chart", "compare crowds that are made alike");
    return compare(first, second, kind, most);
}

std::vector<field_difference> difference_of_crowd_images(const crowd_base& herd, const saved_context& kind, std::span<const std::byte> a,
                                                         std::span<const std::byte> b, std::size_t most) {
    auto& core = crowd_access::core_of(herd);
    const crowd_access all(core);
    crowd_core first(all.chart(), all.kind(), all.options(), all.contexts(), all.capacity());
    crowd_core second(all.chart(), all.kind(), all.options(), all.contexts(), all.capacity());
    restore_core(first, kind, a);
    restore_core(second, kind, b);
    return compare(crowd_access(first), crowd_access(second), kind, most);
}

} // namespace hsm::detail
