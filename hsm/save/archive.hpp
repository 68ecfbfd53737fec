/// Defines how the data of your classes is saved and restored. For both, the function `serialize` names the fields of a local, event or context.
///
///     struct combo { int hits = 0; std::string last; std::vector<float> times; };
///     template <class A> void serialize(A& archive, combo& c) { archive("hits", c.hits)("last", c.last)("times", c.times); }
///
/// `serialize` is found by argument-dependent lookup. A field is a number, a bool, an enumeration, a string, a duration, an array, a pair or an
/// optional of these, a container to which elements can be appended (vector, deque, list), an ordered map or set, or a class with its own
/// `serialize`. While saving, `serialize` must not change the object. Documents and differences identify fields by name; images rely only on the
/// order of the fields.
#pragma once

#include <hsm/define/detail/type_name.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hsm {

class archive;

namespace detail {
template <class T>
concept serializable = requires(archive& a, T& value) {
    serialize(a, value);
};
template <class T>
concept text_type = std::same_as<T, std::string>;
template <class T>
concept is_optional = requires(T& t) {
    t.has_value();
    t.reset();
    t.emplace();
    *t;
};
template <class T>
concept is_pair = requires(T& t) {
    typename T::first_type;
    typename T::second_type;
    t.first;
    t.second;
};
template <class T>
concept is_duration = requires(const T& t) {
    typename T::rep;
    typename T::period;
    t.count();
};
template <class T>
concept is_span_of_time = requires(T& t) {
    { t.nanoseconds() } -> std::same_as<std::int64_t>;
    { T::from_nanoseconds(std::int64_t()) } -> std::same_as<T>;
};
template <class T>
concept is_fixed_array = std::is_bounded_array_v<T> || requires(T& t) {
    std::tuple_size<T>::value;
    t[0];
    t.fill(t[0]);
};
template <class T>
concept is_sequence = requires(T& t) {
    typename T::value_type;
    t.clear();
    t.emplace_back();
    t.begin();
    t.end();
    t.size();
};
template <class T>
concept is_hashed = requires {
    typename T::hasher;
};
template <class T>
concept is_sorted = requires(T& t) {
    typename T::key_compare;
    typename T::value_type;
    t.clear();
    t.begin();
    t.end();
    t.size();
};
template <class T> inline constexpr bool no_way_to_save = false;
/// The element type of a map or set, without const: an element is read first and then inserted.
template <class T> struct loose { using type = T; };
template <class K, class V> struct loose<std::pair<const K, V>> { using type = std::pair<K, V>; };
} // namespace detail

class archive {
public:
    archive(const archive&) = delete;
    archive& operator=(const archive&) = delete;

    /// Returns whether values are being read. Use it to rebuild data that is not saved, such as a pointer or a cache.
    bool reading() const { return reading_; }
    /// Reports that the data just read is invalid. The resulting error is the same as for malformed data.
    void reject(std::string problem) { refuse(std::move(problem)); }

    template <class T> archive& operator()(std::string_view name, T& value) {
        begin_field(name);
        put(value);
        return *this;
    }

protected:
    explicit archive(bool reading) : reading_(reading) {}
    ~archive() = default;

    /// Returns the names of the enumerators while an enumerator is read, otherwise null. See enumerator_named.
    const char* enumerators() const { return enumerators_; }

    virtual void begin_field(std::string_view name) = 0; ///< begins a field; elements of lists have an empty name
    virtual void boolean(bool& value) = 0;
    virtual void integer(std::int64_t& value, std::int64_t least, std::int64_t most) = 0;
    virtual void natural(std::uint64_t& value, std::uint64_t most) = 0;
    virtual void real(double& value, bool is_float) = 0;
    virtual void text(std::string& value) = 0;
    virtual void begin_object() = 0;
    virtual void end_object() = 0;
    virtual void begin_list(std::size_t& count) = 0; ///< when reading: sets the number of elements, limited by the remaining data
    virtual void end_list() = 0;
    virtual bool skips() = 0; ///< when reading: returns whether the field is missing, so that its value stays unchanged
    [[noreturn]] virtual void refuse(std::string problem) = 0;

private:
    template <class T> void put(T& value) {
        if (skips()) return;
        if constexpr (std::is_same_v<T, bool>)
            boolean(value);
        else if constexpr (std::is_enum_v<T>)
            put_enumerator(value);
        else if constexpr (std::is_integral_v<T>)
            put_number<T>(value);
        else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
            put_real(value);
        else if constexpr (detail::serializable<T>)
            put_object(value);
        else if constexpr (detail::text_type<T>)
            text(value);
        else if constexpr (detail::is_duration<T>)
            put_duration(value);
        else if constexpr (detail::is_span_of_time<T>)
            put_time(value);
        else if constexpr (detail::is_optional<T>)
            put_optional(value);
        else if constexpr (detail::is_pair<T>)
            put_pair(value);
        else if constexpr (detail::is_fixed_array<T>)
            put_array(value);
        else if constexpr (detail::is_hashed<T>)
            static_assert(detail::no_way_to_save<T>, "hsm: this container has no defined order, so its hash would change: use std::map or std::set");
        else if constexpr (detail::is_sequence<T>)
            put_sequence(value);
        else if constexpr (detail::is_sorted<T>)
            put_sorted(value);
        else
            static_assert(detail::no_way_to_save<T>, "hsm: this type cannot be saved: write `template <class A> void serialize(A&, T&)` "
                                                     "in its namespace");
    }

    template <class Number, class T> void put_number(T& value) {
        if constexpr (std::is_same_v<Number, bool>) {
            auto number = static_cast<bool>(value);
            boolean(number);
            if (reading_) value = static_cast<T>(number);
        } else if constexpr (std::is_signed_v<Number>) {
            auto number = static_cast<std::int64_t>(value);
            integer(number, std::numeric_limits<Number>::min(), std::numeric_limits<Number>::max());
            if (reading_) value = static_cast<T>(number);
        } else {
            auto number = static_cast<std::uint64_t>(value);
            natural(number, std::numeric_limits<Number>::max());
            if (reading_) value = static_cast<T>(number);
        }
    }
    template <class T> void put_enumerator(T& value) {
        if (reading_) enumerators_ = detail::pretty_enumerators<T>();
        put_number<std::underlying_type_t<T>>(value);
        if (reading_) enumerators_ = nullptr;
    }
    template <class T> void put_real(T& value) {
        auto number = static_cast<double>(value);
        real(number, std::is_same_v<T, float>);
        if (reading_) value = static_cast<T>(number);
    }
    template <class T> void put_object(T& value) {
        begin_object();
        serialize(*this, value);
        end_object();
    }
    template <class T> void put_duration(T& value) {
        auto count = value.count();
        put(count);
        if (reading_) value = T(count);
    }
    template <class T> void put_time(T& value) {
        auto nanoseconds = value.nanoseconds();
        put(nanoseconds);
        if (reading_) value = T::from_nanoseconds(nanoseconds);
    }
    template <class T> void put_optional(T& value) {
        std::size_t count = value.has_value() ? 1 : 0;
        begin_list(count);
        if (count > 1) refuse("an optional has more than one value");
        if (reading_ && count == 0) value.reset();
        if (reading_ && count == 1 && !value.has_value()) value.emplace();
        if (count == 1) put_element(*value);
        end_list();
    }
    template <class T> void put_pair(T& value) {
        std::size_t count = 2;
        begin_list(count);
        if (count != 2) refuse("a pair must have two values");
        put_element(value.first);
        put_element(value.second);
        end_list();
    }
    template <class T> void put_array(T& value) {
        std::size_t size = 0;
        for ([[maybe_unused]] auto& each : value) ++size;
        std::size_t count = size;
        begin_list(count);
        if (count != size) refuse("the array must have " + std::to_string(size) + " elements");
        for (auto& each : value) put_element(each);
        end_list();
    }
    template <class T> void put_sequence(T& value) {
        std::size_t count = value.size();
        begin_list(count);
        if (!reading_) {
            for (auto&& each : value) {
                if constexpr (std::is_same_v<typename T::value_type, bool>) {
                    bool bit = each;
                    put_element(bit);
                } else {
                    put_element(each);
                }
            }
        } else {
            value.clear();
            for (; count > 0; --count) {
                if constexpr (std::is_same_v<typename T::value_type, bool>) {
                    bool bit = false;
                    put_element(bit);
                    value.push_back(bit);
                } else {
                    put_element(value.emplace_back());
                }
            }
        }
        end_list();
    }
    template <class T> void put_sorted(T& value) {
        using element = typename detail::loose<typename T::value_type>::type;
        std::size_t count = value.size();
        begin_list(count);
        if (!reading_) {
            for (auto& each : value) put_element(each);
        } else {
            value.clear();
            for (; count > 0; --count) {
                element each{};
                put_element(each);
                value.insert(std::move(each));
            }
        }
        end_list();
    }
    /// Casts away the const of the keys of a map and of the elements of a set, which are only written.
    template <class T> void put_element(T& value) {
        begin_field({});
        put(const_cast<std::remove_const_t<T>&>(value));
    }

    const bool reading_;
    const char* enumerators_ = nullptr;
};

} // namespace hsm
