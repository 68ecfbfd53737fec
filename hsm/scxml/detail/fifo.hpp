/// A queue that does not allocate before its first element.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace hsm::detail::scxml {

template <class T> class fifo {
public:
    bool empty() const { return head_ == all_.size(); }
    std::size_t size() const { return all_.size() - head_; }
    void push(T value) { all_.push_back(std::move(value)); }
    /// The next `count` calls of push allocate nothing.
    void make_room(std::size_t count = 1) {
        if (all_.capacity() - all_.size() < count) all_.reserve(std::max(all_.size() + count, 2 * all_.capacity()));
    }
    T pop() {
        T value = std::move(all_[head_++]);
        if (empty()) clear();
        if (head_ > 64 && head_ > all_.size() / 2) { // removed elements are erased occasionally
            all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(head_));
            head_ = 0;
        }
        return value;
    }
    void clear() {
        all_.clear();
        head_ = 0;
    }
    auto begin() const { return all_.begin() + static_cast<std::ptrdiff_t>(head_); }
    auto end() const { return all_.end(); }
    template <class F> void erase_if(F f) {
        all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(head_));
        head_ = 0;
        std::erase_if(all_, f);
    }

private:
    std::vector<T> all_;
    std::size_t head_ = 0; ///< elements before it were removed
};

} // namespace hsm::detail::scxml
