/// The data of a named event: nothing, or a JSON value.
///
///     agent.process("hit", hsm::event_data::object({{"power", 3}, {"from", "left"}}));
///
/// Values are immutable. A copy shares the contents and can be passed to another thread. Lists and objects keep their order. Numbers are doubles.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hsm {

enum class data_kind : std::uint8_t { nothing, null, boolean, number, text, list, object };
std::string_view to_string(data_kind value);

struct data_member;
namespace detail {
struct shared_data;
}

class event_data {
public:
    constexpr event_data() = default; ///< nothing: the event has no data
    constexpr event_data(std::nullptr_t) : kind_(data_kind::null) {}
    template <std::same_as<bool> B> constexpr event_data(B value) : kind_(data_kind::boolean), boolean_(value) {}
    template <class N>
    requires(std::is_arithmetic_v<N> && !std::is_same_v<N, bool>) constexpr event_data(N value)
        : kind_(data_kind::number), number_(static_cast<double>(value)) {}
    template <std::convertible_to<std::string_view> T>
    requires(!std::is_same_v<T, std::nullptr_t>) event_data(const T& text) : event_data(of_text(text)) {}
    static event_data list(std::vector<event_data> items);
    static event_data object(std::vector<data_member> members); ///< if members have the same name, a lookup returns the last of them

    event_data(const event_data& other) noexcept;
    event_data(event_data&& other) noexcept : event_data() { swap(other); }
    event_data& operator=(event_data other) noexcept { return swap(other), *this; }
    constexpr ~event_data() {
        if (is_shared()) release();
    }

    data_kind kind() const { return kind_; }
    explicit operator bool() const { return kind_ != data_kind::nothing; } ///< true for all kinds but `nothing`, even for the values `false` and null
    // These functions return the value. If it has another kind, they return `otherwise` or an empty value.
    bool boolean(bool otherwise = false) const { return kind_ == data_kind::boolean ? boolean_ : otherwise; }
    double number(double otherwise = 0) const { return kind_ == data_kind::number ? number_ : otherwise; }
    std::string_view text() const;
    std::span<const event_data> items() const;
    std::span<const data_member> members() const;
    const event_data& operator[](std::size_t i) const;
    const event_data& operator[](std::string_view name) const;

    /// Compares kinds and contents, including the order of members.
    friend bool operator==(const event_data& a, const event_data& b) { return a.equals(b); }

private:
    constexpr bool is_shared() const { return kind_ >= data_kind::text; }
    static event_data of_text(std::string_view text);
    bool equals(const event_data& other) const;
    void swap(event_data& other) noexcept;
    void release() noexcept;

    data_kind kind_ = data_kind::nothing;
    union {
        bool boolean_;
        double number_ = 0;
        const detail::shared_data* shared_;
    };
};

struct data_member {
    std::string name;
    event_data value;
    friend bool operator==(const data_member&, const data_member&) = default;
};

/// Returns the data as JSON on one line, or an empty text for data of the kind `nothing`. Inside a list or object, `nothing` is written as null.
/// Numbers without a JSON form (NaN, infinity) are written as null, too.
std::string to_string(const event_data& data);
/// Reads JSON into `to`; an empty text sets it to `nothing`. Returns false, and leaves `to` unchanged, if the text is not JSON or has more than 256
/// levels of nesting.
bool read_json(std::string_view text, event_data& to);

} // namespace hsm
