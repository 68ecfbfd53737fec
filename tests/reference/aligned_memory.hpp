/// Memory whose alignment is known only at run time.
#pragma once

#include <cstddef>
#include <new>

namespace hsm::detail {

class aligned_memory {
public:
    aligned_memory(std::size_t size, std::size_t alignment)
        : data_(static_cast<std::byte*>(::operator new(size, std::align_val_t(alignment)))), alignment_(alignment) {}
    aligned_memory(const aligned_memory&) = delete;
    aligned_memory& operator=(const aligned_memory&) = delete;
    ~aligned_memory() { ::operator delete(data_, std::align_val_t(alignment_)); }

    std::byte* data() const { return data_; }

private:
    std::byte* data_;
    std::size_t alignment_;
};

} // namespace hsm::detail
