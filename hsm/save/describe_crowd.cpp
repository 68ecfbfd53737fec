#include <hsm/save/crowd_image.hpp>

#include <hsm/save/detail/crowd_reader.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/image_machine.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

std::vector<field_difference> compare(const crowd_access& a, const crowd_access& b, const saved_context& kind, std::size_t most) {
    const crowd_image_layout layout(a, kind);
    require_known_crowd(a.core.layout().core, layout, saving::hash);
    crowd_reader first(a, layout), second(b, layout);
    comparing all(most);
    const auto places = std::max(a.pages().size(), b.pages().size()) * page_agents;
    for (std::uint64_t place = 0; place < places && !all.is_full(); ++place) {
        auto *const of_a = first.page_of(place), *const of_b = second.page_of(place);
        if (!of_a && !of_b) continue;
        const auto slot = static_cast<std::uint32_t>(place % page_agents);
        const auto none = json_value::empty_object();
        all.compare("agent " + std::to_string(place), of_a ? first.describe(*of_a, slot) : none, of_b ? second.describe(*of_b, slot) : none);
    }
    return all.take();
}

} // namespace

std::uint64_t hash_of_crowd(const crowd_base& crowd, const saved_context& kind) {
    const crowd_access all(crowd_access::core_of(crowd));
    if (all.is_busy()) return 0;
    const auto& core = all.core.layout().core;
    const crowd_image_layout layout(all, kind);
    require_known_crowd(core, layout, saving::hash);
    crowd_reader agents(all, layout);
    auto list = json_value::empty_list();
    for (std::uint64_t place = 0; place < all.pages().size() * page_agents; ++place) {
        auto* const p = agents.page_of(place);
        if (!p) continue;
        const auto slot = static_cast<std::uint32_t>(place % page_agents);
        list.add(json_value::of(place));
        list.add(json_value::of(hash_of_image(core, agents.image_of(*p, slot))));
        if (layout.owns_contexts) list.add(json_value::of(hash_of(context_json(layout.context, p->context(slot)))));
    }
    return hash_of(list);
}

std::vector<field_difference> difference_of_crowds(const crowd_base& a, const crowd_base& b, const saved_context& kind, std::size_t most) {
    const crowd_access first(crowd_access::core_of(a)), second(crowd_access::core_of(b));
    if (first.is_busy() || second.is_busy()) return {};
    const auto& charts = {image_layout_of(first.core.layout().core).chart, image_layout_of(second.core.layout().core).chart};
    if (*charts.begin() != *(charts.end() - 1) || first.owns_contexts() != second.owns_contexts())
        refuse_image(first.core.layout().core, code::other_image, "the other crowd has another chart",
                     "compare crowds with the same chart and options");
    return compare(first, second, kind, most);
}

std::vector<field_difference> difference_of_crowd_images(const crowd_base& crowd, const saved_context& kind, std::span<const std::byte> a,
                                                         std::span<const std::byte> b, std::size_t most) {
    auto& core = crowd_access::core_of(crowd);
    const crowd_access all(core);
    crowd_core first(all.chart(), all.kind(), all.options(), all.contexts(), all.capacity());
    crowd_core second(all.chart(), all.kind(), all.options(), all.contexts(), all.capacity());
    restore_core(first, kind, a);
    restore_core(second, kind, b);
    return compare(crowd_access(first), crowd_access(second), kind, most);
}

} // namespace hsm::detail
