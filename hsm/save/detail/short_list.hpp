/// A list that allocates only for more than `Here` elements.
#pragma once

#include <cstddef>
#include <vector>

namespace hsm::detail {

template <class T, std::size_t Here> class short_list {
public:
    void push_back(const T& value) {
        if (size_ == Here) more_.assign(here_, here_ + size_);
        if (size_ < Here)
            here_[size_] = value;
        else
            more_.push_back(value);
        ++size_;
    }
    void assign(std::size_t count, const T& value) {
        clear();
        for (std::size_t i = 0; i < count; ++i) push_back(value);
    }
    void clear() {
        size_ = 0;
        more_.clear();
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* begin() { return size_ > Here ? more_.data() : here_; }
    T* end() { return begin() + size_; }
    const T* begin() const { return size_ > Here ? more_.data() : here_; }
    const T* end() const { return begin() + size_; }
    T& operator[](std::size_t i) { return begin()[i]; }
    const T& operator[](std::size_t i) const { return begin()[i]; }

private:
    std::size_t size_ = 0;
    T here_[Here];
    std::vector<T> more_; ///< all elements, if there are more than `Here`
};

} // namespace hsm::detail
