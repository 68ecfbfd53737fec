/// A list for constant evaluation; nothing of it remains in the program.
#pragma once

#include <cstddef>
#include <string_view>

namespace hsm::detail {

template <class T> class constant_list {
public:
    constexpr constant_list() = default;
    constant_list(const constant_list&) = delete;
    constant_list& operator=(const constant_list&) = delete;
    constexpr ~constant_list() { delete[] items_; }

    /// Requires that the item is not in this list.
    constexpr T& push_back(const T& item) {
        if (size_ == capacity_) grow(capacity_ ? 2 * capacity_ : 1);
        items_[size_] = item;
        return items_[size_++];
    }
    constexpr void append(std::size_t count, const T& item) {
        if (size_ + count > capacity_) grow(size_ + count);
        for (std::size_t i = 0; i < count; ++i) items_[size_++] = item;
    }
    constexpr void reserve(std::size_t capacity) {
        if (capacity > capacity_) grow(capacity);
    }
    constexpr void clear() { size_ = 0; }
    constexpr void shrink(std::size_t size) { size_ = size; }
    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T& operator[](std::size_t i) { return items_[i]; }
    constexpr const T& operator[](std::size_t i) const { return items_[i]; }
    constexpr T* begin() { return items_; }
    constexpr T* end() { return items_ + size_; }
    constexpr const T* begin() const { return items_; }
    constexpr const T* end() const { return items_ + size_; }
    constexpr T& back() { return items_[size_ - 1]; }

private:
    constexpr void grow(std::size_t capacity) {
        auto* const larger = new T[capacity]{};
        for (std::size_t i = 0; i < size_; ++i) larger[i] = items_[i];
        delete[] items_;
        items_ = larger;
        capacity_ = capacity;
    }

    T* items_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// A text of a definition, with its own copy of the characters.
class constant_text {
public:
    constexpr constant_text() = default;
    constant_text(const constant_text&) = delete;
    constant_text& operator=(const constant_text&) = delete;
    constexpr ~constant_text() { delete[] chars_; }

    constexpr void operator=(std::string_view text) {
        auto* const copy = new char[text.size() + 1]{};
        for (std::size_t i = 0; i < text.size(); ++i) copy[i] = text[i];
        delete[] chars_;
        chars_ = copy;
        size_ = text.size();
    }
    constexpr void operator+=(std::string_view text) {
        auto* const copy = new char[size_ + text.size() + 1]{};
        for (std::size_t i = 0; i < size_; ++i) copy[i] = chars_[i];
        for (std::size_t i = 0; i < text.size(); ++i) copy[size_ + i] = text[i];
        delete[] chars_;
        chars_ = copy;
        size_ += text.size();
    }
    constexpr std::string_view view() const { return {chars_, size_}; }

private:
    char* chars_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace hsm::detail
