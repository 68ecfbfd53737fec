/// Texts that definitions own.
#pragma once

#include <hsm/op/detail/compiler.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hsm::detail {

/// A text stored in a value: a label, a prefix, an option. At run time it owns a copy of its characters. In a constant expression it refers to them,
/// because a constant that outlives the expression can only refer to characters with static lifetime.
class owned_text {
public:
    constexpr owned_text() = default;
    template <class Text>
    requires(std::is_convertible_v<const Text&, std::string_view> && !std::is_same_v<Text, owned_text>) constexpr owned_text(const Text& text)
        : text_(text) {
        if (!std::is_constant_evaluated()) copy();
    }
    constexpr owned_text(const owned_text& other) : text_(other.text_) {
        if (other.is_owner_) copy();
    }
    constexpr owned_text(owned_text&& other) noexcept : text_(std::exchange(other.text_, {})), is_owner_(std::exchange(other.is_owner_, false)) {}
    constexpr owned_text& operator=(owned_text other) noexcept {
        std::swap(text_, other.text_);
        std::swap(is_owner_, other.is_owner_);
        return *this;
    }
    constexpr ~owned_text() {
        if (is_owner_) delete[] text_.data();
    }

    constexpr operator std::string_view() const { return text_; }
    constexpr bool empty() const { return text_.empty(); }
    template <class Text>
    requires std::is_convertible_v<const Text&, std::string_view>
    friend constexpr bool operator==(const owned_text& a, const Text& b) { return a.text_ == std::string_view(b); }

private:
    constexpr void copy() {
        if (text_.empty()) return;
        auto* const characters = new char[text_.size()];
        text_.copy(characters, text_.size());
        text_ = {characters, text_.size()};
        is_owner_ = true;
    }

    std::string_view text_;
    bool is_owner_ = false;
};

/// A reference-counted name: copying it copies a pointer. Threads may copy the same object concurrently.
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
