#include <hsm/save/manager_image.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/calls.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/manager_format.hpp>

#include <algorithm>

namespace hsm {

using namespace detail;

namespace detail {

void refuse_pool_image(code number, std::string path, std::string problem, std::string hint) {
    throw save_error({number, std::move(path), std::move(problem), std::move(hint)});
}

value_layout context_layout_of(const machine_kind& kind) {
    return kind.options.saves_contexts ? layout_of_users_context(kind.saved) : value_layout{};
}

const machine_kind* find_kind(const machine_factory& kinds, const chart_core& core) {
    for (const auto& each : kinds.kinds())
        if (&each->chart.core() == &core) return each.get();
    return nullptr;
}

const machine_kind* find_kind(const machine_factory& kinds, std::string_view label) {
    for (const auto& each : kinds.kinds())
        if (each->label == label) return each.get();
    return nullptr;
}

const machine_kind& require_kind(const machine_factory& kinds, const machine_slot& p) {
    const auto& core = p.uses->chart.core();
    if (const auto* const kind = find_kind(kinds, core)) return *kind;
    refuse_pool_image(code::unsaveable, p.name, fmt::format("the machine uses the chart \"{}\", which the factory does not have", core.root->path()),
                      "add(label, chart, ...) to the factory");
}

namespace {

class pool_writer {
public:
    pool_writer(machine_pool& pool, const machine_factory& kinds, std::span<std::byte> to) : pool_(pool), kinds_(kinds), to_(to), out_(to) {}

    std::size_t run(bool checksum) {
        manager_image_head head;
        head.origin = pool_.origin();
        head.elapsed = pool_.elapsed.nanoseconds();
        head.real_elapsed = pool_.real_elapsed.nanoseconds();
        out_.skip(sizeof head);
        gather_kinds();
        for (const auto* kind : used_) put_kind(*kind);
        for (auto* p = pool_.first(); p; p = p->after) {
            put_machine(*p);
            ++head.machines;
        }
        head.kinds = static_cast<std::uint32_t>(used_.size());
        return finish_image(out_, to_, head, checksum);
    }

private:
    void gather_kinds() {
        for (auto* p = pool_.first(); p; p = p->after) {
            const auto& kind = require_kind(kinds_, *p);
            if (std::ranges::find(used_, &kind) != used_.end()) continue;
            require_saveable_context(kind.chart.core(), context_layout_of(kind));
            require_saveable(kind.chart.core(), saving::image);
            used_.push_back(&kind);
        }
    }
    void put_kind(const machine_kind& kind) {
        const auto context = context_layout_of(kind);
        out_.put(manager_kind_head{static_cast<std::uint32_t>(kind.label.size()), context.form, context.size, 0});
        out_.put_bytes(kind.label.data(), kind.label.size());
    }
    void put_machine(machine_slot& p) {
        const auto used = std::ranges::find(used_, &require_kind(kinds_, p));
        auto& m = instance_access::engine_of(p.machine());
        manager_machine_head head{
            static_cast<std::uint32_t>(p.name.size()), static_cast<std::uint32_t>(used - used_.begin()), p.number, p.real_time, p.serial, 0};
        auto* const at = out_.skip(sizeof head);
        out_.put_bytes(p.name.data(), p.name.size());
        const auto rest = out_.rest();
        head.image_size = save_machine(m, rest, false);
        out_.skip(head.image_size);
        if (at) std::memcpy(at, &head, sizeof head);
        out_.put_value(context_layout_of(**used), calls::root_context(m));
    }

    machine_pool& pool_;
    const machine_factory& kinds_;
    const std::span<std::byte> to_;
    image_writer out_;
    std::vector<const machine_kind*> used_;
};

} // namespace

void savable_manager::gather_mail() const {
    for (auto* p = pool_.first(); p; p = p->after) detail::gather_mail(instance_access::engine_of(p->machine()));
}

std::size_t savable_manager::save(std::span<std::byte> to, bool checksum) const { return pool_writer(pool_, kinds_, to).run(checksum); }

} // namespace detail

std::size_t image_size(const manager& machines, const machine_factory& kinds) { return image_size_of(savable_manager(machines, kinds)); }
saved save(const manager& machines, const machine_factory& kinds, std::span<std::byte> to, image_options how) {
    return save_into(savable_manager(machines, kinds), to, how);
}
std::vector<std::byte> save(const manager& machines, const machine_factory& kinds, image_options how) {
    return image_of(savable_manager(machines, kinds), how);
}

} // namespace hsm
