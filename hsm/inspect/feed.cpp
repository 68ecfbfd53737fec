#include <hsm/inspect/detail/feed.hpp>

#include <bit>
#include <iterator>

namespace hsm::inspect::detail {

record_ring::record_ring(std::size_t capacity) : items_(std::bit_ceil(capacity)), mask_(items_.size() - 1) {}

void record_ring::pop(std::vector<recorded>& to, std::uint64_t end) {
    auto at = popped_.load(std::memory_order_relaxed);
    to.reserve(to.size() + static_cast<std::size_t>(end - at));
    for (; at != end; ++at) to.push_back(items_[at & mask_]);
    popped_.store(end, std::memory_order_release);
}

void feed::add(message_slot&& slot) noexcept {
    const std::lock_guard lock(mutex_);
    messages_.splice(messages_.end(), slot);
    messages_waiting_.store(messages_.size(), std::memory_order_relaxed);
}

std::uint64_t feed::take(std::vector<message>& messages, std::vector<recorded>& records) {
    // A message was sent before the records that follow it. So the messages of all records before `end` are in the list.
    const auto end = ring_.pushed();
    records.reserve(records.size() + static_cast<std::size_t>(end - ring_.popped()));
    {
        const std::lock_guard lock(mutex_);
        messages.reserve(messages.size() + messages_.size());
        messages.insert(messages.end(), std::make_move_iterator(messages_.begin()), std::make_move_iterator(messages_.end()));
        messages_.clear();
        messages_waiting_.store(0, std::memory_order_relaxed);
    }
    const auto before = records.size();
    ring_.pop(records, end);
    return end - (records.size() - before);
}

bool feed::push_command(command&& c) {
    const std::lock_guard lock(mutex_);
    if (commands_.size() == most_commands) return false;
    commands_.push_back(std::move(c));
    attention_.fetch_add(one_command, std::memory_order_acq_rel);
    return true;
}

std::optional<command> feed::pop_command() {
    const std::lock_guard lock(mutex_);
    if (commands_.empty()) return {};
    std::optional<command> next(std::move(commands_.front()));
    commands_.pop_front();
    attention_.fetch_sub(one_command, std::memory_order_acq_rel);
    return next;
}

} // namespace hsm::inspect::detail
