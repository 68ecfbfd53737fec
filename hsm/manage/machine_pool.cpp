// Slots, pools and names of machines.

#include <hsm/manage/detail/machine_pool.hpp>

#include <hsm/define/detail/assert.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/vm/detail/choosing.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <new>

namespace hsm::detail {

std::size_t pool_key_hash::operator()(const pool_key& key) const {
    return std::hash<const void*>()(key.core); // few keys have the same chart
}

namespace {

std::size_t block_offset(const pool& home) { return (sizeof(machine_slot) + home.block.alignment - 1) / home.block.alignment * home.block.alignment; }

std::align_val_t alignment_of(const pool& home) { return std::align_val_t(std::max(alignof(machine_slot), home.block.alignment)); }

} // namespace

machine_pool::~machine_pool() {
    if (inputs) inputs->object_gone();
    HSM_ASSERT(walks_ == 0); // otherwise a hook of one of its machines destroys it
    for (machine_slot* p = first_; p;) {
        machine_slot& each = *std::exchange(p, p->after);
        if (each.is != slot_status::gone) {
            HSM_ASSERT(!each.machine().busy());
            each.home->kind->destroy(each.machine());
        }
        destroy_slot(each);
    }
    for (auto& [key, home] : pools_)
        while (home.free) destroy_slot(*std::exchange(home.free, home.free->next));
    for (auto* const link : observers_) end_use(link);
}

void machine_pool::observe(machine_slot& p, observer_link* link, std::uint32_t number) { hsm::detail::observe(p.machine().engine_, link, number); }

void machine_pool::attach(observer_link* link) {
    std::erase_if(observers_, [](observer_link* each) { return each->to ? false : (end_use(each), true); });
    observers_.push_back(link);
    begin_use(link);
    for (auto* p = first_; p; p = p->after)
        if (p->is == slot_status::present) observe(*p, link, p->number);
}

/// If there is no memory, nothing has changed.
machine_slot& machine_pool::create(const context_kind& kind, std::string_view name, const chart_base& chart, void* context,
                                   const instance_options& options) {
    require_chart(chart);
    if (name.empty()) throw_manager_error(code::machine_unnamed, "(no name)", "the name of the machine is empty", "pass a name");
    if (shutdowns_ > 0)
        throw_manager_error(code::manager_closing, name, "a machine cannot be created while the manager shuts down", "create it after the shutdown");
    if (replaced && chart.core().owner == replaced->owner)
        throw_manager_error(code::manager_closing, name, "a machine with the old chart cannot be created during a reload", "pass the new chart");
    if (names_.contains(name))
        throw_manager_error(code::machine_exists, name, fmt::format("a machine \"{}\" already exists", name),
                            "remove that machine first, or choose another name");
    machine_slot& p = make(kind, name, chart, context, options, {});
    try {
        enlist(p);
        auto& m = p.machine().engine_;
        if (core_of(m).has_chance) chance_of(m, core_of(m)).stream += p.serial;
        if (auto* const queues = queues_of(m, core_of(m))) queues->stream += p.serial; // for another chart
    } catch (...) {
        discard(p);
        throw;
    }
    return p;
}

machine_slot& machine_pool::make(const context_kind& kind, std::string_view name, const chart_base& chart, void* context,
                                 const instance_options& options, std::optional<std::uint32_t> number) {
    auto& home = pool_for(kind, chart, options);
    machine_slot& p = take_slot(home);
    auto* const block = reinterpret_cast<std::byte*>(&p) + block_offset(home);
    try {
        give_name(p, name);
        kind.make(p.head, chart, context, options, block); // this also creates the mailbox
        try {
            for (auto* const link : observers_)
                if (link->to) observe(p, link, number.value_or(p.number));
        } catch (...) {
            kind.destroy(p.machine());
            throw;
        }
    } catch (...) {
        p.next = std::exchange(home.free, &p);
        throw;
    }
    return p;
}

pool& machine_pool::pool_for(const context_kind& kind, const chart_base& chart, const instance_options& options) {
    const pool_key key{&chart.core(), options};
    if (const auto known = pools_.find(key); known != pools_.end()) return known->second;
    const auto& known_kind = kind_like(kind);
    auto& of_kind = kinds_[&known_kind];
    return pools_.emplace(key, pool{chart, options, &known_kind, &of_kind, instance_memory(chart, options)})->second;
}

machine_slot& machine_pool::take_slot(pool& home) {
    if (!home.free) return make_slot(home);
    return *std::exchange(home.free, home.free->next);
}

machine_slot& machine_pool::make_slot(pool& home) {
    if (spare_numbers_.empty()) {
        if (slots_.size() > UINT32_MAX) throw std::bad_alloc();                                        // that many machines do not fit into memory
        if (spare_numbers_.capacity() <= slots_.size()) spare_numbers_.reserve(2 * slots_.size() + 1); // so that trim allocates nothing
        slots_.push_back(nullptr);
        spare_numbers_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    void* const memory = ::operator new(block_offset(home) + home.block.size, alignment_of(home));
    auto* const p = new (memory) machine_slot;
    p->home = p->uses = &home;
    p->number = spare_numbers_.back();
    spare_numbers_.pop_back();
    slots_[p->number] = p;
    ++home.slots;
    return *p;
}

void machine_pool::destroy_slot(machine_slot& p) noexcept {
    const auto alignment = alignment_of(*p.home);
    --p.home->slots;
    p.~machine_slot();
    ::operator delete(&p, alignment);
}

void machine_pool::destroy_machine(machine_slot& p) noexcept {
    lost_ += p.machine().lost();
    p.home->kind->destroy(p.machine());
    change_chart(p, *p.home);
}

std::uint64_t machine_pool::lost() const {
    auto all = lost_;
    for (auto* p = first_; p; p = p->after)
        if (p->is != slot_status::gone) all += p->machine().lost();
    return all;
}

void machine_pool::give_name(machine_slot& p, std::string_view name) {
    p.name.assign(name);
    if (p.key.empty()) {
        name_table made;
        made.emplace(p.name, &p);
        p.key = made.extract(made.begin());
    }
    p.key.key() = p.name;
}

/// Makes the machine present in the list and in the table of names.
void machine_pool::enlist(machine_slot& p) {
    make_room(names_.size() + 1);
    names_.insert(std::move(p.key));
    ++p.home->of_kind->count;
    p.home->of_kind->numbers += p.number;
    p.real_time = false;
    p.serial = ++serial_;
    append(p);
}

void machine_pool::make_room(std::size_t machines) {
    const auto most = static_cast<double>(names_.max_load_factor()) * static_cast<double>(names_.bucket_count());
    if (static_cast<double>(machines) > most) names_.reserve(std::max(machines, 2 * names_.size()));
}

void machine_pool::append(machine_slot& p) noexcept {
    p.is = slot_status::present;
    p.order = ++order_;
    p.before = last_;
    p.after = nullptr;
    (last_ ? last_->after : first_) = &p;
    last_ = &p;
}

void machine_pool::end_walk() noexcept {
    if (--walks_ > 0) return;
    while (gone_) {
        machine_slot& p = *std::exchange(gone_, gone_->next);
        (p.before ? p.before->after : first_) = p.after;
        (p.after ? p.after->before : last_) = p.before;
        p.is = slot_status::free;
        p.next = std::exchange(p.home->free, &p);
    }
}

void machine_pool::release_chart(const chart_core& core) noexcept {
    const auto is_unused = [&](const auto& entry) {
        const auto* p = first_;
        while (p && p->uses != &entry.second) p = p->after;
        return entry.first.core == &core && !p;
    };
    for (auto found = pools_.begin(); (found = std::find_if(pools_.begin(), pools_.end(), is_unused)) != pools_.end();) {
        const auto released = std::move(found->second.chart);
        auto node = pools_.extract(found);
        node.key().core = nullptr;
        pools_.insert(std::move(node));
    }
}

void machine_pool::trim() {
    for (auto& [key, home] : pools_)
        while (home.free) {
            spare_numbers_.push_back(home.free->number);
            machine_slot& p = *std::exchange(home.free, home.free->next);
            slots_[p.number] = nullptr;
            destroy_slot(p);
        }
    std::erase_if(pools_, [](const auto& entry) { return entry.second.slots == 0; });
    const auto is_used = [&](const kind_usage& of_kind) {
        return std::ranges::any_of(pools_, [&](const auto& entry) { return entry.second.of_kind == &of_kind; });
    };
    std::erase_if(kinds_, [&](const auto& entry) { return !is_used(entry.second); }); // the module that defines the kind can be unloaded after this
}

machine_slot* machine_pool::find(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? nullptr : found->second;
}

machine_slot* machine_pool::at(const managed_base& m) const {
    if (m.owner_ != this || m.number_ >= slots_.size()) return nullptr;
    auto* const p = slots_[m.number_];
    return p && p->is == slot_status::present && p->serial == m.serial_ ? p : nullptr;
}

const context_kind& machine_pool::kind_like(const context_kind& kind) const {
    if (kinds_.contains(&kind)) return kind;
    const auto alike = std::ranges::find_if(kinds_, [&](const auto& entry) { return same_type(*entry.first, kind); });
    return alike == kinds_.end() ? kind : *alike->first;
}

std::size_t machine_pool::count(const context_kind& kind) const {
    const auto found = kinds_.find(&kind_like(kind));
    return found == kinds_.end() ? 0 : found->second.count;
}

machine_slot* machine_pool::only(const context_kind& kind) const {
    const auto found = kinds_.find(&kind_like(kind));
    return found != kinds_.end() && found->second.count == 1 ? slots_[found->second.numbers] : nullptr;
}

// The exchange of all machines for others, as a restore needs it.

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

void machine_pool::exchange(std::span<const prepared_machine> all) noexcept {
    for (auto* p = first_; p; p = p->after) p->is = slot_status::free;
    for (const auto& each : all) each.slot->is = slot_status::present;
    for (auto* p = std::exchange(first_, nullptr); p;) {
        machine_slot& each = *std::exchange(p, p->after);
        if (each.is == slot_status::present) continue;
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
