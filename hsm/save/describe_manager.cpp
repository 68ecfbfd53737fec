#include <hsm/save/manager_image.hpp>

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/image_shape.hpp>
#include <hsm/save/detail/manager_format.hpp>
#include <hsm/save/detail/tree_archive.hpp>

namespace hsm {

using namespace detail;

namespace {

void require_known(const machine_kind& kind) {
    require_saveable(kind.chart.core(), saving::hash);
    require_known_context(kind.chart.core(), context_shape_of(kind), saving::hash);
}

/// Adds one machine after the other.
class described_pool {
public:
    void add(const std::string& name, const machine_kind& kind, bool real_time, std::span<const std::byte> image, datum context) {
        auto d = datum::empty_object();
        d.add("kind", datum::of(kind.label));
        if (real_time) d.add("real_time", datum::of(true));
        d.add("machine", describe_image(kind.chart.core(), image));
        if (context.kind != datum::nothing) d.add("context", std::move(context));
        machines_.add(name, std::move(d));
        order_.add(datum::of(name));
    }
    datum take() {
        auto all = datum::empty_object();
        all.add("machines", std::move(machines_));
        all.add("order", std::move(order_));
        return all;
    }

private:
    datum machines_ = datum::empty_object(), order_ = datum::empty_list();
};

datum context_of(const wanted_machine& m, const value_shape& shape) {
    try {
        return value_to_tree(shape, nullptr, m.context);
    } catch (const broken_bytes& e) {
        refuse_pool_image(code::broken_image, m.name, std::string("the fields of the context do not match: ") + e.what(),
                          "restore an image that save wrote");
    }
}

datum describe_pool_image(const machine_factory& kinds, std::span<const std::byte> image) {
    described_pool all;
    const auto what = read_pool_image(nullptr, kinds, image);
    for (const auto& m : what.machines) {
        require_known(*m.kind);
        const auto shape = context_shape_of(*m.kind);
        const bool is_known = shape.form != value_shape::fields || shape.codec->construct;
        all.add(m.name, *m.kind, m.real_time, m.image, is_known ? context_of(m, shape) : datum());
    }
    return all.take();
}

} // namespace

datum detail::describe_pool(machine_pool& pool, const machine_factory& kinds) {
    described_pool all;
    std::vector<std::byte> image;
    for (auto* p = pool.first(); p; p = p->after) {
        const auto& kind = require_kind(kinds, *p);
        require_known(kind);
        auto& m = instance_access::engine_of(p->machine());
        gather_mail(m);
        image.resize(save_machine(m, {}, false));
        save_machine(m, image, false);
        all.add(p->name, kind, p->real_time, image, context_tree(context_shape_of(kind), calls::root_context(m)));
    }
    return all.take();
}

std::uint64_t hash(const manager& machines, const machine_factory& kinds) {
    auto& pool = manager_access::pool_of(machines);
    return pool.is_busy() ? 0 : hash_of(describe_pool(pool, kinds));
}

std::vector<field_difference> difference(const manager& a, const manager& b, const machine_factory& kinds, std::size_t most) {
    auto &first = manager_access::pool_of(a), &second = manager_access::pool_of(b);
    if (first.is_busy() || second.is_busy()) return {};
    comparing all(most);
    all.compare("", describe_pool(first, kinds), describe_pool(second, kinds));
    return all.take();
}

std::vector<field_difference> difference(const machine_factory& kinds, std::span<const std::byte> a, std::span<const std::byte> b, std::size_t most) {
    comparing all(most);
    all.compare("", describe_pool_image(kinds, a), describe_pool_image(kinds, b));
    return all.take();
}

} // namespace hsm
