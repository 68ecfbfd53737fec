#include <hsm/save/crowd_image.hpp>

#include <hsm/save/detail/crowd_reader.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/image_shape.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

std::vector<field_difference> compare(const crowd_access& a, const crowd_access& b, const saved_context& kind, std::size_t most) {
    const crowd_image_shape shape(a, kind);
    require_known_crowd(a.core.shape().core, shape, saving::hash);
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
    require_known_crowd(core, shape, saving::hash);
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
        refuse_image(first.core.shape().core, code::other_image, "the other crowd has another chart",
                     "compare crowds with the same chart and options");
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
