// Exchanges all machines of a manager for others, as a restore needs it.

#include <hsm/manage/detail/machine_pool.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>

namespace hsm::detail {

namespace {

std::uint64_t new_origin() {
    static std::atomic<std::uint64_t> last = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    return ++last;
}

} // namespace

machine_pool::machine_pool() : origin_(new_origin()) {}

bool machine_pool::is_busy() const {
    if (walks_ > 0 || updating_ || shutdowns_ > 0 || ending_) return true;
    for (const auto* p = first_; p; p = p->after)
        if (p->machine().busy()) return true;
    return false;
}

machine_slot& machine_pool::prepare(const context_kind& kind, std::string_view name, const chart_base& chart, void* context,
                                    const instance_options& options, std::optional<std::uint32_t> number) {
    return make(kind, name, chart, context, options, number);
}

void machine_pool::discard(machine_slot& p) noexcept {
    destroy_machine(p);
    p.next = std::exchange(p.home->free, &p);
}

void machine_pool::exchange(std::span<const machine_in_place> all) noexcept {
    for (auto* p = first_; p; p = p->after) p->is = presence::free;
    for (const auto& each : all) each.slot->is = presence::present;
    for (auto* p = std::exchange(first_, nullptr); p;) {
        machine_slot& each = *std::exchange(p, p->after);
        if (each.is == presence::present) continue;
        each.key = names_.extract(each.name);
        --each.home->of_kind->count;
        each.home->of_kind->numbers -= each.number;
        discard(each);
    }
    last_ = nullptr;
    order_ = 0;
    for (const auto& each : all) {
        auto& p = *each.slot;
        if (each.is_new) {
            renumber(p, each.number);
            names_.insert(std::move(p.key));
            ++p.home->of_kind->count;
            p.home->of_kind->numbers += p.number;
        }
        p.real_time = each.real_time;
        p.serial = each.serial;
        append(p);
    }
}

/// Moves a machine to a number that belongs to a free slot or to none.
void machine_pool::renumber(machine_slot& p, std::uint32_t number) noexcept {
    if (p.number == number) return;
    if (auto* const other = slots_[number])
        other->number = p.number;
    else
        *std::ranges::find(spare_numbers_, number) = p.number;
    std::swap(slots_[p.number], slots_[number]);
    p.number = number;
}

} // namespace hsm::detail
