#include <hsm/define/detail/type_identity.hpp>

#include <doctest/doctest.h>

#include <array>
#include <concepts>

namespace game {
struct hit {};
template <class T> struct box {
    struct part {};
};
template <auto Value> struct value {};
struct boxer {
    auto swing() const& {
        struct loc {};
        return loc();
    }
    auto operator()(int) const {
        struct loc {};
        return loc();
    }
    void guard() const;
};
inline auto in_function() {
    struct loc {};
    return loc();
}
auto in_template(std::integral auto x) {
    struct loc {
        struct inner {};
        decltype(x) value;
    };
    return loc{x};
}
enum class pose { idle };
} // namespace game

struct of_no_namespace {};

namespace {
struct hidden {};

/// The type as another module would describe it.
constexpr char another_module = 0;
template <class T> hsm::detail::type_identity elsewhere() {
    auto record = hsm::detail::identity_of<T>();
    record.module = &another_module;
    return record;
}
template <class T> bool equals_itself_elsewhere() {
    const auto other = elsewhere<T>();
    return hsm::detail::same_type(*hsm::detail::tag_of<T>(), other);
}
} // namespace

TEST_CASE("tags of the same type are equal, and tags of different types differ") {
    CHECK(hsm::detail::tag_of<game::hit>() == hsm::detail::tag_of<game::hit>());
    CHECK(hsm::detail::tag_of<game::hit>() != hsm::detail::tag_of<game::box<int>>());
    CHECK(hsm::detail::tag_of<int>() != hsm::detail::tag_of<const int>());
}

TEST_CASE("in one module, types with the same name are different") {
    const auto first = [] {
        struct loc {};
        return hsm::detail::tag_of<loc>();
    }();
    const auto second = [] {
        struct loc {};
        return hsm::detail::tag_of<loc>();
    }();
    CHECK_FALSE(hsm::detail::same_tag(first, second));
    CHECK(hsm::detail::same_tag(first, first));
}

TEST_CASE("a type of another module is the same if its name, size and alignment are equal") {
    CHECK(equals_itself_elsewhere<game::hit>());
    CHECK(equals_itself_elsewhere<game::pose>());
    auto larger = elsewhere<game::hit>();
    ++larger.size;
    CHECK_FALSE(hsm::detail::same_type(*hsm::detail::tag_of<game::hit>(), larger));
    auto more_aligned = elsewhere<game::hit>();
    more_aligned.alignment *= 2;
    CHECK_FALSE(hsm::detail::same_type(*hsm::detail::tag_of<game::hit>(), more_aligned));
    auto renamed = elsewhere<game::hit>();
    renamed.name = "game::hit2";
    CHECK_FALSE(hsm::detail::same_type(*hsm::detail::tag_of<game::hit>(), renamed));
}

// Without RTTI, clang's names of these types are incomplete, so they are treated as local.
#if !defined(__clang__) || defined(__cpp_rtti)
TEST_CASE("types of the global namespace and instances of templates are the same in other modules") {
    CHECK(equals_itself_elsewhere<of_no_namespace>());
    CHECK(equals_itself_elsewhere<game::box<game::hit>>());
    CHECK(equals_itself_elsewhere<game::box<of_no_namespace>::part>());
    CHECK(equals_itself_elsewhere<game::box<void(int)>::part>());
    CHECK(equals_itself_elsewhere<game::box<void (game::boxer::*)() const>::part>());
    CHECK(equals_itself_elsewhere<game::box<std::array<int, 90>>>());
    CHECK(equals_itself_elsewhere<game::box<int[90]>>());
    CHECK(equals_itself_elsewhere<game::value<')'>>());
    CHECK(equals_itself_elsewhere<game::value<'\''>>());
    CHECK(equals_itself_elsewhere<game::value<-90>>());
    CHECK(equals_itself_elsewhere<game::value<game::pose::idle>>());
    CHECK(equals_itself_elsewhere<game::value<&game::boxer::guard>>());
}

TEST_CASE("a type inside a local class equals no type of another module") {
    CHECK_FALSE(equals_itself_elsewhere<decltype(game::in_template(1))::inner>());
}
#endif

TEST_CASE("types of functions and unnamed namespaces equal no type of another module") {
    struct loc {};
    enum class local_enum { one };
    const auto lambda = [] {};
    CHECK_FALSE(equals_itself_elsewhere<loc>());
    CHECK_FALSE(equals_itself_elsewhere<local_enum>());
    CHECK_FALSE(equals_itself_elsewhere<decltype(lambda)>());
    CHECK_FALSE(equals_itself_elsewhere<hidden>());
    CHECK_FALSE(equals_itself_elsewhere<game::box<loc>>());
    CHECK_FALSE(equals_itself_elsewhere<game::box<game::box<hidden>>::part>());
    CHECK_FALSE(equals_itself_elsewhere<game::box<loc>::part>());
    CHECK_FALSE(equals_itself_elsewhere<decltype(game::in_function())>());
    CHECK_FALSE(equals_itself_elsewhere<decltype(game::in_template(1))>());
    CHECK_FALSE(equals_itself_elsewhere<decltype(game::boxer().swing())>());
    CHECK_FALSE(equals_itself_elsewhere<decltype(game::boxer()(1))>());
}

TEST_CASE("an incomplete class has a tag") {
    class never_defined;
    CHECK(hsm::detail::class_tag_of<never_defined>() == hsm::detail::class_tag_of<never_defined>());
    CHECK_FALSE(hsm::detail::same_tag(hsm::detail::class_tag_of<never_defined>(), hsm::detail::class_tag_of<game::hit>()));
}

TEST_CASE("a null tag is no type") {
    CHECK(hsm::detail::same_tag(nullptr, nullptr));
    CHECK_FALSE(hsm::detail::same_tag(nullptr, hsm::detail::tag_of<int>()));
    CHECK_FALSE(hsm::detail::same_tag(hsm::detail::tag_of<int>(), nullptr));
}
