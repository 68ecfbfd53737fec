#include <hsm/inspect/detail/viewer.hpp>

#include <utility>

namespace hsm::inspect::detail {

void viewer::put(std::string_view event, std::string_view data) {
    {
        const std::lock_guard lock(mutex_);
        if (behind_) return;
        if (waiting_.size() + data.size() > most_waiting && !waiting_.empty()) {
            behind_ = true;
            return;
        }
        waiting_.reserve(waiting_.size() + event.size() + data.size() + 32); // all of the event or nothing
        waiting_.append("event: ").append(event).append("\ndata: ").append(data).append("\n\n");
    }
    arrived_.notify_one();
}

bool viewer::fell_behind() {
    const std::lock_guard lock(mutex_);
    if (behind_ && waiting_.empty()) { // it reads again
        behind_ = false;
        return true;
    }
    return false;
}

bool viewer::has_room() {
    const std::lock_guard lock(mutex_);
    return !behind_ && waiting_.size() < most_waiting / 4;
}

void viewer::close() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    arrived_.notify_one();
}

bool viewer::take(std::string& text, std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, wait, [&] { return closed_ || !waiting_.empty(); });
    text.clear();
    text.swap(waiting_);
    return !closed_;
}

} // namespace hsm::inspect::detail
