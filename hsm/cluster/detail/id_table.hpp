/// A hash table from global ids to small values.
#pragma once

#include <hsm/cluster/distributed_options.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace hsm::detail {

/// A default-constructed value means that the id is not in the table. Colliding ids are in the next slots.
template <class Value> class id_table {
public:
    Value find(global_id id) const { return slots_.empty() ? Value() : slots_[slot_of(id)].value; }
    void prefetch(global_id id) const {
        if (!slots_.empty()) HSM_PREFETCH_TO_WRITE(&slots_[begin_of(id)]);
    }
    /// Afterwards, `set` of one more id does not allocate.
    void reserve() {
        if (size_ * 2 >= slots_.size()) grow();
    }
    /// Sets the value of an id. Does not allocate if the id is in the table. Requires a value other than Value().
    void set(global_id id, Value value) {
        if (find(id) == Value()) reserve(), ++size_;
        slots_[slot_of(id)] = {id, value};
    }
    void erase(global_id id) {
        if (slots_.empty()) return;
        auto gap = slot_of(id);
        if (slots_[gap].value == Value()) return;
        --size_;
        for (auto i = next(gap); slots_[i].value != Value(); i = next(i))
            if (distance(begin_of(slots_[i].id), i) >= distance(gap, i)) slots_[std::exchange(gap, i)] = slots_[i];
        slots_[gap].value = Value();
    }
    template <class Visit> void each(const Visit& visit) const {
        for (const auto& slot : slots_)
            if (slot.value != Value()) visit(slot.id, slot.value);
    }

private:
    struct entry {
        global_id id = 0;
        Value value = Value();
    };
    /// Keeps adjacent ids together, since neighbors often act on each other.
    std::size_t begin_of(global_id id) const { return static_cast<std::size_t>((id / 8 * 0x9e37'79b9'7f4a'7c15 >> shift_) * 8 + id % 8); }
    std::size_t next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
    std::size_t distance(std::size_t from, std::size_t to) const { return (to - from) & (slots_.size() - 1); }
    /// Returns the slot of the id, or the empty slot where it can be inserted.
    std::size_t slot_of(global_id id) const {
        auto i = begin_of(id);
        while (slots_[i].id != id && slots_[i].value != Value()) i = next(i);
        return i;
    }
    void grow() {
        const auto before = std::exchange(slots_, std::vector<entry>(slots_.empty() ? 16 : slots_.size() * 2));
        --shift_;
        for (const auto& slot : before)
            if (slot.value != Value()) slots_[slot_of(slot.id)] = slot;
    }

    std::vector<entry> slots_; ///< a power of two
    int shift_ = 64;           ///< 2^(67 - shift_) slots
    std::size_t size_ = 0;
};

} // namespace hsm::detail
