/// Finds the differences between two instances or images of one chart: states, timers, conditions, fields of locals and events.
///
///     for (const auto& d : hsm::difference(mine, theirs)) std::puts(d.to_string().c_str());
///
///     states/hero/fight/locals/combo/hits: 3, and 4
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/run/instance_base.hpp>
#include <hsm/save/archive.hpp>
#include <hsm/save/save_error.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hsm {

struct field_difference {
    std::string path;  ///< as in a document
    std::string first; ///< as JSON; empty if the first instance or image does not contain the part
    std::string second;

    std::string to_string() const;
};

/// Returns at most `most` differences, in the order of a document. Returns an empty list if the hashes are equal, or if an instance is busy. Throws
/// the exceptions of hash, and save_error (HSM-354) if the charts differ.
std::vector<field_difference> difference(const instance_base& a, const instance_base& b, std::size_t most = 100);
std::vector<field_difference> difference(const chart_base& chart, std::span<const std::byte> a, std::span<const std::byte> b, std::size_t most = 100);

/// Compares two objects of a class with a `serialize`, for example contexts.
template <class T>
requires detail::serializable<T> std::vector<field_difference> difference_of(const T& a, const T& b, std::size_t most = 100);

namespace detail {
using serialize_function = void (*)(archive& a, void* value);
struct chart_core;
std::vector<field_difference> difference_of_images(const chart_core& core, std::span<const std::byte> a, std::span<const std::byte> b,
                                                   std::size_t most = 100);
std::vector<field_difference> difference_of_values(serialize_function serialize, const void* a, const void* b, std::size_t most);
} // namespace detail

template <class T>
requires detail::serializable<T> std::vector<field_difference> difference_of(const T& a, const T& b, std::size_t most) {
    const auto write = [](archive& to, void* value) { serialize(to, *static_cast<T*>(value)); };
    return detail::difference_of_values(write, std::addressof(a), std::addressof(b), most);
}

} // namespace hsm
