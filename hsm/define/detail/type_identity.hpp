/// Compares types without RTTI, within a module (a program, a shared library) and between modules.
///
/// Every module has its own record for each type, hidden from other modules. Within a module, the address of the record is the type's identity. Types
/// of two modules are the same if their names, sizes and alignments are equal. Types in functions and in unnamed namespaces are never the same as
/// types of another module.
#pragma once

#include <hsm/define/detail/type_name.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <cstdint>
#include <string>

#if !HSM_NAMES_TELL_FUNCTIONS && defined(__cpp_rtti)
#include <typeinfo>
#endif

namespace hsm::detail {

struct type_identity {
    std::string_view name;
    std::uint32_t size;
    std::uint32_t alignment;
    const void* module;               ///< the same for all types of one module
    const char* (*symbol)() noexcept; ///< returns the linker's name for it; null if `name` is sufficient
    bool is_local;                    ///< whether, according to `name`, it is in a function or an unnamed namespace
    std::uint8_t traits;              ///< bits: value_trait
    const char* enumerators;          ///< pretty_enumerators
};

/// How objects of a type can be stored and restored.
enum value_trait : std::uint8_t {
    value_copied = 1,   ///< trivially copyable
    value_empty = 2,    ///< it has no data
    value_is_bytes = 4, ///< trivially copyable, and equal values have equal bytes
    value_number = 8,   ///< an integer or an enumeration
    value_signed = 16,  ///< also signed
    value_unique = 32,  ///< it cannot be copied
};

template <class T> constexpr bool is_signed_number() {
    if constexpr (std::is_enum_v<T>)
        return std::is_signed_v<std::underlying_type_t<T>>;
    else
        return std::is_integral_v<T> && std::is_signed_v<T>;
}

template <class T> constexpr std::uint8_t traits_of() {
    constexpr bool number = std::is_integral_v<T> || std::is_enum_v<T>;
    int traits = std::is_trivially_copyable_v<T> ? value_copied : 0;
    if (std::is_empty_v<T>) traits |= value_empty;
    if (std::has_unique_object_representations_v<T>) traits |= value_is_bytes;
    if (number && sizeof(T) <= 8) traits |= value_number;
    if (is_signed_number<T>()) traits |= value_signed;
    if (!std::is_copy_constructible_v<T>) traits |= value_unique;
    return static_cast<std::uint8_t>(traits);
}

/// Returns an enumerator in C++ spelling: "pose::idle", or "pose(300)" if the compiler does not report its name.
std::string written_enumerator(const type_identity& type, std::int64_t value);

/// Requires types of two different modules.
bool same_between_modules(const type_identity& a, const type_identity& b);

inline bool same_type(const type_identity& a, const type_identity& b) {
    return std::addressof(a) == std::addressof(b) || (a.module != b.module && same_between_modules(a, b));
}

/// Its address identifies the module that contains the code.
HSM_HIDDEN inline constexpr char this_module = 0;

/// Returns whether a parameter list is followed by `::` at the same nesting level, as in "game::f(int) const::loc". g++ spells names of types in
/// functions this way, and both compilers "{anonymous}" or "(anonymous namespace)".
constexpr bool is_inside_function(std::string_view name) {
    int depth = 0;
    int closed = -1000; // the depth at which a parameter list ended; none so far
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '\'') i = name.find('\'', i + (name.substr(i, 2) == "'\\" ? 3 : 2));
        if (i == name.npos) return false;
        depth += nesting(name[i]);
        if (name[i] == ')' || name[i] == '}')
            closed = depth;
        else if (depth < closed || (depth == closed && name[i] == ','))
            closed = -1000;
        else if (depth == closed && name.substr(i, 2) == "::")
            return true;
    }
    return false;
}

/// Returns whether the name is in a function or an unnamed namespace. MSVC spells these "`anonymous-namespace'" and, in linker names, "`int __cdecl
/// f(void)'::`2'".
constexpr bool is_local_name(std::string_view name) {
    for (const std::string_view sign : {"<lambda", "(lambda", "<unnamed", "(unnamed", "(anonymous", "`anonymous"})
        if (name.find(sign) != name.npos) return true;
    return is_inside_function(name);
}

#if HSM_NAMES_TELL_FUNCTIONS
template <class T> constexpr auto symbol_of_type() -> const char* (*)() noexcept { return nullptr; }
template <class T> constexpr bool seems_local() { return is_local_name(type_name<T>()); }
#elif defined(__cpp_rtti)
// clang spells a class in a function like one in the global namespace; MSVC spells the function like a namespace.
template <class T> struct symbol_holder {};
template <class T> HSM_HIDDEN const char* find_symbol() noexcept { return typeid(symbol_holder<T>).name(); }
template <class T> constexpr auto symbol_of_type() -> const char* (*)() noexcept { return &find_symbol<T>; }
template <class T> constexpr bool seems_local() { return is_local_name(type_name<T>()); }
#else
// Without RTTI, only a qualified name without template arguments counts as a type outside functions.
template <class T> constexpr auto symbol_of_type() -> const char* (*)() noexcept { return nullptr; }
template <class T> constexpr bool seems_local() {
    const auto name = type_name<T>();
    return name.find("::") == name.npos || name.find('<') != name.npos || is_local_name(name);
}
#endif

template <class T> constexpr type_identity identity_with(std::uint32_t size, std::uint32_t alignment, std::uint8_t traits) {
    return {type_name<T>(), size, alignment, std::addressof(this_module), symbol_of_type<T>(), seems_local<T>(), traits, pretty_enumerators<T>()};
}
template <class T> constexpr type_identity identity_of() { return identity_with<T>(sizeof(T), alignof(T), traits_of<T>()); }

template <class T> HSM_HIDDEN inline constexpr type_identity type_record = identity_of<T>();
template <class T> HSM_HIDDEN inline constexpr type_identity class_record = identity_with<T>(0, 0, 0);

using type_tag = const type_identity*;

template <class T> constexpr type_tag tag_of() { return &detail::type_record<T>; }
/// Returns the tag of a class that can be incomplete: without its size. It equals only other tags from class_tag_of.
template <class T> constexpr type_tag class_tag_of() { return &detail::class_record<T>; }

/// Null means no type.
inline bool same_tag(type_tag a, type_tag b) { return a == b || (a && b && same_type(*a, *b)); }

} // namespace hsm::detail
