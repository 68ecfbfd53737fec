/// A reference-counted name: copying it copies a pointer. Threads may copy the same object concurrently.
#pragma once

#include <hsm/op/detail/compiler.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace hsm::detail {

class shared_name {
public:
    shared_name() = default;
    explicit shared_name(std::string_view text) : text_(text.empty() ? nullptr : new counted{1, std::string(text)}) {}
    shared_name(const shared_name& other) noexcept : text_(other.text_) {
        if (text_) atomic_view(text_->uses).fetch_add<order::relaxed>(1);
    }
    shared_name(shared_name&& other) noexcept : text_(std::exchange(other.text_, nullptr)) {}
    shared_name& operator=(shared_name other) noexcept {
        std::swap(text_, other.text_);
        return *this;
    }
    ~shared_name() {
        if (text_ && atomic_view(text_->uses).fetch_sub<order::acquire_release>(1) == 1) delete text_;
    }

    std::string_view view() const { return text_ ? std::string_view(text_->text) : std::string_view(); }

private:
    struct counted {
        unsigned uses;
        std::string text;
    };
    counted* text_ = nullptr;
};

} // namespace hsm::detail
