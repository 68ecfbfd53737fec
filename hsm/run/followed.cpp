#include <hsm/run/detail/followed.hpp>

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace hsm::detail {

std::size_t followed_count = 0;

/// All followers of the program by the address of their object.
struct followed_table {
    std::mutex mutex;
    std::unordered_multimap<void*, follower*> of;

    static followed_table& get() {
        static auto* const table = new followed_table; // never destroyed: static machines can be destroyed later
        return *table;
    }

    void add(follower& f) {
        const std::lock_guard lock(mutex);
        of.emplace(f.object_, &f);
        atomic_view(followed_count).fetch_add<order::relaxed>(1);
    }
    void remove(const follower& f) {
        const std::lock_guard lock(mutex);
        if (!f.object_) return;
        const auto [first, last] = of.equal_range(f.object_);
        of.erase(std::find_if(first, last, [&](const auto& entry) { return entry.second == &f; }));
        atomic_view(followed_count).fetch_sub<order::relaxed>(1);
    }
    /// Changes the address of the followers of `from`. Allocates nothing, because the number of entries does not grow.
    void move(void* from, void* to) {
        for (auto found = of.find(from); found != of.end(); found = of.find(from)) {
            auto node = of.extract(found);
            node.key() = to;
            atomic_view(node.mapped()->object_).store<order::release>(to);
            of.insert(std::move(node));
        }
    }
    void end(void* object) {
        for (auto found = of.find(object); found != of.end(); found = of.find(object)) {
            auto& f = *found->second;
            atomic_view(f.object_).store<order::release>(nullptr);
            of.erase(found);
            atomic_view(followed_count).fetch_sub<order::relaxed>(1);
            f.gone_(f.self_);
        }
    }
};

follower::follower(void* object, void (*gone)(void* self) noexcept, void* self) : object_(object), gone_(gone), self_(self) {
    followed_table::get().add(*this);
}
follower::~follower() { followed_table::get().remove(*this); }

void follow_move(void* from, void* to) noexcept {
    auto& table = followed_table::get();
    const std::lock_guard lock(table.mutex);
    table.move(from, to);
}

void follow_exchange(void* a, void* b) noexcept {
    auto& table = followed_table::get();
    const std::lock_guard lock(table.mutex);
    char apart; // an address that no object has
    table.move(a, &apart);
    table.move(b, a);
    table.move(&apart, b);
}

void follow_end(void* object) noexcept {
    auto& table = followed_table::get();
    const std::lock_guard lock(table.mutex);
    table.end(object);
}

} // namespace hsm::detail
