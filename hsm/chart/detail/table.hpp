/// A table of a chart: a list that is built once. A copy does not own the data but refers to that of the original, so several charts can share a
/// table. The original must outlive its copies.
#pragma once

#include <hsm/define/detail/assert.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace hsm::detail {

template <class T> class table {
public:
    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;

    table() = default;
    table(std::vector<T> made) : made_(std::move(made)) { refer(); }
    table(const table& other) noexcept : first_(other.first_), size_(other.size_) {}
    table(table&& other) noexcept
        : made_(std::move(other.made_)), first_(std::exchange(other.first_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    table& operator=(table other) noexcept {
        made_.swap(other.made_);
        first_ = other.first_;
        size_ = other.size_;
        return *this;
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* data() { return first_; }
    const T* data() const { return first_; }
    T& operator[](std::size_t i) { return first_[i]; }
    const T& operator[](std::size_t i) const { return first_[i]; }
    friend bool operator==(const table& a, const table& b) {
        if (a.size_ != b.size_) return false;
        for (std::size_t i = 0; i < a.size_; ++i)
            if (!(a.first_[i] == b.first_[i])) return false;
        return true;
    }
    T* begin() { return first_; }
    T* end() { return first_ + size_; }
    const T* begin() const { return first_; }
    const T* end() const { return first_ + size_; }
    T& back() { return first_[size_ - 1]; }
    const T& back() const { return first_[size_ - 1]; }

    // While it is built: functions of std::vector.
    std::size_t capacity() const { return made_.capacity(); }
    void reserve(std::size_t room) {
        change([&](auto& v) { v.reserve(room); });
    }
    void resize(std::size_t size) {
        change([&](auto& v) { v.resize(size); });
    }
    void resize(std::size_t size, const T& value) {
        change([&](auto& v) { v.resize(size, value); });
    }
    void assign(std::size_t size, const T& value) {
        change([&](auto& v) { v.assign(size, value); });
    }
    void clear() {
        change([](auto& v) { v.clear(); });
    }
    void shrink_to_fit() {
        change([](auto& v) { v.shrink_to_fit(); });
    }
    void push_back(T value) {
        change([&](auto& v) { v.push_back(std::move(value)); });
    }
    template <class... Args> T& emplace_back(Args&&... args) {
        change([&](auto& v) { v.emplace_back(std::forward<Args>(args)...); });
        return back();
    }
    void insert(const T* at, T value) {
        change([&](auto& v) { v.insert(v.begin() + (at - first_), std::move(value)); });
    }
    template <class It> void insert(const T* at, It first, It last) {
        change([&](auto& v) { v.insert(v.begin() + (at - first_), first, last); });
    }
    void erase(const T* first, const T* last) {
        change([&](auto& v) { v.erase(v.begin() + (first - first_), v.begin() + (last - first_)); });
    }
    /// Copies the data of the original, so that it can be changed.
    void make_own() { *this = std::vector<T>(begin(), end()); }

private:
    template <class Change> void change(Change how) {
        HSM_ASSERT(first_ == made_.data() || size_ == 0);
        how(made_);
        refer();
    }
    void refer() {
        first_ = made_.data();
        size_ = made_.size();
    }

    std::vector<T> made_; ///< empty in a copy
    T* first_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace hsm::detail
