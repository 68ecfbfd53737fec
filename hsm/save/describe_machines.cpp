#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/crowd_format.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/json_archive.hpp>
#include <hsm/save/detail/manager_format.hpp>
#include <hsm/save/manager_image.hpp>

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
    agents.each([&](std::uint64_t place, page& p, std::uint32_t slot) {
        list.add(json_value::of(place));
        list.add(json_value::of(hash_of_image(core, agents.image_of(p, slot))));
        if (layout.owns_contexts) list.add(json_value::of(hash_of(context_json(layout.context, p.context(slot)))));
    });
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

namespace {

std::vector<field_difference> compare(const crowd_access& all, const saved_context& kind, std::span<const std::byte> a, std::span<const std::byte> b,
                                      std::size_t most) {
    crowd_core first(all.chart(), all.kind(), all.options(), all.contexts(), all.capacity());
    crowd_core second(all.chart(), all.kind(), all.options(), all.contexts(), all.capacity());
    restore_core(first, kind, a);
    restore_core(second, kind, b);
    return compare(crowd_access(first), crowd_access(second), kind, most);
}

} // namespace

std::vector<field_difference> savable_crowd::difference(std::span<const std::byte> a, std::span<const std::byte> b) const {
    return compare(crowd_access(crowd_), kind_, a, b, 100);
}

std::vector<field_difference> difference_of_crowd_images(const crowd_base& crowd, const saved_context& kind, std::span<const std::byte> a,
                                                         std::span<const std::byte> b, std::size_t most) {
    return compare(crowd_access(crowd_access::core_of(crowd)), kind, a, b, most);
}

} // namespace hsm::detail

namespace hsm {

using namespace detail;

namespace {

void require_known(const machine_kind& kind) {
    require_saveable(kind.chart.core(), saving::hash);
    require_known_context(kind.chart.core(), context_layout_of(kind), saving::hash);
}

/// Adds one machine after the other.
class described_pool {
public:
    void add(const std::string& name, const machine_kind& kind, bool real_time, std::span<const std::byte> image, json_value context) {
        auto d = json_value::empty_object();
        d.add("kind", json_value::of(kind.label));
        if (real_time) d.add("real_time", json_value::of(true));
        d.add("machine", describe_image(kind.chart.core(), image));
        if (context.kind != json_value::nothing) d.add("context", std::move(context));
        machines_.add(name, std::move(d));
        order_.add(json_value::of(name));
    }
    json_value take() {
        auto all = json_value::empty_object();
        all.add("machines", std::move(machines_));
        all.add("order", std::move(order_));
        return all;
    }

private:
    json_value machines_ = json_value::empty_object(), order_ = json_value::empty_list();
};

json_value context_of(const wanted_machine& m, const value_layout& layout) {
    try {
        return value_to_json(layout, nullptr, m.context);
    } catch (const broken_bytes& e) {
        throw save_error(
            {code::broken_image, m.name, std::string("the fields of the context do not match: ") + e.what(), "restore an image that save wrote"});
    }
}

json_value describe_pool_image(const machine_factory& kinds, std::span<const std::byte> image) {
    described_pool all;
    const auto what = read_pool_image(nullptr, kinds, image);
    for (const auto& m : what.machines) {
        require_known(*m.kind);
        const auto layout = context_layout_of(*m.kind);
        const bool is_known = layout.form != value_layout::fields || layout.codec->construct;
        all.add(m.name, *m.kind, m.real_time, m.image, is_known ? context_of(m, layout) : json_value());
    }
    return all.take();
}

} // namespace

json_value detail::describe_pool(machine_pool& pool, const machine_factory& kinds) {
    described_pool all;
    std::vector<std::byte> image;
    for (auto* p = pool.first(); p; p = p->after) {
        const auto& kind = require_kind(kinds, *p);
        require_known(kind);
        auto& m = instance_access::engine_of(p->machine());
        gather_mail(m);
        all.add(p->name, kind, p->real_time, save_machine(m, image), context_json(context_layout_of(kind), calls::root_context(m)));
    }
    return all.take();
}

std::vector<field_difference> savable_manager::difference(std::span<const std::byte> a, std::span<const std::byte> b) const {
    return hsm::difference(kinds_, a, b);
}

std::uint64_t hash(const manager& machines, const machine_factory& kinds) {
    auto& pool = manager_access::pool_of(machines);
    return pool.is_busy() ? 0 : hash_of(describe_pool(pool, kinds));
}

std::vector<field_difference> difference(const manager& a, const manager& b, const machine_factory& kinds, std::size_t most) {
    auto &first = manager_access::pool_of(a), &second = manager_access::pool_of(b);
    if (first.is_busy() || second.is_busy()) return {};
    return difference_of(describe_pool(first, kinds), describe_pool(second, kinds), most);
}

std::vector<field_difference> difference(const machine_factory& kinds, std::span<const std::byte> a, std::span<const std::byte> b, std::size_t most) {
    return difference_of(describe_pool_image(kinds, a), describe_pool_image(kinds, b), most);
}

} // namespace hsm
